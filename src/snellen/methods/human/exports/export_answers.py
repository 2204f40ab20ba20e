"""The three experiments of a study in the exports of Mechanical Turk, read from one folder."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from snellen.errors import UserError
from snellen.methods.human.answers.csv_table import CsvTable
from snellen.methods.human.exports.export_rows import (
    MASK_COLUMNS,
    TASKS,
    DrawnMask,
    LabelledBox,
    ShownImage,
    read_labels,
    read_masks,
    read_views,
)
from snellen.methods.human.exports.original_annotations import (
    AnnotationFolder,
    annotation_folder,
)

INFO = ("img_name", "original_name", "transformation_name", "IQA")
MEASURE = "vifp(sigma_nsq=0.4)"
"""The measure of DecompoVision's exports."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ChangedImage:
    """One row of the table of changed images. original: its name without suffix."""

    name: str
    original: str
    transformation: str
    delta_v: float


@dataclass(frozen=True, eq=False)
class ExportAnswers:
    """A study. views, masks: None if that export is missing. Who answered is not stored."""

    path: Path
    sha256: str
    images: tuple[ChangedImage, ...]
    labels: Sequence[LabelledBox]
    views: Sequence[ShownImage] | None
    masks: Sequence[DrawnMask] | None
    annotations: AnnotationFolder
    measure: str = MEASURE

    def transformations(self) -> list[str]:
        """The transformations in the table of changed images."""
        return sorted({one.transformation for one in self.images})

    def changed(self, transformation: str) -> list[ChangedImage]:
        """The images changed by one transformation, in the order of the table."""
        return [one for one in self.images if one.transformation == transformation]


def role_of(columns: Sequence[str]) -> str | None:
    """What a file with these columns is in a study: `images`, `L`, `C|L`, `S`; None for no part."""
    if set(MASK_COLUMNS) <= set(columns):
        return "S"
    if TASKS in columns:
        return "C|L" if "Input.bbox1" in columns else "L"
    return "images" if {"img_name", "original_name", "IQA"} <= set(columns) else None


def read_exports(tables: Mapping[str, CsvTable], annotations: Path | None) -> ExportAnswers:
    """The study whose files are given by their role."""
    folder = next(iter(tables.values())).path.parent
    for role, example in (
        ("images", "images_transformations_info_500.csv"),
        ("C|L", "500_C|L.csv"),
    ):
        if role not in tables:
            raise UserError(
                f"{folder}: has exports of Mechanical Turk, but no {example} among them; its "
                f"columns are {_columns(role)}. Put it into the same folder."
            )
    digest = hashlib.sha256("".join(tables[role].sha256 for role in sorted(tables)).encode())
    images = _read_images(tables["images"])
    labels = read_labels(tables["C|L"])
    _warn_of_strangers(labels, images, tables["C|L"].path)
    return ExportAnswers(
        folder,
        digest.hexdigest(),
        images,
        labels,
        read_views(tables["L"]) if "L" in tables else None,
        read_masks(tables["S"]) if "S" in tables else None,
        annotation_folder(annotations, folder),
    )


def _columns(role: str) -> str:
    return ",".join(INFO) if role == "images" else f"{TASKS},Input.bbox1,..."


def _read_images(table: CsvTable) -> tuple[ChangedImage, ...]:
    """The changed images; a VIF (`IQA`) above 1 is no visual change."""
    found = [
        ChangedImage(
            row.text("img_name"),
            row.text("original_name").split(".", 1)[0],
            row.text("transformation_name"),
            max(1 - row.number("IQA", -1e-6, 100), 0.0),
        )
        for row in table.rows(INFO)
    ]
    if not found:
        raise UserError(f"{table.path}: has no images. Give one row per image: {','.join(INFO)}")
    return tuple(found)


def _warn_of_strangers(
    labels: Sequence[LabelledBox], images: Sequence[ChangedImage], path: Path
) -> None:
    known = {one.name for one in images} | {one.original for one in images}
    names = {one.image for one in labels}
    strange = {one for one in names if one not in known and one.split(".", 1)[0] not in known}
    if strange:
        log.warning(
            "%s: %d of %d shown images are not in the table of changed images and are left out.",
            path,
            len(strange),
            len(names),
        )
