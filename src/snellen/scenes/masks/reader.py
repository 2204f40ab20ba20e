"""Reader of photographs with one mask image each, such as the drivable area of a road scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.errors import UserError
from snellen.scenes.dataset_files import checked_size, existing_folder, first_duplicate, pictures_in
from snellen.scenes.image_files.mask_image import check_region, read_region
from snellen.scenes.mask_objects import objects_in
from snellen.scenes.problems import InvalidItemError, Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Ints


class MaskOptions(SetOptions):
    """Photographs and masks; a scene's id is the photograph's path relative to `images`."""

    kind: Literal["masks"] = "masks"
    images: Path = Field(description="Folder of the photographs.")
    masks: Path = Field(description="Folder of the mask images.")
    match: Literal["path", "stem"] = Field(
        "path", description="Match masks by relative path, or by file name in any subfolder."
    )
    suffix: str = Field("", description="Suffix of a mask's name after the photograph's: `_mask`.")
    classes: dict[int, str] = Field({}, description="Class names by pixel value.")
    background: tuple[int, ...] = Field((0,), description="Pixel values that are not a class.")
    instances: bool = Field(False, description="Turn the pixels of the classes into objects.")
    objects_by: Literal["component", "value"] = Field(
        "component", description="One object per connected component of a value, or per value."
    )


def read_masks(options: MaskOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The photographs of a folder, sorted by path, each with its mask as `region`."""
    if options.instances and not options.classes:
        raise UserError(
            "scenes.classes: missing, but 'instances' needs it. Give class names by pixel value."
        )
    root = existing_folder(folder / options.images, "images")
    masks = existing_folder(folder / options.masks, "masks")
    problems = Problems(skip_invalid)
    source = _MaskScenes(root, options, _masks_by_key(masks, options))
    photographs = pictures_in(root)
    if not photographs:
        raise UserError(f"{root}: no image found. Correct 'images'.")
    scenes = problems.each(photographs, source.scene, str)
    classes = class_values(options.classes)
    return collect_scenes(scenes, options, problems, root, tuple(classes), tuple(classes.values()))


def class_values(names: Mapping[int, str]) -> dict[str, int]:
    """The lowest value of each class by name, in the order of the values.

    >>> class_values({2: "road", 1: "car", 3: "car"})
    {'car': 1, 'road': 2}
    """
    found: dict[str, int] = {}
    for value, name in sorted(names.items()):
        found.setdefault(name, value)
    return found


def _masks_by_key(masks: Path, options: MaskOptions) -> dict[str, Path]:
    paths = pictures_in(masks)
    keys = [_key(path, masks, options) for path in paths]
    if (duplicate := first_duplicate(keys)) is not None:
        raise UserError(f"{masks}: two masks match the photograph '{duplicate}'. Remove one.")
    return dict(zip(keys, paths, strict=True))


def _key(path: Path, root: Path, options: MaskOptions, suffix: str | None = None) -> str:
    stem = path.stem.removesuffix(options.suffix if suffix is None else suffix)
    return stem if options.match == "stem" else path.relative_to(root).with_name(stem).as_posix()


@dataclass(frozen=True)
class _MaskScenes:
    """Builds the scenes of one folder."""

    root: Path
    options: MaskOptions
    masks: dict[str, Path]

    def scene(self, path: Path) -> Scene:
        """The scene of one photograph."""
        mask = self.masks.get(_key(path, self.root, self.options, suffix=""))
        if mask is None:
            raise InvalidItemError(
                str(path),
                f"no mask in '{self.options.masks}' matches it by {self.options.match}"
                f"{f' with suffix {self.options.suffix!r}' if self.options.suffix else ''}",
            )
        size = checked_size(path)
        region = check_region(mask, size)
        found = self._annotations(region, size)
        name = path.relative_to(self.root).as_posix()
        return Scene(name, PictureFile(path), size, found, region)

    def _annotations(self, region: Path, size: tuple[int, int]) -> Annotations | None:
        if not (self.options.instances or (self.options.verify and self.options.classes)):
            return None
        values = read_region(region, size)
        self._check(values, region)
        if not self.options.instances:
            return None
        return objects_in(values, self.options.classes, self.options.objects_by == "component")

    def _check(self, values: Ints, region: Path) -> None:
        expected = {*self.options.classes, *self.options.background}
        unexpected = sorted(set(values.ravel().tolist()) - expected)
        if unexpected:
            raise InvalidItemError(
                str(region),
                f"found the value {unexpected[0]}, expected a value of 'classes' or 'background': "
                f"{', '.join(map(str, sorted(expected)))}",
            )


READER = Reader(MaskOptions, read_masks)
