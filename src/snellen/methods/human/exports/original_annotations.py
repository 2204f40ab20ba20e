"""The annotated objects and masks of the original images, from a Pascal VOC folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from snellen.disk.path_checks import is_file, is_folder
from snellen.errors import UserError
from snellen.scenes.image_files.mask_image import read_region
from snellen.scenes.problems import InvalidItemError
from snellen.scenes.voc.reader import CLASSES
from snellen.scenes.voc.xml_file import read_voc_file
from snellen.vision.arrays import F64, Bools, Ints

NEXT = "Give VOC's folder, which has Annotations and SegmentationClass, with --annotations."


@dataclass(frozen=True, eq=False)
class OriginalObjects:
    """The objects of one image. boxes: (N, 4) corners as VOC counts them, from 1, both included."""

    labels: tuple[str, ...]
    boxes: F64


@dataclass(frozen=True)
class AnnotationFolder:
    """A Pascal VOC folder; files are read when they are needed."""

    root: Path

    def objects(self, image: str) -> OriginalObjects:
        """The objects of an image, by its name without suffix."""
        return _objects(self.root / "Annotations" / f"{image}.xml")

    def class_mask(self, image: str, label: str) -> Bools:
        """(H, W) the pixels of a class."""
        values = _values(self.root / "SegmentationClass" / f"{image}.png")
        return np.asarray(values == CLASSES.index(label) + 1)

    def object_mask(self, image: str, number: int) -> Bools:
        """(H, W) the pixels of one object, by its place in the file, from 0."""
        path = self.root / "SegmentationObject" / f"{image}.png"
        if is_file(path):
            return np.asarray(_values(path) == number + 1)
        found = self.objects(image)
        mask = self.class_mask(image, found.labels[number])
        x1, y1, x2, y2 = found.boxes[number].astype(int)
        inside = np.zeros_like(mask)
        inside[y1 - 1 : y2, x1 - 1 : x2] = True
        return np.asarray(mask & inside)


def annotation_folder(given: Path | None, data: Path) -> AnnotationFolder:
    """The folder of annotations that was given, or the one in the data's own folder."""
    candidates = [given] if given is not None else [data, *sorted(data.glob("*/"))]
    for root in candidates:
        for one in (root, root / "VOC2012", root / "VOCdevkit" / "VOC2012"):
            if is_folder(one / "Annotations"):
                return AnnotationFolder(one)
    where = f"--annotations {given}: has no" if given is not None else f"{data}: has no subfolder"
    raise UserError(f"{where} Annotations of the original images. {NEXT}")


@cache
def _objects(path: Path) -> OriginalObjects:
    try:
        found = read_voc_file(path).objects
        boxes = [[float(side or "") for side in one.sides] for one in found]
    except InvalidItemError as error:
        raise UserError(f"{error}. {NEXT}") from None
    except ValueError:
        raise UserError(f"{path}: bndbox has a side that is no number. Correct it.") from None
    corners = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    return OriginalObjects(tuple(one.name for one in found), corners)


@cache
def _values(path: Path) -> Ints:
    if not is_file(path):
        raise UserError(f"{path}: no such mask image. {NEXT} Or use --task detection.")
    return read_region(path)
