"""The mask half of YOLO's segmenters: prototypes shared by all boxes of an image."""

from __future__ import annotations

import numpy as np

from snellen.subjects.decoders.outputs import DecoderSettings, Floats, Outputs


def prototypes_in(outputs: Outputs, known: DecoderSettings) -> Floats | None:
    """The prototypes (K, h, w) among the outputs, whichever axis holds the K; None if none.

    They cover the input at a quarter of its resolution.
    """
    quarter = (known.size[0] // 4, known.size[1] // 4)
    for volume in outputs.volumes():
        if volume.shape[1:] == quarter:
            return np.asarray(volume, dtype=np.float32)
        if volume.shape[:2] == quarter:
            return np.ascontiguousarray(volume.transpose(2, 0, 1), dtype=np.float32)
    return None
