"""YOLO reader: a text file of boxes or polygons per image, in fractions of its width and height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field

from snellen.disk.path_checks import is_file
from snellen.errors import UserError
from snellen.scenes.dataset_files import checked_size, existing_folder, first_duplicate, pictures_in
from snellen.scenes.polygon_masks import PolygonMasks
from snellen.scenes.problems import InvalidItemError, Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.scenes.yolo.data_yaml import (
    LabelledImage,
    Names,
    class_names,
    label_file,
    labelled_images,
)
from snellen.scenes.yolo.label_line import YoloObject, read_line
from snellen.vision.annotations import Annotations


class YoloOptions(SetOptions):
    """A YOLO data set; a scene's id is the image's path relative to the images folder."""

    kind: Literal["yolo"] = "yolo"
    data: Path | None = Field(None, description="The data.yaml; else give `images` and `classes`.")
    split: str = Field("val", description="Key of the images in data.yaml.")
    images: Path | None = Field(None, description="Folder of the images.")
    labels: Path | None = Field(
        None, description="Folder of the labels; else `images` in the path becomes `labels`."
    )
    classes: Path | tuple[str, ...] | None = Field(
        None,
        description="Class names by 0-based id: a list, a text file (one per line), or data.yaml.",
    )


def read_yolo(options: YoloOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The scenes of a YOLO data set, sorted by path; an image without label file has no objects."""
    if (options.data is None) == (options.images is None):
        found = "neither" if options.data is None else "both"
        raise UserError(
            f"scenes: found {found} of 'data' and 'images'. "
            "Give either 'data' (a data.yaml), or 'images' and 'classes'."
        )
    names, pairs, where = _contents(options, folder)
    if pairs and not any(is_file(pair.labels) for pair in pairs):
        raise UserError(
            f"{pairs[0].labels}: no such label file, and none of the {len(pairs)} images has one. "
            "Set 'labels' to the folder of the label files."
        )
    if (duplicate := first_duplicate(str(pair.labels) for pair in pairs)) is not None:
        raise UserError(f"{duplicate}: two images share this label file. Rename or remove one.")
    problems = Problems(skip_invalid)
    source = _YoloScenes({own: index for index, (own, _) in enumerate(names)}, problems)
    scenes = problems.each(pairs, source.scene, lambda pair: pair.image)
    classes = [name for _, name in names]
    return collect_scenes(scenes, options, problems, where, classes, [own for own, _ in names])


def _contents(options: YoloOptions, folder: Path) -> tuple[Names, list[LabelledImage], Path]:
    if options.data is not None:
        data = folder / options.data
        given = data if options.classes is None else options.classes
        return class_names(given, folder), labelled_images(data, options.split), data
    if options.classes is None:
        raise UserError(
            f"scenes.classes: missing, and the labels of {options.images} have only numbers. Give "
            "the class names: a list, a text file with one per line, or a data.yaml."
        )
    root = existing_folder(folder / (options.images or ""), "images")
    labels = None if options.labels is None else existing_folder(folder / options.labels, "labels")
    pairs = [
        LabelledImage(path.relative_to(root).as_posix(), path, label_file(path, root, labels))
        for path in pictures_in(root)
    ]
    return class_names(options.classes, folder), pairs, root


@dataclass(frozen=True)
class _YoloScenes:
    """Builds the scenes of one data set. labels: 0-based class ids by the data set's own ids."""

    labels: dict[int, int]
    problems: Problems

    def scene(self, pair: LabelledImage) -> Scene:
        """The scene of one image and its label file."""
        size = checked_size(pair.image)
        found = Annotations.empty()
        if is_file(pair.labels):
            found = _to_annotations(self._objects(pair.labels, size), size)
        return Scene(pair.id, PictureFile(pair.image), size, found)

    def _objects(self, path: Path, size: tuple[int, int]) -> list[YoloObject]:
        try:
            lines = enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1)
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidItemError(str(path), f"cannot be read as UTF-8 text: {error}") from None
        return list(
            self.problems.each(
                [(number, line) for number, line in lines if line.strip()],
                lambda one: read_line(
                    one[1], size, self.labels, f"{path}: line {one[0]}", self.problems
                ),
                lambda one: f"{path}: line {one[0]}",
            )
        )


def _to_annotations(objects: Sequence[YoloObject], size: tuple[int, int]) -> Annotations:
    if not objects:
        return Annotations.empty()
    outlines = [(item.polygon,) for item in objects if item.polygon is not None]
    return Annotations(
        np.array([item.box for item in objects], dtype=np.float32),
        np.array([item.label for item in objects]),
        PolygonMasks(size, outlines) if len(outlines) == len(objects) else None,
    )


READER = Reader(YoloOptions, read_yolo)
