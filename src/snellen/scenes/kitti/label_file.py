"""KITTI's label files: one object per line, with its 2D box and its 3D box in the camera frame."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from snellen.errors import UserError
from snellen.errors.excerpt import shown

DONT_CARE = "DontCare"

_FIELDS = (
    "truncated", "occluded", "alpha", "left", "top", "right", "bottom",
    "height", "width", "length", "x", "y", "z", "rotation_y", "score",
)  # fmt: skip


@dataclass(frozen=True)
class LabelRow:
    """One object.

    type: the class. truncated: 0 to 1, or -1. occluded: 0 to 3, or -1. alpha: observation angle in
    radians, or -10. box: x1 y1 x2 y2 in pixels. dimensions: height, width, length in metres.
    location: centre of the bottom face in metres, rectified camera frame (x right, y down, z
    forward). rotation_y: radians about the camera's y axis. score: of a detection, else None.
    source: the line it was read from.

    A row without a 3D box (DontCare, or a 2D label) has dimensions -1 and location -1000, as in
    KITTI's own files.
    """

    type: str
    truncated: float
    occluded: int
    alpha: float
    box: tuple[float, float, float, float]
    dimensions: tuple[float, float, float] = (-1.0, -1.0, -1.0)
    location: tuple[float, float, float] = (-1000.0, -1000.0, -1000.0)
    rotation_y: float = -10.0
    score: float | None = None
    source: str | None = field(default=None, compare=False, repr=False)

    @property
    def solid(self) -> bool:
        """Whether the row has a 3D box."""
        return min(self.dimensions) > 0

    def line(self) -> str:
        """The line of the file: the original if nothing changed, else with 2 decimals.

        >>> LabelRow("Car", 0, 0, -1.57, (1, 2, 3, 4)).line()
        'Car 0.00 0 -1.57 1.00 2.00 3.00 4.00 -1 -1 -1 -1000 -1000 -1000 -10'
        """
        if self.source is not None and parse_row(self.source, "source") == self:
            return self.source
        solid = (*self.dimensions, *self.location, self.rotation_y)
        words = [self.type, _format(self.truncated), f"{self.occluded:d}", _format(self.alpha)]
        words += [f"{value:.2f}" for value in self.box]
        words += [f"{value:.2f}" if self.solid else f"{value:g}" for value in solid]
        words += [] if self.score is None else [f"{self.score:.4f}"]
        return " ".join(words)


def read_labels(path: Path, skipped: Container[int] = ()) -> tuple[LabelRow, ...]:
    """The rows of a label file, without the skipped lines (counted from 1)."""
    lines = ((number, line) for number, line in label_lines(path) if number not in skipped)
    return tuple(parse_row(line, f"{path}: line {number}") for number, line in lines)


def label_lines(path: Path) -> list[tuple[int, str]]:
    """The non-empty lines of a label file, with their numbers from 1."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else str(error)
        raise UserError(f"{path}: the labels cannot be read: {why}. Restore the file.") from None
    lines = enumerate(text.split("\n"), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def labels_text(rows: Iterable[LabelRow]) -> str:
    """The text of a label file."""
    return "".join(f"{row.line()}\n" for row in rows)


def parse_row(line: str, where: str) -> LabelRow:
    """The object of one line; messages start with `where` (file and line number)."""
    kind, *words = line.split()
    if len(words) not in (14, 15):
        raise UserError(
            f"{where}: found {len(words) + 1} fields, expected 15, or 16 with a score: "
            f"type {' '.join(_FIELDS)}."
        )
    values = [_number(word, name, where) for word, name in zip(words, _FIELDS, strict=False)]
    if values[1] != int(values[1]):
        raise UserError(f"{where}: occluded is {shown(words[1])}, expected a whole number.")
    return LabelRow(
        kind,
        values[0],
        int(values[1]),
        values[2],
        (values[3], values[4], values[5], values[6]),
        (values[7], values[8], values[9]),
        (values[10], values[11], values[12]),
        values[13],
        values[14] if len(values) == 15 else None,
        line,
    )


def _number(word: str, name: str, where: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UserError(f"{where}: {name} is {shown(word)}, expected a number.")
    return value


def _format(value: float) -> str:
    return f"{value:g}" if value in (-1, -10) else f"{value:.2f}"
