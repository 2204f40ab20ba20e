"""The scale of the experiment: full, or a version that takes seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snellen.repair.options import TABLE_2

THRESHOLD = 0.3
"""The subject's score threshold and the minimum score of a base instance; published: 0.7."""
RATE = 2e-4
"""The learning rate of all retraining."""
FAILING_ROWS = ((1, 0), (2, 0), (3, 0), (4, 0), (5, 0))
BEST = (3, 0)
"""The row of Table 2 for which reductions are published."""
FRAGILE = tuple(f"{number:012d}.jpg" for number in (139, 802, 872, 1353, 1490, 1761))
"""Photographs in which YOLOv4-tiny fails after an insertion next to an object."""


@dataclass(frozen=True)
class Scale:
    """The numbers of one version.

    scenes: names of some photographs, None for all. per_scene: base instances at most. tests,
    cluster_tests: a level and instance, the latter in Table 3. variety: different objects around an
    instance. cover, size_ratio: how much of the instance may be hidden, and by how large a thing.
    epochs, steps, batch: of each retraining. grid: rows of Table 2.
    """

    scenes: tuple[str, ...] | None
    per_scene: int
    tests: int
    cluster_tests: int
    passes: int
    variety: int
    cover: float
    size_ratio: tuple[float, float]
    epochs: int
    steps: int
    batch: int
    grid: tuple[tuple[int, int], ...]

    def robustness(self, tests: int | None = None, **others: Any) -> dict[str, Any]:
        """The section `robustness:` of a configuration."""
        return {
            "score": THRESHOLD,
            "per_scene": self.per_scene,
            "tests_per_level": tests or self.tests,
            "contour": "grad-cam",
            "cover": self.cover,
            "size_ratio": list(self.size_ratio),
            "uncertainty": "dropout",
            "passes": self.passes,
            "variety": self.variety,
            "ask_alone": True,
            "blending": "feather",
            **others,
        }


FULL = Scale(
    scenes=None,
    per_scene=2,
    tests=2,
    cluster_tests=6,
    passes=10,
    variety=2,
    cover=0.3,
    size_ratio=(0.5, 2.0),
    epochs=4,
    steps=12,
    batch=8,
    grid=TABLE_2,
)
QUICK = Scale(
    scenes=FRAGILE,
    per_scene=1,
    tests=1,
    cluster_tests=2,
    passes=2,
    variety=1,
    cover=0.9,
    size_ratio=(0.5, 1.0),
    epochs=1,
    steps=1,
    batch=2,
    grid=(BEST,),
)
