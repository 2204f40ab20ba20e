"""A scene: one test seed, whose pixels are read on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol, overload

import numpy as np

from snellen.errors import UserError
from snellen.errors.plain_text import escaped
from snellen.scenes.pictures import picture_bytes, read_picture
from snellen.scenes.sweep import Sweep
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Image


class Picture(Hashable, Protocol):
    """The source of an image; small and picklable, so that a scene can be sent to a worker."""

    def pixels(self) -> Image:
        """The image, H x W x 3 uint8 RGB, upright."""

    def digest(self) -> str:
        """A hash of the content: equal digests mean equal pixels."""


@dataclass(frozen=True)
class PictureFile:
    """An image file."""

    path: Path

    def pixels(self) -> Image:
        """The image, H x W x 3 uint8 RGB, upright."""
        return read_picture(self.path)

    def digest(self) -> str:
        """BLAKE2 of the file's bytes."""
        return hashlib.blake2b(picture_bytes(self.path), digest_size=16).hexdigest()


@dataclass(frozen=True, eq=False)
class PictureArray:
    """An image in memory, such as a generated one."""

    array: Image

    def pixels(self) -> Image:
        """The image, H x W x 3 uint8 RGB."""
        return self.array

    def digest(self) -> str:
        """BLAKE2 of shape and pixels."""
        state = hashlib.blake2b(repr(self.array.shape).encode(), digest_size=16)
        state.update(np.ascontiguousarray(self.array).tobytes())
        return state.hexdigest()


@dataclass(frozen=True)
class NoPicture:
    """The image of a LiDAR-only frame: there is none. Its scene's size is (0, 0)."""

    frame: str

    def pixels(self) -> Image:
        """Raises an error: a subject that needs pixels cannot be tested on this frame."""
        raise UserError(
            f"frame {self.frame} has no image. Use scenes with images, or a LiDAR-only subject."
        )

    def digest(self) -> str:
        """A constant, because there is no content."""
        return "no picture"


@dataclass(frozen=True, eq=False)
class Scene:
    """One test seed.

    id: unique in its set and stable between runs (a file's path relative to the set, or its stem);
    of a name that is not UTF-8, escaped.
    size: (height, width) of the upright image in pixels. annotations: the ground truth, or None if
    there is none. region: path of a mask image with one value per pixel (such as the drivable
    area), or None. sweep: the LiDAR half of a camera+LiDAR frame, or None.
    """

    id: str
    picture: Picture
    size: tuple[int, int]
    annotations: Annotations | None = None
    region: Path | None = None
    sweep: Sweep | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", escaped(self.id))

    def pixels(self) -> Image:
        """The image, H x W x 3 uint8 RGB, upright."""
        return self.picture.pixels()

    @cached_property
    def digest(self) -> str:
        """A hash of image and point cloud, part of the key of the prediction cache."""
        if self.sweep is None:
            return self.picture.digest()
        both = f"{self.picture.digest()} {self.sweep.digest()}"
        return hashlib.blake2b(both.encode(), digest_size=16).hexdigest()

    def __repr__(self) -> str:
        height, width = self.size
        known = "" if self.annotations is None else f", {len(self.annotations)} annotated objects"
        lidar = "" if self.sweep is None else ", LiDAR"
        return f"<Scene {self.id}: {width} x {height}{lidar}{known}>"


@dataclass(frozen=True)
class Skipped:
    """An invalid item of a data set that was skipped, and the reason."""

    where: str
    why: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", escaped(self.where))
        object.__setattr__(self, "why", escaped(self.why))


@dataclass(frozen=True, eq=False)
class SceneSet(Sequence[Scene]):
    """The scenes of one data set and the names of its classes.

    classes: names by 0-based id. class_ids: the data set's own id of each class, used for export.
    skipped: the items that `--skip-invalid` left out.
    """

    scenes: tuple[Scene, ...]
    classes: tuple[str, ...] = ()
    class_ids: tuple[int, ...] = ()
    skipped: tuple[Skipped, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(map(escaped, self.classes)))

    @overload
    def __getitem__(self, index: int) -> Scene: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Scene]: ...
    def __getitem__(self, index: int | slice) -> Scene | Sequence[Scene]:
        return self.scenes[index]

    def __len__(self) -> int:
        return len(self.scenes)

    def __iter__(self) -> Iterator[Scene]:
        return iter(self.scenes)

    def __repr__(self) -> str:
        known = sum(one.annotations is not None for one in self.scenes)
        skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
        return (
            f"<SceneSet: {len(self)} scenes, {known} annotated, {len(self.classes)} classes"
            f"{skipped}>"
        )
