"""Corrupt a scene's image: to a level, or to a wanted visual change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from snellen.changes.corruptions.corruption import check_level, check_seed
from snellen.changes.corruptions.registry import CORRUPTIONS, corruption
from snellen.changes.lru_cache import LruCache
from snellen.changes.measures.level_calibration import LevelCalibration, calibrate
from snellen.changes.recipe import Image, Materials, Recipe
from snellen.errors import UserError
from snellen.scenes.scene import Scene
from snellen.vision.visual_change.registry import DEFAULT, visual_measure

_CALIBRATIONS: LruCache[tuple[str, str, int, str], LevelCalibration] = LruCache(most=4096)


@dataclass(frozen=True)
class Corrupt(Recipe):
    """The scene corrupted to a level.

    corruption: its name, such as `frost`. level: 0 (the scene itself) to 1; severities 1 to 5 of
    ImageNet-C are 1/6 to 5/6. seed: what is random in it.

    >>> Corrupt("frost", 0.5).to_json()
    {'kind': 'corrupt', 'corruption': 'frost', 'level': 0.5, 'seed': 0}
    """

    kind: ClassVar[str] = "corrupt"
    keeps_objects: ClassVar[bool] = True
    version: ClassVar[int] = 2
    corruption: str
    level: float
    seed: int = 0

    def __post_init__(self) -> None:
        CORRUPTIONS.check(self.corruption, "corruption")
        check_level(self.level)
        check_seed(self.seed)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels at the level."""
        return corruption(self.corruption).change(scene.pixels(), self.level, self.seed)


@dataclass(frozen=True)
class CorruptTo(Recipe):
    """The scene corrupted as far as makes a wanted visual change.

    The level is found from the scene's own calibration, at most 7 evaluations. Where no level makes
    so much, it is the level that makes the most; what a case really has is its measurement
    `delta_v`. delta_v: 0 to 1. measure: of visual change, with its parameters.

    >>> CorruptTo("frost", 0.6, "vifp").measure
    'vifp(sigma_nsq=2)'
    """

    kind: ClassVar[str] = "corrupt-to"
    keeps_objects: ClassVar[bool] = True
    version: ClassVar[int] = 2
    corruption: str
    delta_v: float
    measure: str = DEFAULT
    seed: int = 0

    def __post_init__(self) -> None:
        CORRUPTIONS.check(self.corruption, "corruption")
        check_seed(self.seed)
        if not 0 <= self.delta_v <= 1:
            raise UserError(f"delta_v: found {self.delta_v}, expected a number from 0 to 1.")
        object.__setattr__(self, "measure", visual_measure(self.measure).identity)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels at the level that makes the visual change."""
        return corruption(self.corruption).change(scene.pixels(), self.level_in(scene), self.seed)

    def level_in(self, scene: Scene) -> float:
        """The level that makes the visual change in this scene, 0 to 1."""
        return self.calibration(scene).level_for(self.delta_v) if self.delta_v > 0 else 0.0

    def calibration(self, scene: Scene) -> LevelCalibration:
        """How much visual change each level makes in this scene; kept for the next recipe."""
        key = (scene.digest, self.corruption, self.seed, self.measure)
        return _CALIBRATIONS.get(key, lambda: self._calibrated(scene.pixels()))

    def _calibrated(self, image: Image) -> LevelCalibration:
        worse = corruption(self.corruption)
        return calibrate(
            image,
            lambda level: worse.change(image, level, self.seed),
            visual_measure(self.measure),
            start=worse.start,
            scale=worse.scale,
        )
