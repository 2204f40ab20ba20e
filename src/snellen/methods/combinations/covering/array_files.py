"""Files of arrays and constraints: CSV with one column per label, and lines of label names."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.store.tables.table_formats import csv_text
from snellen.vision.arrays import Bools


def labels_of(given: str) -> int | list[str]:
    """A number of labels, or the names in a file, one per line.

    >>> labels_of("80")
    80
    """
    if given.isdecimal():
        return int(given)
    if given.startswith("-") and given[1:].isdecimal():
        raise UserError(
            f"--labels: found {given}, expected a number of labels above 0, or a file with one "
            "name per line."
        )
    names = [line.strip() for line in _text(Path(given)).splitlines()]
    return [name for name in names if name]


def combinations_in(path: Path) -> list[list[str]]:
    """Combinations of labels from a file, one per line, names separated by commas."""
    lines = csv.reader(io.StringIO(_text(path)))
    return [[name.strip() for name in line if name.strip()] for line in lines if any(line)]


def groups_of(given: str) -> list[list[str]]:
    """Groups of labels, separated by semicolons.

    >>> groups_of("cat,dog;day,night")
    [['cat', 'dog'], ['day', 'night']]
    """
    groups = [
        [name.strip() for name in part.split(",") if name.strip()] for part in given.split(";")
    ]
    return [group for group in groups if group]


def implications_of(given: str) -> dict[str, list[str]]:
    """By label, those that must be present with it.

    >>> implications_of("tie:person;rider:bicycle,helmet")
    {'tie': ['person'], 'rider': ['bicycle', 'helmet']}
    """
    found: dict[str, list[str]] = {}
    for part in given.split(";"):
        label, colon, others = part.rpartition(":")
        names = [name.strip() for name in others.split(",") if name.strip()]
        if not part.strip():
            continue
        if not (colon and label.strip() and names):
            raise UserError(
                f"--implies: found '{part}', expected LABEL:LABELS, such as tie:person."
            )
        found.setdefault(label.strip(), []).extend(names)
    return found


def strength_of(given: str) -> tuple[tuple[str, ...], int]:
    """Labels and the strength required for them.

    >>> strength_of("cat,dog,car:3")
    (('cat', 'dog', 'car'), 3)
    """
    names, _, strength = given.rpartition(":")
    if not names or not strength.removeprefix("-").isdecimal():
        raise UserError(
            f"--strength-on: found '{given}', expected LABELS:T, such as cat,dog,car:3."
        )
    return tuple(groups_of(names)[0]) if groups_of(names) else (), int(strength)


def read_array(path: Path, names: Sequence[str] | None = None) -> tuple[list[str], Bools]:
    """The labels and the 0/1 rows of a CSV file, in the order of `names` if given."""
    lines = [line for line in csv.reader(io.StringIO(_text(path))) if line]
    if not lines:
        raise UserError(f"{path}: empty; expected a line of label names and rows of 0 and 1.")
    head = [_plain(name.strip()) for name in lines[0]]
    if names is not None and sorted(head) != sorted(names):
        odd = sorted(set(head) ^ set(names))[:5]
        raise UserError(
            f"{path}: the columns are not the labels of the array (they differ in: "
            f"{', '.join(odd)}). The first line must name each label once."
        )
    rows = np.zeros((len(lines) - 1, len(head)), bool)
    for at, line in enumerate(lines[1:]):
        values = [value.strip() for value in line]
        if len(values) != len(head) or not set(values) <= {"0", "1"}:
            raise UserError(f"{path}: row {at + 1}: expected {len(head)} values, each 0 or 1.")
        rows[at] = np.array(values) == "1"
    return (head, rows) if names is None else (list(names), rows[:, [head.index(n) for n in names]])


def write_array(path: Path, names: Sequence[str], rows: Bools) -> None:
    """Write an array as CSV, atomically; `read_array` reads the names back."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(csv_text, names))
    np.savetxt(text, rows.astype(np.uint8), fmt="%d", delimiter=",")
    write_atomically(path, text.getvalue().encode())


def _plain(name: str) -> str:
    """A name without the apostrophe that keeps spreadsheets from running it."""
    return name[1:] if csv_text(name[1:]) == name else name


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}. Give a text file.") from error
