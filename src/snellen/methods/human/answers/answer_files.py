"""Human data from a file of any supported form."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from snellen.disk.path_checks import is_folder
from snellen.errors import UserError
from snellen.methods.human.answers import binned_answers as binned
from snellen.methods.human.answers import box_answers, class_answers
from snellen.methods.human.answers.binned_answers import BinnedAnswers
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.answers.class_answers import ClassAnswers
from snellen.methods.human.answers.csv_table import CsvTable
from snellen.methods.human.exports.export_answers import (
    ExportAnswers,
    read_exports,
    role_of,
)

HumanData: TypeAlias = BinnedAnswers | ClassAnswers | BoxAnswers | ExportAnswers


def read_all_human(path: Path, annotations: Path | None = None) -> list[HumanData]:
    """The data in a file or a folder; the exports of Mechanical Turk in a folder are one study.

    annotations: the Pascal VOC folder of the original images, if it is not in the exports' folder.
    """
    tables = [CsvTable(one) for one in human_files(path)]
    plain = [_read(table) for table in tables if role_of(table.columns) is None]
    if len(plain) == len(tables):
        return plain
    folder = path if is_folder(path) else path.parent
    return [*plain, _study(folder, annotations)]


def _study(folder: Path, annotations: Path | None) -> ExportAnswers:
    parts: dict[str, CsvTable] = {}
    for table in map(CsvTable, human_files(folder)):
        role = role_of(table.columns)
        if role is not None and role in parts:
            raise UserError(
                f"{folder}: found {parts[role].path.name} and {table.path.name}, both exports of "
                f"the same kind ({role}). Put each study into a folder of its own."
            )
        if role is not None:
            parts[role] = table
    return read_exports(parts, annotations)


def read_human(path: Path, annotations: Path | None = None) -> HumanData:
    """The data in a file: bins, answers to images, boxes, or a study's exports, by its header."""
    [found] = read_all_human(path, annotations)
    return found


def _read(table: CsvTable) -> HumanData:
    kind = binned.kind_of_bins(table)
    if kind is not None:
        return binned.read_binned(table, kind)
    if "image_link" in table.columns or "human_label" in table.columns:
        return class_answers.read_class_answers(table)
    if "delta_v" in table.columns:
        return box_answers.read_box_answers(table)
    expected = [*binned.COLUMNS.values(), class_answers.COLUMNS, box_answers.COLUMNS]
    raise UserError(
        f"{table.path}: found columns {','.join(table.columns) or 'none'}; expected those of "
        "bins or answers: " + "; or ".join(",".join(columns) for columns in expected)
    )


def human_files(path: Path) -> list[Path]:
    """The file itself, or the CSV files in a folder."""
    if not is_folder(path):
        return [path]
    found = sorted(path.glob("*.csv"))
    if not found:
        raise UserError(f"{path}: has no CSV files. Give a file or folder of human answers.")
    return found
