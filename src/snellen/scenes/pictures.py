"""Image files to pixels, the same way everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt


def read_picture(path: Path) -> npt.NDArray[np.uint8]:
    """The image in a file: H x W x 3 uint8 RGB, upright."""
    raise NotImplementedError
