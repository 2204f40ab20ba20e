"""The road in each frame's image, from a segmenter, to confirm the LiDAR's road."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.contract.method import Setting
from snellen.errors import SubjectError, UserError, nearest
from snellen.scenes.scene import NoPicture
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import Bools, Bytes
from snellen.vision.detections import Detections

LOOKING = "segmenting the road in images"


@dataclass(frozen=True, eq=False)
class RoadMasks:
    """The road of each frame by id, one bit per pixel, as all stay in memory for a whole run."""

    packed: Mapping[str, tuple[Bytes, tuple[int, int]]]

    def of(self, id: str) -> Bools | None:
        """(H, W) the road in a frame's image; None where not segmented."""
        if id not in self.packed:
            return None
        bits, (height, width) = self.packed[id]
        return np.unpackbits(bits, count=height * width).reshape(height, width).astype(bool)


def road_masks(values: Mapping[str, Any] | None, name: str, setting: Setting) -> RoadMasks:
    """The road of every frame with an image. values: the segmenter's configuration.

    name: of its road class.
    """
    if values is None:
        return RoadMasks({})
    with closing(open_subject(values, setting.folder, "fusion.road")) as segmenter:
        label = _road_label(segmenter, name)
        made = {}
        for done, scene in enumerate(setting.scenes):
            if setting.progress is not None:
                setting.progress(LOOKING, done, len(setting.scenes))
            if not isinstance(scene.picture, NoPicture):
                mask = _road(segmenter, label, scene.pixels())
                made[scene.id] = (np.packbits(mask), scene.size)
        return RoadMasks(made)


def _road_label(segmenter: Subject, name: str) -> int:
    if segmenter.task != Task.SEGMENTATION:
        raise UserError(
            f"fusion.road: the subject's task is {segmenter.task}, expected segmentation."
        )
    if name not in segmenter.classes:
        close = nearest(name, segmenter.classes)
        raise UserError(f"fusion.road_class: the segmenter has no class '{name}'{close}.")
    return segmenter.classes.index(name)


def _road(segmenter: Subject, label: int, image: Bytes) -> Bools:
    """(H, W) the road by the segmenter at its score threshold."""
    [answer] = segmenter.predict([image])
    if not isinstance(answer, Detections) or answer.masks is None:
        raise SubjectError(f"fusion.road: '{segmenter.name}' answered without masks.")
    kept = (answer.labels == label) & (answer.scores >= np.float32(segmenter.score))
    return np.asarray(answer.masks[np.flatnonzero(kept)].to_array().any(axis=0))
