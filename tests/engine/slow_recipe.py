"""Recipes that take long to build or are large, for worker processes to import."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image


@dataclass(frozen=True)
class Slow(Recipe):
    """Says in a file that it has begun, sleeps, and gives an image of a side."""

    kind: ClassVar[str] = "slow"
    started: str
    seconds: float
    side: int

    def build(self, scene: Scene, materials: Materials) -> Image:
        """Zeros."""
        Path(self.started).touch()
        time.sleep(self.seconds)
        return np.zeros((self.side, self.side, 3), np.uint8)
