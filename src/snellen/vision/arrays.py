"""The array types of the whole package: each name means the same in every file.

Numpy only, so that every module can import it. The first group names a dtype; the second a
dtype with a shape and a meaning. Use a name of the second group only for exactly that meaning.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

# By dtype, of any shape.

AnyArray: TypeAlias = npt.NDArray[Any]
"""Any dtype."""

Bools: TypeAlias = npt.NDArray[np.bool_]
"""Flags and masks."""

Bytes: TypeAlias = npt.NDArray[np.uint8]
"""Grey values, alpha channels, encoded files."""

F32: TypeAlias = npt.NDArray[np.float32]
"""Single precision."""

F64: TypeAlias = npt.NDArray[np.float64]
"""Double precision."""

Floating: TypeAlias = npt.NDArray[np.floating[Any]]
"""Single or double precision, where both are accepted."""

Ints: TypeAlias = npt.NDArray[np.int64]
"""Indices, counts and identifiers."""

Ints8: TypeAlias = npt.NDArray[np.int8]
"""Small codes."""

Ints16: TypeAlias = npt.NDArray[np.int16]
"""Differences of bytes, small indices."""

Ints32: TypeAlias = npt.NDArray[np.int32]
"""Compact indices: table columns, mesh faces, LiDAR rings."""

UInts16: TypeAlias = npt.NDArray[np.uint16]
"""Packed words."""

UInts32: TypeAlias = npt.NDArray[np.uint32]
"""Run lengths, packed words."""

UInts64: TypeAlias = npt.NDArray[np.uint64]
"""Hashes, bit sets and random words."""

Texts: TypeAlias = npt.NDArray[np.str_]
"""Names and other strings."""

# By meaning.

Image: TypeAlias = Bytes
"""(H, W, 3) RGB image."""

Boxes: TypeAlias = F32
"""(N, 4) boxes: left, top, right, bottom in pixels, half-open."""

Labels: TypeAlias = Ints
"""(N,) class indices."""

Scores: TypeAlias = F32
"""(N,) confidences in [0, 1]."""

Boxes3D: TypeAlias = F64
"""(N, 7) upright boxes in the LiDAR frame: centre x, y, z, length, width, height, yaw; m, rad."""

Points: TypeAlias = F32
"""(N, 4) LiDAR points: x, y, z in metres in the LiDAR frame, and intensity."""

Runs: TypeAlias = UInts32
"""(N,) run lengths of a mask in COCO's column-major order, starting with background."""
