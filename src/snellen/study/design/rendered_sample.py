"""A picture of a study as it is shown: its pixels, its file and its visual change."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from PIL import Image as Pillow

from snellen.changes.corruptions.corrupt import Corrupt, CorruptTo
from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.scenes.scene import Scene
from snellen.study.options import PictureFormat
from snellen.study.record import ORIGINAL
from snellen.vision.arrays import Image
from snellen.vision.visual_change.measure import VisualMeasure

PICTURES = "pictures"
"""The folder of the pictures in a study's folder."""
SUFFIX = {PictureFormat.PNG: ".png", PictureFormat.JPEG: ".jpg"}
MEDIA_TYPE = {PictureFormat.PNG: "image/png", PictureFormat.JPEG: "image/jpeg"}
QUALITY = 95
GRAIN = 4
"""Side in pixels of a grain of a noise mask."""


@dataclass(frozen=True)
class Rendered:
    """What a rendered picture is. level: of its corruption, None without one."""

    recipe: dict[str, Any]
    level: float | None
    delta_v: float


def reached_recipe(
    scene: Scene, transformation: str, delta_v: float, seed: int, measure: str, strongest: float
) -> Recipe:
    """The recipe of a picture with the wanted visual change, found without rejecting any.

    If the corruption does not change this scene as much, the wanted changes up to `strongest` are
    mapped to what it reaches, so that they stay evenly spread.
    """
    if transformation == ORIGINAL:
        return Identity()
    try:
        found = CorruptTo(transformation, delta_v, measure, seed).calibration(scene)
    except UserError as error:
        raise UserError(f"scene {scene.id}: {error}") from None
    if not found.reaches(delta_v):
        delta_v = found.reach * delta_v / strongest
    return Corrupt(transformation, found.level_for(delta_v), seed)


def render(
    scene: Scene,
    recipe: Recipe,
    measure: VisualMeasure,
    path: Path,
    materials: Materials,
) -> Rendered:
    """Write the picture of a recipe, PNG or JPEG by the suffix; its visual change as shown."""
    pixels = np.ascontiguousarray(recipe.build(scene, materials))
    shown = write_shown(path, pixels)
    level = recipe.level if isinstance(recipe, Corrupt) else None
    same = isinstance(recipe, Identity)
    change = 0.0 if same else round(measure.compare(scene.pixels(), shown), 6)
    return Rendered(recipe.to_json(), level, change)


def write_shown(path: Path, pixels: Image) -> Image:
    """Write a picture without any metadata; its pixels as a browser decodes them."""
    buffer = io.BytesIO()
    image = Pillow.fromarray(pixels)
    if path.suffix == ".png":
        image.save(buffer, "PNG", compress_level=3)
    else:
        image.save(buffer, "JPEG", quality=QUALITY, subsampling=0)
    write_atomically(path, buffer.getvalue())
    if path.suffix == ".png":
        return pixels
    return np.asarray(Pillow.open(io.BytesIO(buffer.getvalue())))


def noise_mask(size: tuple[int, int], rng: Generator) -> Image:
    """Coloured noise, H x W x 3 uint8, that follows a flash. size: (height, width)."""
    height, width = size
    grains = rng.integers(0, 256, (-(-height // GRAIN), -(-width // GRAIN), 3), dtype=np.uint8)
    whole = grains.repeat(GRAIN, axis=0).repeat(GRAIN, axis=1)
    return np.ascontiguousarray(whole[:height, :width])
