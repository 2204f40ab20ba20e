"""ICRAF's bins: how many answers were right, or preserved, at each visual change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.answers.csv_table import CsvRow, CsvTable
from snellen.methods.human.subtasks import Kind
from snellen.vision.arrays import F64

COLUMNS: dict[Kind, tuple[str, str, str, str]] = {
    "correctness": ("IQA", "Accuracy", "Count", "Num_Accs"),
    "preservation": ("IQA", "Preserved", "Count", "Num_Pre"),
}
_NAME = re.compile(r"_[cp]_p_(.+)$")


@dataclass(frozen=True, eq=False)
class BinnedAnswers:
    """Counts in B bins: edges, right, asked, (B,) each. transformation: "" if unknown."""

    path: Path
    sha256: str
    kind: Kind
    transformation: str
    edges: F64
    right: F64
    asked: F64


def kind_of_bins(table: CsvTable) -> Kind | None:
    """The kind of the counts in a file; None if they are not ICRAF bins."""
    for kind, columns in COLUMNS.items():
        if set(columns) <= set(table.columns):
            return kind
    return None


def read_binned(table: CsvTable, kind: Kind) -> BinnedAnswers:
    """The bins in a file. `IQA` is the upper edge of the bin of visual change, 1 - VIF."""
    columns = COLUMNS[kind]
    found = [_bin(row, columns) for row in table.rows(columns)]
    if not found:
        raise UserError(f"{table.path}: has no bins. Give one row per bin: {','.join(columns)}")
    edges, right, asked = (
        np.array(column, dtype=np.float64) for column in zip(*_merged(found), strict=True)
    )
    falls = np.flatnonzero(np.diff(edges) <= 0)
    if len(falls):
        low, high = edges[falls[0]], edges[falls[0] + 1]
        raise UserError(f"{table.path}: IQA {high:g} follows {low:g}; bins must rise. Sort them.")
    name = _NAME.search(table.path.stem)
    transformation = name.group(1) if name else ""
    return BinnedAnswers(table.path, table.sha256, kind, transformation, edges, right, asked)


def _bin(row: CsvRow, columns: tuple[str, str, str, str]) -> tuple[float, int, int]:
    edge, share, count, right = columns
    asked = row.whole(count, 1, 10**9)
    good = row.whole(right, 0, asked)
    if abs(row.number(share, 0, 1) - good / asked) > 1e-3:
        raise row.mistake(
            share, f"is {row.values[share]}", f"{right} / {count} is {good / asked:g}"
        )
    return row.visual_change(edge), good, asked


def _merged(bins: list[tuple[float, int, int]]) -> list[tuple[float, int, int]]:
    """The bins with all first ones at 0 in one: a VIF above 1 is no visual change."""
    none = [one for one in bins if one[0] == 0]
    if len(none) < 2:
        return bins
    total = (0.0, sum(right for _, right, _ in none), sum(asked for _, _, asked in none))
    return [total, *(one for one in bins if one[0] > 0)]
