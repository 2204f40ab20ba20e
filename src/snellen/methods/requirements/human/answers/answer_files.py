"""Human data from a file of any supported form."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from snellen.errors import UserError
from snellen.methods.requirements.human.answers import binned_answers as binned
from snellen.methods.requirements.human.answers import box_answers, class_answers
from snellen.methods.requirements.human.answers.binned_answers import BinnedAnswers
from snellen.methods.requirements.human.answers.box_answers import BoxAnswers
from snellen.methods.requirements.human.answers.class_answers import ClassAnswers
from snellen.methods.requirements.human.answers.csv_table import CsvTable

HumanData: TypeAlias = BinnedAnswers | ClassAnswers | BoxAnswers


def read_human(path: Path) -> HumanData:
    """The data in a file: bins, answers to images, or boxes, by its header."""
    table = CsvTable(path)
    kind = binned.kind_of_bins(table)
    if kind is not None:
        return binned.read_binned(table, kind)
    if "image_link" in table.columns or "human_label" in table.columns:
        return class_answers.read_class_answers(table)
    if "delta_v" in table.columns:
        return box_answers.read_box_answers(table)
    expected = [*binned.COLUMNS.values(), class_answers.COLUMNS, box_answers.COLUMNS]
    raise UserError(
        f"{path}: found columns {','.join(table.columns) or 'none'}; expected those of bins or "
        "answers: " + "; or ".join(",".join(columns) for columns in expected)
    )


def human_files(path: Path) -> list[Path]:
    """The file itself, or the CSV files in a folder."""
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.csv"))
    if not found:
        raise UserError(f"{path}: has no CSV files. Give a file or folder of human answers.")
    return found
