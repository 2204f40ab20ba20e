"""Files of arrays and constraints: CSV with one column per label, and lines of label names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from snellen.disk.atomic_file import atomic_draft
from snellen.errors import UserError
from snellen.store.tables.table_formats import csv_text
from snellen.vision.arrays import Bools, Ints

SPARSE, NOTHING = ".sparse.csv", "(none)"
"""The end of the name of a file that lists the labels present, and what stands where there is none.
"""
PART = 4096
"""Rows written at once."""


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
    """The labels and the 0/1 rows of a file, in the order of `names` if given.

    A file ending in .sparse.csv lists all labels in its first line and those present in each other.
    """
    sparse = path.name.endswith(SPARSE)
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
    rows = _sparse_rows(path, lines[1:], head) if sparse else _dense_rows(path, lines[1:], head)
    return (head, rows) if names is None else (list(names), rows[:, [head.index(n) for n in names]])


def _sparse_rows(path: Path, lines: list[list[str]], head: list[str]) -> Bools:
    column = {name: at for at, name in enumerate(head)}
    rows = np.zeros((len(lines), len(head)), bool)
    for at, line in enumerate(lines):
        names = [_plain(name.strip()) for name in line]
        for name in names if names != [NOTHING] or NOTHING in column else []:
            if name not in column:
                raise UserError(
                    f"{path}: row {at + 1}: unknown label '{name}'. The first line must name all "
                    "labels."
                )
            rows[at, column[name]] = True
    return rows


def _dense_rows(path: Path, lines: list[list[str]], head: list[str]) -> Bools:
    rows = np.zeros((len(lines), len(head)), bool)
    for at, line in enumerate(lines):
        values = [value.strip() for value in line]
        if len(values) != len(head) or not set(values) <= {"0", "1"}:
            raise UserError(f"{path}: row {at + 1}: expected {len(head)} values, each 0 or 1.")
        rows[at] = np.array(values) == "1"
    return rows


def write_array(path: Path, names: Sequence[str], members: Ints) -> None:
    """Write rows, given as members, atomically and in parts; `read_array` reads them back.

    A path that ends in .sparse.csv gets the names of the labels present in each row, any other 0/1
    values.
    """
    with atomic_draft(path) as draft, draft.open("wb") as file:
        file.write(_lines([[csv_text(name) for name in names]]))
        for at in range(0, len(members), PART):
            part = members[at : at + PART]
            if path.name.endswith(SPARSE):
                file.write(_lines(_named(names, row) for row in part.tolist()))
            else:
                file.write(_values(part, len(names)))


def _lines(cells: Iterable[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(cells)
    return text.getvalue().encode()


def _named(names: Sequence[str], row: list[int]) -> list[str]:
    return [csv_text(names[label]) for label in row if label >= 0] or [NOTHING]


def _values(members: Ints, n: int) -> bytes:
    """Lines of 0 and 1 separated by commas."""
    text = np.full((len(members), 2 * n), ord("0"), np.uint8)
    text[:, 1::2] = ord(",")
    text[:, -1] = ord("\n")
    at, column = np.nonzero(members >= 0)
    text[at, 2 * members[at, column]] = ord("1")
    return text.tobytes()


def _plain(name: str) -> str:
    """A name without the apostrophe that keeps spreadsheets from running it."""
    return name[1:] if csv_text(name[1:]) == name else name


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}. Give a text file.") from error
