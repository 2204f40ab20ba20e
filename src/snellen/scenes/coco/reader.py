"""COCO reader: a JSON file of boxes, polygons and run-length masks, and a folder of images."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field

from snellen.disk.path_checks import is_file
from snellen.errors import UserError
from snellen.scenes.coco.annotation import read_annotation
from snellen.scenes.coco.annotation_columns import AnnotationColumns
from snellen.scenes.coco.annotation_table import AnnotationTable
from snellen.scenes.coco.collector_pause import collector_paused
from snellen.scenes.coco.json_file import CocoFile, CocoImage, read_coco_json
from snellen.scenes.dataset_files import checked_size, existing_folder, file_names
from snellen.scenes.image_files.listed_picture import ListedPicture
from snellen.scenes.polygon_masks import Outline, PolygonMasks
from snellen.scenes.problems import Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64

log = logging.getLogger(__name__)


class CocoOptions(SetOptions):
    """COCO annotations and the folder of their images; a scene's id is its `file_name`."""

    kind: Literal["coco"] = "coco"
    annotations: Path = Field(description="JSON file of the annotations.")
    images: Path = Field(description="Folder that the file names in it are relative to.")
    masks: bool = Field(True, description="Read the masks of the annotations.")


@collector_paused()
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
    _names: dict[str, frozenset[str]] = field(default_factory=dict)

    def scene(self, image: CocoImage) -> Scene:
        """The scene of an image of the file."""
        picture, known = self._picture(image), self.file.annotations
        found = None if known is None else self._annotations(known, image)
        return Scene(image.file_name, picture, image.size, found)

    def _picture(self, image: CocoImage) -> ListedPicture:
        """The image's file, which exists; its size is checked here only if it may be skipped."""
        path = self.images / image.file_name
        folder, _, name = image.file_name.rpartition("/")
        if folder not in self._names:
            self._names[folder] = file_names(self.images / folder)
        if self.problems.skip or not (name in self._names[folder] or is_file(path)):
            checked_size(path, image.size)
        return ListedPicture(path, image.size)

    def _annotations(self, known: AnnotationTable, image: CocoImage) -> Annotations:
        start, end = known.spans[image.id]
        if known.odd and not known.odd.isdisjoint(range(start, end)):
            rows = [self._row(known, row, image.size) for row in range(start, end)]
            return self._to_annotations(AnnotationColumns.joined(rows), image.size)
        if not known.has_areas:
            return self._to_annotations(known.columns[start:end], image.size)
        if start == end:
            return Annotations.empty()
        part, columns = slice(start, end), known.columns
        return Annotations.of_columns(
            known.boxes[part],
            columns.labels[part],
            self._masks(columns.outlines[part], image.size),
            columns.crowd[part],
            columns.ignore[part],
            columns.areas[part],
        )

    def _row(self, known: AnnotationTable, row: int, size: tuple[int, int]) -> AnnotationColumns:
        """One object; none if it is invalid and skipped."""
        where = f"{self.file.path}: annotation {known.id(row)}"
        if row in known.raw:
            labels, problems = self.file.labels, self.problems
            read = partial(
                read_annotation, size=size, labels=labels, where=where, problems=problems
            )
            return AnnotationColumns.of(
                list(problems.each([known.raw[row]], read, lambda _: where))
            )
        if known.columns.overhang[row] > 1:
            self.problems.overhanging.append(f"{where}: bbox")
        return known.columns[row : row + 1]

    def _to_annotations(self, found: AnnotationColumns, size: tuple[int, int]) -> Annotations:
        if not len(found):
            return Annotations.empty()
        masks = self._masks(found.outlines, size)
        return Annotations(
            found.boxes.astype(np.float32),
            found.labels,
            masks,
            found.crowd,
            found.ignore,
            _areas(found, masks),
        )

    def _masks(
        self, outlines: Sequence[Outline | None], size: tuple[int, int]
    ) -> PolygonMasks | None:
        given = [one for one in outlines if one is not None]
        if not given or not self.options.masks:
            return None
        if len(given) < len(outlines):
            self.partly_masked += 1
            return None
        return PolygonMasks(size, given)


def _areas(found: AnnotationColumns, masks: PolygonMasks | None) -> F64:
    areas = found.areas.copy()
    for index in np.flatnonzero(np.isnan(areas)):
        x1, y1, x2, y2 = found.boxes[index]
        areas[index] = masks[index].areas()[0] if masks is not None else (x2 - x1) * (y2 - y1)
    return areas


READER = Reader(CocoOptions, read_coco)
