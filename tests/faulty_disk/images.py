"""Images of noise, small and always the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image


def write_images(folder: Path, count: int = 2) -> None:
    """Write 0.png, 1.png ... into a new folder."""
    folder.mkdir(parents=True)
    for number in range(count):
        pixels = np.random.default_rng(number).integers(0, 256, (32, 48, 3), dtype=np.uint8)
        PIL.Image.fromarray(pixels).save(folder / f"{number}.png")
