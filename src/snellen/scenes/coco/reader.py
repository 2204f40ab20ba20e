"""COCO reader: a JSON file of boxes, polygons and run-length masks, and a folder of images."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from snellen.disk.path_checks import is_file
from snellen.errors import UserError
from snellen.scenes.coco.annotation import CocoAnnotation, read_annotation
from snellen.scenes.coco.json_file import CocoFile, CocoImage, read_coco_json
from snellen.scenes.dataset_files import checked_size, existing_folder
from snellen.scenes.polygon_masks import Outline, PolygonMasks
from snellen.scenes.problems import Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.vision.annotations import Annotations

log = logging.getLogger(__name__)


class CocoOptions(SetOptions):
    """COCO annotations and the folder of their images; a scene's id is its `file_name`."""

    kind: Literal["coco"] = "coco"
    annotations: Path = Field(description="JSON file of the annotations.")
    images: Path = Field(description="Folder that the file names in it are relative to.")
    masks: bool = Field(True, description="Read the masks of the annotations.")


def read_coco(options: CocoOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The scenes of a COCO file in its order, including images without annotations."""
    path = folder / options.annotations
    images = existing_folder(folder / options.images, "images")
    problems = Problems(skip_invalid)
    file = read_coco_json(path, problems)
    if not skip_invalid:
        _check_images(images, file)
    source = _CocoScenes(options, images, file, problems)
    scenes = problems.each(file.images, source.scene, lambda image: f"{path}: image {image.id}")
    classes, ids = zip(*file.categories, strict=True) if file.categories else ((), ())
    found = collect_scenes(scenes, options, problems, path, classes, ids)
    if source.partly_masked:
        log.warning(
            "%s: %d images have masks for only some of their objects; their masks are ignored",
            path,
            source.partly_masked,
        )
    return found


def _check_images(images: Path, file: CocoFile) -> None:
    """Refuse a folder that has none of the images, which is then the wrong folder."""
    if any(is_file(images / one.file_name) for one in file.images):
        return
    raise UserError(
        f"{file.path}: lists {len(file.images)} images, such as {file.images[0].file_name}, and "
        f"{images} has none of them. Set 'images' to the folder that has them."
    )


@dataclass
class _CocoScenes:
    """Builds the scenes of one file."""

    options: CocoOptions
    images: Path
    file: CocoFile
    problems: Problems
    partly_masked: int = 0

    def __post_init__(self) -> None:
        self.labels = {own: label for label, (_, own) in enumerate(self.file.categories)}

    def scene(self, image: CocoImage) -> Scene:
        """The scene of an image of the file."""
        path = self.images / image.file_name
        size = checked_size(path, image.size)
        known = self.file.annotations
        found = None if known is None else self._annotations(known.get(image.id, []), size)
        return Scene(image.file_name, PictureFile(path), size, found)

    def _annotations(self, raw: Sequence[Any], size: tuple[int, int]) -> Annotations:
        where = f"{self.file.path}: annotation"
        items = self.problems.each(
            raw,
            lambda one: read_annotation(
                one, size, self.labels, f"{where} {one.get('id')!r}", self.problems
            ),
            lambda one: f"{where} {one.get('id')!r}",
        )
        return self._to_annotations(list(items), size)

    def _to_annotations(self, items: list[CocoAnnotation], size: tuple[int, int]) -> Annotations:
        if not items:
            return Annotations.empty()
        outlines = [item.outline for item in items if item.outline is not None]
        masks = self._masks(outlines, len(items), size)
        return Annotations(
            np.array([item.box for item in items], dtype=np.float32),
            np.array([item.label for item in items]),
            masks,
            np.array([item.crowd for item in items]),
            np.array([item.ignore for item in items]),
            _areas(items, masks),
        )

    def _masks(
        self, outlines: list[Outline], count: int, size: tuple[int, int]
    ) -> PolygonMasks | None:
        if not self.options.masks or not outlines:
            return None
        if len(outlines) < count:
            self.partly_masked += 1
            return None
        return PolygonMasks(size, outlines)


def _areas(items: list[CocoAnnotation], masks: PolygonMasks | None) -> Any:
    areas = np.array([np.nan if item.area is None else item.area for item in items])
    for index in np.flatnonzero(np.isnan(areas)):
        x1, y1, x2, y2 = items[index].box
        areas[index] = masks[index].areas()[0] if masks is not None else (x2 - x1) * (y2 - y1)
    return areas


READER = Reader(CocoOptions, read_coco)
