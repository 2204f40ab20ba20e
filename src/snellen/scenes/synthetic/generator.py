"""Generated scenes with exact ground truth, for trying Snellen out and for testing it.

A planted subject (`snellen.subjects.planted`) reads the ground truth off their pixels.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.scenes.registry import Reader
from snellen.scenes.scene import Scene, SceneSet
from snellen.scenes.synthetic.generated_picture import MOST_CLASSES, GeneratedPicture, shape_mask
from snellen.scenes.synthetic.scene_layout import (
    BORDER,
    Background,
    Look,
    Shade,
    SyntheticObject,
    layout,
)
from snellen.vision.annotations import Annotations
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.masks.run_lengths import runs_of

CLASSES = ("tomato", "lemon", "lime", "ice", "plum", "rose")
Side = Annotated[int, Field(ge=16, le=8192)]
Size = Annotated[int, Field(ge=48, le=8192)]
Count = Annotated[int, Field(ge=0, le=1000)]


class SyntheticOptions(Options):
    """Options of generated scenes.

    The shade `deep` marks objects to insert into `bright` scenes, so that a planted subject can
    tell inserted objects from original ones.
    """

    kind: Literal["synthetic"] = "synthetic"
    count: int = Field(default=20, ge=1, le=1_000_000, description="number of scenes")
    seed: int = Field(default=1, ge=0, description="seed of their content")
    size: tuple[Size, Size] = Field(default=(240, 320), description="height and width in pixels")
    objects: tuple[Count, Count] = Field(
        default=(2, 5), description="minimum and maximum per scene"
    )
    sides: tuple[Side, Side] = Field(
        default=(28, 60), description="minimum and maximum side of an object in pixels"
    )
    classes: tuple[str, ...] = Field(
        default=CLASSES,
        min_length=1,
        max_length=MOST_CLASSES,
        description="names, at most 12",
    )
    gap: int = Field(default=12, ge=0, description="minimum distance of two objects in pixels")
    background: Background = Field(default=Background.TEXTURE, description=" | ".join(Background))
    shade: Shade = Field(
        default=Shade.BRIGHT, description="bright, or deep for objects to insert into scenes"
    )

    def look(self) -> Look:
        """The properties shared by all these scenes."""
        return Look(
            self.size,
            self.objects,
            self.sides,
            len(self.classes),
            self.gap,
            self.background,
            self.shade,
        )


def synthetic_scenes(options: SyntheticOptions | None = None) -> SceneSet:
    """Generated scenes with exact boxes, labels and masks.

    >>> scenes = synthetic_scenes(SyntheticOptions(count=2))
    >>> scenes[1].pixels().shape, scenes[1].id
    ((240, 320, 3), 'synthetic-00001')
    """
    options = options or SyntheticOptions()
    _check(options)
    look = options.look()
    scenes = tuple(_scene(look, options.seed, index) for index in range(options.count))
    return SceneSet(scenes, options.classes, tuple(range(1, len(options.classes) + 1)))


def _scene(look: Look, seed: int, index: int) -> Scene:
    objects = layout(look, seed, index)
    picture = GeneratedPicture(look, seed, index)
    return Scene(f"synthetic-{index:05d}", picture, look.size, truth(objects, look.size))


def truth(objects: tuple[SyntheticObject, ...], size: tuple[int, int]) -> Annotations:
    """The boxes, labels and masks of the objects of one scene."""
    boxes = np.array([item.box for item in objects], dtype=np.float32).reshape(-1, 4)
    labels = np.array([item.label for item in objects], dtype=np.int64)
    runs = []
    for item in objects:
        x1, y1, x2, y2 = item.box
        mask = np.zeros(size, dtype=bool)
        mask[y1:y2, x1:x2] = shape_mask(item.shape, x2 - x1, y2 - y1)
        runs.append(runs_of(mask))
    return Annotations(boxes, labels, Masks(size, tuple(runs)))


def _check(options: SyntheticOptions) -> None:
    for field, (low, high) in (("objects", options.objects), ("sides", options.sides)):
        if low > high:
            raise UserError(
                f"scenes.{field}: found [{low}, {high}], expected [minimum, maximum]. Swap them."
            )
    room = min(options.size) - 2 * BORDER
    if options.sides[1] > room:
        raise UserError(
            f"scenes.sides: found a maximum of {options.sides[1]} pixels, but a scene of "
            f"{options.size[1]}x{options.size[0]} has room for {room}. "
            "Lower the maximum or increase 'size'."
        )


def _read(options: SyntheticOptions, folder: Path, skip_invalid: bool) -> SceneSet:  # noqa: ARG001
    return synthetic_scenes(options)


READER = Reader(SyntheticOptions, _read)
