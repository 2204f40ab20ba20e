"""Pascal VOC reader: an XML file per image, and optional mask images of instances."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field

from snellen.disk.path_checks import is_file
from snellen.errors import UserError
from snellen.scenes.box_checks import Corners
from snellen.scenes.dataset_files import checked_size, existing_folder, first_duplicate, read_names
from snellen.scenes.image_files.mask_image import check_region, read_region
from snellen.scenes.pictures import SUFFIXES
from snellen.scenes.problems import InvalidItemError, Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.scenes.voc.xml_file import VocFile, VocObject, checked_box, read_voc_file
from snellen.vision.annotations import Annotations
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.masks.run_lengths import runs_of

CLASSES = (
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
)  # fmt: skip

VOID = 255
SHOWN = 8
"""Names of lists that a message shows."""


class VocOptions(SetOptions):
    """A VOC folder; a scene's id is the name of its XML file without the suffix."""

    kind: Literal["voc"] = "voc"
    root: Path = Field(description="Folder that contains `Annotations` and `JPEGImages`.")
    split: str | None = Field(None, description="List such as `Main/val`; else every XML file.")
    masks: bool = Field(True, description="Read the masks in `SegmentationObject`, if any.")
    classes: tuple[str, ...] | None = Field(
        None,
        description="Class names by 0-based id; else VOC's twenty, or the names found, sorted.",
    )


def read_voc(options: VocOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The scenes of a VOC folder, sorted by name, or in the order of the list."""
    root = existing_folder(folder / options.root, "root")
    problems = Problems(skip_invalid)
    names = _names(root, options)[: None if skip_invalid else options.limit]
    files = [existing_folder(root / "Annotations", "root") / f"{name}.xml" for name in names]
    records = list(problems.each(files, read_voc_file, str))
    classes = _classes(options, records)
    source = _VocScenes(root, options, classes, problems)
    scenes = problems.each(records, source.scene, lambda record: record.path)
    return collect_scenes(scenes, options, problems, root, classes, range(1, len(classes) + 1))


def _names(root: Path, options: VocOptions) -> list[str]:
    if options.split is None:
        return sorted(path.stem for path in (root / "Annotations").glob("[!.]*.xml"))
    lists = root / "ImageSets"
    path = lists / f"{options.split.removesuffix('.txt')}.txt"
    if not is_file(path):
        known = [str(one.relative_to(lists).with_suffix("")) for one in lists.rglob("*.txt")]
        raise UserError(
            f"{path}: no such file; 'split' must name a list of {lists}"
            f"{_splits(options.split, sorted(known))}."
        )
    # The list of a single class has a second column that says whether the class is present.
    names = [re.sub(r"\s+(-1|0|1)$", "", line) for line in read_names(path, "split")]
    if (duplicate := first_duplicate(names)) is not None:
        raise UserError(f"{path}: '{duplicate}' is listed twice. Remove one entry.")
    return names


def _splits(found: str, known: Sequence[str]) -> str:
    """A clause that names the lists there are, those of the segmentation or a class last."""
    if not known:
        return ", which has none; leave 'split' out to use every XML file"
    by_name = sorted(known, key=lambda one: (Path(one).name != Path(found).name, "_" in one, one))
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"; found {', '.join(by_name[:SHOWN])}{more}"


def _classes(options: VocOptions, records: list[VocFile]) -> tuple[str, ...]:
    if options.classes is not None:
        if (duplicate := first_duplicate(options.classes)) is not None:
            raise UserError(
                f"scenes.classes: '{duplicate}' occurs twice; class names must be unique."
            )
        return options.classes
    found = {item.name for record in records for item in record.objects if item.name}
    return CLASSES if found <= set(CLASSES) else tuple(sorted(found))


@dataclass(frozen=True)
class _VocScenes:
    """Builds the scenes of one folder."""

    root: Path
    options: VocOptions
    classes: tuple[str, ...]
    problems: Problems

    def scene(self, record: VocFile) -> Scene:
        """The scene of one XML file."""
        path = self._image(record)
        size = checked_size(path, record.size)
        region = self.root / "SegmentationClass" / f"{record.name}.png"
        kept = [
            (index, item, box)
            for index, item in enumerate(record.objects, start=1)
            for box in self.problems.each(
                [item],
                lambda one: checked_box(one, record.path, size, self.classes, self.problems),
                lambda one: f"{record.path}: object {one.number}",
            )
        ]
        found = self._annotations(kept, self._masks(record, size, [index for index, _, _ in kept]))
        mask = check_region(region, size) if is_file(region) else None
        return Scene(record.name, PictureFile(path), size, found, mask)

    def _image(self, record: VocFile) -> Path:
        folder = self.root / "JPEGImages"
        for suffix in SUFFIXES:
            if is_file(path := folder / f"{record.name}{suffix}"):
                return path
        raise InvalidItemError(
            str(record.path), f"its image '{record.name}.jpg' is missing in {folder}"
        )

    def _masks(self, record: VocFile, size: tuple[int, int], kept: Sequence[int]) -> Masks | None:
        path = self.root / "SegmentationObject" / f"{record.name}.png"
        if not (self.options.masks and is_file(path) and kept):
            return None
        values = read_region(path, size)
        high = int(values.max(initial=0, where=values != VOID))
        if high > len(record.objects):
            raise InvalidItemError(
                str(path),
                f"found instance {high}, but {record.path} has {len(record.objects)} objects",
            )
        return Masks(size, tuple(runs_of(values == index) for index in kept))

    def _annotations(
        self, kept: list[tuple[int, VocObject, Corners]], masks: Masks | None
    ) -> Annotations:
        if not kept:
            return Annotations.empty()
        return Annotations(
            np.array([box for _, _, box in kept], dtype=np.float32),
            np.array([self.classes.index(item.name) for _, item, _ in kept]),
            masks,
            ignore=np.array([item.difficult for _, item, _ in kept]),
        )


READER = Reader(VocOptions, read_voc)
