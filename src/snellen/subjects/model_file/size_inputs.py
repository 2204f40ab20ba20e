"""Second inputs that tell a network the size of the original image, set to that of its input.

The boxes are then in the pixels of the network's input, as those of other networks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from snellen.vision.arrays import AnyArray

VALUES: Mapping[str, Callable[[int, int], tuple[float, float]]] = {
    "orig_target_sizes": lambda height, width: (width, height),  # RT-DETR, D-FINE
    "im_shape": lambda height, width: (height, width),  # PaddleDetection
    "scale_factor": lambda height, width: (1, 1),  # noqa: ARG005
}
"""The row of each input for a network input of this height and width, by name."""


def size_inputs(
    kinds: Mapping[str, np.dtype], images: int, size: tuple[int, int]
) -> dict[str, AnyArray]:
    """The tensors (images, 2) of these inputs; kinds: their element types by name.

    >>> size_inputs({"orig_target_sizes": np.dtype("int64")}, 1, (480, 640))
    {'orig_target_sizes': array([[640, 480]])}
    """
    return {
        name: np.tile(np.array(VALUES[name](*size), dtype=kind), (images, 1))
        for name, kind in kinds.items()
    }
