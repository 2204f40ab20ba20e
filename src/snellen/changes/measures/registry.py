"""Measurements of the pixels of a case that a question can request, such as visual change.

They are taken where the case is built, so that a method never needs the pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from snellen.changes.recipe import Materials, Recipe
from snellen.plugins import Registry
from snellen.scenes.frame import Frame
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image

Measure = Callable[[Scene, Recipe, Image, Materials], float]

VISIBILITY = "visibility"
"""Requests all measurements taken while a frame was built; its own value is their number."""

MEASURES = Registry(
    "measurement",
    "snellen.measures",
    {
        "change": f"{__name__}:mean_change",
        "delta_v": "snellen.changes.measures.visual_change_measure:visual_change",
        "hog": "snellen.changes.measures.naturalness:hog_similarity",
        "level": "snellen.changes.measures.visual_change_measure:level_used",
        "seam": "snellen.changes.measures.naturalness:seam_visibility",
    },
)

_NONE: Mapping[str, Any] = {}


def mean_change(
    scene: Scene,
    recipe: Recipe,  # noqa: ARG001
    image: Image,
    materials: Materials = _NONE,  # noqa: ARG001
) -> float:
    """Mean absolute difference from the scene in grey levels, 0 to 255; 255 if the size differs."""
    before = scene.pixels()
    if before.shape != image.shape:
        return 255.0
    difference = before.astype("int16") - image.astype("int16")
    return float(abs(difference).mean())


def take_measurements(
    names: Sequence[str],
    scene: Scene,
    recipe: Recipe,
    case: Image | Frame,
    materials: Materials = _NONE,
) -> dict[str, float]:
    """The named measurements of a case, rounded to 1e-6 so that all machines agree.

    `visibility` adds all measurements of a frame, their names prefixed with `visibility.`.
    """
    image = case.image if isinstance(case, Frame) else case
    taken: dict[str, float] = {}
    for name in names:
        if name == VISIBILITY:
            own = case.measurements if isinstance(case, Frame) else {}
            taken |= {f"{name}.{key}": value for key, value in own.items()}
            taken[name] = len(own)
        else:
            taken[name] = MEASURES.load(name)(scene, recipe, image, materials)
    return {name: round(float(value), 6) for name, value in taken.items()}


def requested_measurements(
    taken: Mapping[str, float], names: Sequence[str]
) -> dict[str, float] | None:
    """The measurements that these names request; None if one is missing.

    >>> taken = {"seam": 1.0, "visibility": 1.0, "visibility.points": 7.0}
    >>> requested_measurements(taken, ["visibility"])
    {'visibility': 1.0, 'visibility.points': 7.0}
    """
    if not set(names) <= set(taken):
        return None
    return {name: value for name, value in taken.items() if name.split(".")[0] in names}
