"""YOLO: a text file of boxes or polygons for each image, in fractions of its width and height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field

from snellen.errors import UserError
from snellen.scenes.dataset_files import checked_size, existing_folder, pictures_in, repeated
from snellen.scenes.polygon_masks import PolygonMasks
from snellen.scenes.problems import InvalidItemError, Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.scenes.yolo.data_yaml import LabelledImage, Names, label_file, names_from, pairs_from
from snellen.scenes.yolo.label_line import YoloObject, read_line
from snellen.vision.annotations import Annotations


class YoloOptions(SetOptions):
    """A YOLO data set; each scene's id is the image's path relative to the images folder."""

    kind: Literal["yolo"] = "yolo"
    data: Path | None = Field(None, description="The data.yaml; or else `images` and `classes`.")
    split: str = Field("val", description="The key of the images in data.yaml.")
    images: Path | None = Field(None, description="The folder of the images.")
    labels: Path | None = Field(
        None, description="The folder of the labels; else `images` in the path becomes `labels`."
    )
    classes: Path | tuple[str, ...] | None = Field(
        None, description="Names by 0-based id: a list, a text file with one a line, or data.yaml."
    )


def read_yolo(options: YoloOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The scenes of a YOLO data set, sorted by path; an image without label file has no object."""
    if (options.data is None) == (options.images is None):
        raise UserError("scenes: give either 'data' (a data.yaml) or 'images' and 'classes'.")
    names, pairs, where = _contents(options, folder)
    if pairs and not any(pair.labels.is_file() for pair in pairs):
        raise UserError(
            f"{pairs[0].labels}: no such label file, nor one for any other of the {len(pairs)} "
            "images. Set 'labels' to the folder of the label files."
        )
    if (twice := repeated(str(pair.labels) for pair in pairs)) is not None:
        raise UserError(f"{twice}: two images have these labels. Rename one, or keep one of them.")
    problems = Problems(skip_invalid)
    task = _YoloScenes({own: index for index, (own, _) in enumerate(names)}, problems)
    scenes = problems.each(pairs, task.scene, lambda pair: pair.image)
    classes = [name for _, name in names]
    return collect_scenes(scenes, options, problems, where, classes, [own for own, _ in names])


def _contents(options: YoloOptions, folder: Path) -> tuple[Names, list[LabelledImage], Path]:
    if options.data is not None:
        data = folder / options.data
        given = data if options.classes is None else options.classes
        return names_from(given, folder), pairs_from(data, options.split), data
    if options.classes is None:
        raise UserError("scenes.classes: missing; with 'images' the names of the classes too.")
    root = existing_folder(folder / (options.images or ""), "images")
    labels = None if options.labels is None else existing_folder(folder / options.labels, "labels")
    pairs = [
        LabelledImage(path.relative_to(root).as_posix(), path, label_file(path, root, labels))
        for path in pictures_in(root)
    ]
    return names_from(options.classes, folder), pairs, root


@dataclass(frozen=True)
class _YoloScenes:
    """What is the same for all scenes. labels: 0-based ids by the data set's own."""

    labels: dict[int, int]
    problems: Problems

    def scene(self, pair: LabelledImage) -> Scene:
        """The scene of one image and its label file."""
        size = checked_size(pair.image)
        found = Annotations.empty()
        if pair.labels.is_file():
            found = _together(self._shapes(pair.labels, size), size)
        return Scene(pair.id, PictureFile(pair.image), size, found)

    def _shapes(self, path: Path, size: tuple[int, int]) -> list[YoloObject]:
        try:
            lines = enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1)
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidItemError(str(path), f"cannot be read as text: {error}") from None
        return list(
            self.problems.each(
                [(number, line) for number, line in lines if line.strip()],
                lambda one: read_line(
                    one[1], size, self.labels, f"{path}: line {one[0]}", self.problems
                ),
                lambda one: f"{path}: line {one[0]}",
            )
        )


def _together(shapes: Sequence[YoloObject], size: tuple[int, int]) -> Annotations:
    if not shapes:
        return Annotations.empty()
    outlines = [(shape.polygon,) for shape in shapes if shape.polygon is not None]
    return Annotations(
        np.array([shape.box for shape in shapes], dtype=np.float32),
        np.array([shape.label for shape in shapes]),
        PolygonMasks(size, outlines) if len(outlines) == len(shapes) else None,
    )


READER = Reader(YoloOptions, read_yolo)
