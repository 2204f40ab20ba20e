"""Corrupt the image of a scene: to a level, or to a wanted visual change."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import ClassVar

from cachetools import LRUCache, cached

from snellen.changes.corruptions.corruption import check_level, check_seed, check_severity
from snellen.changes.corruptions.registry import CORRUPTIONS, corruption
from snellen.changes.measures.level_calibration import LevelCalibration, calibrate
from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image
from snellen.vision.visual_change.object_vif import WholeBox
from snellen.vision.visual_change.registry import DEFAULT, visual_measure


@dataclass(frozen=True)
class Corrupt(Recipe):
    """The scene corrupted to a level, or to a severity of ImageNet-C.

    corruption: name, such as `frost`. level: 0 (the unchanged scene) to 1. seed: of the random
    part. severity: 1 to 5, or 0 for the level, which is not used otherwise.

    >>> Corrupt("frost", 0.5).to_json()
    {'kind': 'corrupt', 'corruption': 'frost', 'level': 0.5, 'seed': 0}
    """

    kind: ClassVar[str] = "corrupt"
    keeps_objects: ClassVar[bool] = True
    version: ClassVar[int] = 3
    optional: ClassVar[frozenset[str]] = frozenset({"severity"})
    corruption: str
    level: float
    seed: int = 0
    severity: int = 0

    def __post_init__(self) -> None:
        CORRUPTIONS.check(self.corruption, "corruption")
        check_level(self.level)
        check_seed(self.seed)
        if self.severity:
            check_severity(self.severity)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels at the level, or at the severity."""
        worse, image = corruption(self.corruption), scene.pixels()
        if self.severity:
            return worse.at_severity(image, self.severity, self.seed)
        return worse.change(image, self.level, self.seed)


@dataclass(frozen=True)
class CorruptTo(Recipe):
    """The scene corrupted to a wanted visual change.

    The level is read from a calibration of the scene, with at most 7 evaluations. If no level makes
    the wanted change, it is the level with the largest; the measurement `delta_v` of a case is its
    actual change. delta_v: 0 to 1. measure: of visual change, with its parameters. boxes: of the
    scene's objects, x1 y1 x2 y2 in whole pixels, for a measure at the objects.

    >>> CorruptTo("frost", 0.6, "vifp").measure
    'vifp(sigma_nsq=2)'
    """

    kind: ClassVar[str] = "corrupt-to"
    keeps_objects: ClassVar[bool] = True
    version: ClassVar[int] = 3
    optional: ClassVar[frozenset[str]] = frozenset({"boxes"})
    corruption: str
    delta_v: float
    measure: str = DEFAULT
    seed: int = 0
    boxes: tuple[WholeBox, ...] = ()

    def __post_init__(self) -> None:
        CORRUPTIONS.check(self.corruption, "corruption")
        check_seed(self.seed)
        object.__setattr__(self, "boxes", tuple(tuple(box) for box in self.boxes))
        if not 0 <= self.delta_v <= 1:
            raise UserError(f"delta_v: found {self.delta_v}, expected a number from 0 to 1.")
        object.__setattr__(self, "measure", visual_measure(self.measure).identity)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels at the level with the wanted visual change."""
        return corruption(self.corruption).change(scene.pixels(), self.level_in(scene), self.seed)

    def level_in(self, scene: Scene) -> float:
        """The level with the wanted visual change in this scene, 0 to 1."""
        return self.calibration(scene).level_for(self.delta_v) if self.delta_v > 0 else 0.0

    def calibration(self, scene: Scene) -> LevelCalibration:
        """The visual change of each level in this scene; cached for the next recipe."""
        return _calibration(scene, self.corruption, self.seed, self.measure, self.boxes)


def _key(scene: Scene, *change: object) -> tuple[object, ...]:
    return scene.digest, *change


@cached(LRUCache(4096), key=_key, lock=Lock())
def _calibration(
    scene: Scene, name: str, seed: int, measure: str, boxes: tuple[WholeBox, ...]
) -> LevelCalibration:
    image, worse = scene.pixels(), corruption(name)
    return calibrate(
        image,
        lambda level: worse.change(image, level, seed),
        visual_measure(measure),
        start=worse.start,
        scale=worse.scale,
        boxes=boxes,
    )
