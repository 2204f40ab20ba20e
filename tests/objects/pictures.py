"""Small objects and libraries for tests."""

from __future__ import annotations

import numpy as np

from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.similarity import average_hash
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools
from snellen.vision.masks.rle_masks import Masks


def cutout(label: str, seed: int, source: str = "", size: tuple[int, int] = (24, 32)) -> Cutout:
    """An opaque cut-out of noise; size: (height, width)."""
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 256, (*size, 4), dtype=np.uint8)
    pixels[..., 3] = 255
    return Cutout(label, pixels, source)


def hash_of(one: Cutout) -> int:
    return average_hash(one.pixels)


def disc(size: tuple[int, int], centre: tuple[float, float], radius: float) -> Bools:
    """A disc; centre: (x, y)."""
    rows, columns = np.indices(size) + 0.5
    return np.asarray((columns - centre[0]) ** 2 + (rows - centre[1]) ** 2 <= radius**2)


def scene_of(
    masks: list[Bools], labels: list[int], *, id: str = "scene", seed: int = 0, **flags: object
) -> Scene:
    """A scene of noise with objects under these masks."""
    size = (masks[0].shape[0], masks[0].shape[1])
    image = np.random.default_rng(seed).integers(0, 256, (*size, 3), dtype=np.uint8)
    encoded = Masks.from_array(np.array(masks))
    known = Annotations(encoded.boxes(), np.array(labels), encoded, **flags)  # type: ignore[arg-type]
    return Scene(id, PictureArray(image), size, known)


def set_of(*scenes: Scene, classes: tuple[str, ...] = ("ball", "cube")) -> SceneSet:
    return SceneSet(scenes, classes, tuple(range(len(classes))))
