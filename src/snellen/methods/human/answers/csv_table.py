"""Rows of a CSV file, with messages that name the file, the row and the column."""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from snellen.errors import UserError, nearest


@dataclass(frozen=True)
class CsvRow:
    """One line of a file, with the requested columns only."""

    path: Path
    line: int
    values: dict[str, str]

    def text(self, column: str) -> str:
        """The text in a column, which must not be empty."""
        found = self.values[column]
        if not found:
            raise self.mistake(column, "is empty", "a value is required")
        return found

    def number(self, column: str, low: float, high: float) -> float:
        """The number in a column, from `low` to `high`."""
        try:
            found = float(self.values[column])
        except ValueError:
            found = math.nan
        if not low <= found <= high:
            expected = f"a number from {low:g} to {high:g}"
            raise self.mistake(column, f"is {self.values[column]!r}", f"expected {expected}")
        return found

    def visual_change(self, column: str) -> float:
        """The visual change in a column, 0 to 1; below 0, of a VIF above 1, it is none."""
        try:
            none = -math.inf < float(self.values[column]) < 0
        except ValueError:
            none = False
        return 0.0 if none else self.number(column, 0, 1)

    def whole(self, column: str, low: int, high: int) -> int:
        """The whole number in a column, from `low` to `high`."""
        found = self.number(column, low, high)
        if found != int(found):
            raise self.mistake(column, f"is {found:g}", "expected a whole number")
        return int(found)

    def mistake(self, column: str, found: str, expected: str) -> UserError:
        """An error at this row and column."""
        return UserError(
            f"{self.path}: line {self.line}: {column} {found}; {expected}. Correct or drop the row."
        )


csv.field_size_limit(2**31 - 1)  # A mask in base64 can exceed the default of 128 KiB.


class CsvTable:
    """A CSV file with a header. Columns not requested, such as worker ids, are dropped."""

    def __init__(self, path: Path) -> None:
        try:
            data = path.read_bytes()
            text = data.decode("utf-8-sig")
        except FileNotFoundError:
            raise UserError(f"{path}: no such file. Give a CSV file of human answers.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{path}: cannot be read as text: {error}. Give a CSV file.") from None
        self.path, self.sha256 = path, hashlib.sha256(data).hexdigest()
        self._lines = csv.reader(io.StringIO(text, newline=""))
        self.columns = [name.strip() for name in next(self._lines, [])]

    def rows(self, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[CsvRow]:
        """The rows, once; a missing optional column is empty in every row."""
        for name in columns:
            if name not in self.columns:
                clause = nearest(name, self.columns) if self.columns else ""
                raise UserError(f"{self.path}: has no column '{name}'{clause}. Add it.")
        places = {name: self.columns.index(name) for name in columns}
        places |= {name: self.columns.index(name) for name in optional if name in self.columns}
        missing = {name: "" for name in optional if name not in self.columns}
        for cells in self._lines:
            if not any(cells):
                continue
            line = self._lines.line_num
            if len(cells) != len(self.columns):
                raise UserError(
                    f"{self.path}: line {line}: has {len(cells)} cells, but the header has "
                    f"{len(self.columns)}. Correct or drop the row."
                )
            yield CsvRow(
                self.path, line, missing | {name: cells[at].strip() for name, at in places.items()}
            )
