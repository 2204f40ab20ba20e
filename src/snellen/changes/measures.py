"""Measurements of a case's pixels that a question may ask for, such as visual change.

They are taken where the case is built, so that a method never needs the pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from snellen.changes.recipe import Image, Materials, Recipe
from snellen.plugins import Registry
from snellen.scenes.scene import Scene

Measure = Callable[[Scene, Recipe, Image, Materials], float]

MEASURES = Registry(
    "measurement",
    "snellen.measures",
    {
        "change": f"{__name__}:mean_change",
        "delta_v": "snellen.changes.visual:visual_change",
        "hog": "snellen.changes.naturalness:hog_kept",
        "level": "snellen.changes.visual:level_used",
        "seam": "snellen.changes.naturalness:seam_shown",
    },
)

_NONE: Mapping[str, Any] = {}


def mean_change(
    scene: Scene,
    recipe: Recipe,  # noqa: ARG001
    image: Image,
    materials: Materials = _NONE,  # noqa: ARG001
) -> float:
    """Mean absolute difference to the scene in grey levels, 0 to 255; 255 if the size differs."""
    before = scene.pixels()
    if before.shape != image.shape:
        return 255.0
    difference = before.astype("int16") - image.astype("int16")
    return float(abs(difference).mean())


def take_measurements(
    names: Sequence[str],
    scene: Scene,
    recipe: Recipe,
    image: Image,
    materials: Materials = _NONE,
) -> dict[str, float]:
    """Each named measurement of a case, rounded to 1e-6 so that machines agree."""
    return {
        name: round(float(MEASURES.load(name)(scene, recipe, image, materials)), 6)
        for name in names
    }
