"""From the class ids that a network gives to the names and 0-based ids of the subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from snellen.errors import SubjectError, UserError
from snellen.subjects.model_file.coco_names import COCO_80, COCO_90, UNUSED
from snellen.vision.arrays import Ints

PRESETS = {"coco-80": COCO_80, "coco-91": COCO_90}
PLACEHOLDERS = {"", UNUSED, "n/a", "background", "__background__"}


@dataclass(frozen=True)
class Numbering:
    """How a network numbers its classes.

    first: the id of the first class. count: how many ids there are, or None if the outputs do not
    say.
    """

    count: int | None
    first: int = 0


@dataclass(frozen=True, eq=False)
class ClassTable:
    """The subject's class names, and which of them a network's id stands for.

    names: by 0-based id, without unused ones. first: the network's id of the first entry of
    `places`; places: (K,) the subject's id for each of the network's, -1 where it uses none.
    """

    names: tuple[str, ...]
    first: int
    places: Ints

    @classmethod
    def of(cls, names: Sequence[str], first: int, count: int | None = None) -> ClassTable:
        """A table of names as a label file lists them, the unused marked by a placeholder.

        A first line that is a placeholder stands for the background and has no id here, unless
        there are as many ids (`count`) as lines.

        >>> table = ClassTable.of(["???", "cat", "???", "dog"], first=0)
        >>> table.names, table.places.tolist()
        (('cat', 'dog'), [0, -1, 1])
        """
        background = bool(names) and _unused(names[0]) and count != len(names)
        listed = list(names[background:])
        used = np.array([not _unused(name) for name in listed], dtype=bool)
        places = np.where(used, np.cumsum(used) - 1, -1).astype(np.int64)
        kept = tuple(name for name in listed if not _unused(name))
        return cls(kept, first, places)

    def labels(self, ids: Ints) -> Ints:
        """The subject's id for each of the network's; -1 for the unused."""
        rows = ids - self.first
        if len(rows) and not (rows.min() >= 0 and rows.max() < len(self.places)):
            last = self.first + len(self.places) - 1
            raise SubjectError(
                f"the model gave class id {ids[np.argmax((rows < 0) | (rows >= len(self.places)))]}"
                f", but the names given are for ids {self.first} to {last}. "
                "Give all names in `classes`, or set `first_label`."
            )
        return self.places[rows]


def _unused(name: str) -> bool:
    return name.strip().lower() in PLACEHOLDERS


def read_class_names(classes: Sequence[str] | str, folder: Path) -> tuple[str, ...]:
    """The names that an option gives: a list, `coco-80`, `coco-91`, or a file with one a line."""
    if not isinstance(classes, str):
        return tuple(classes)
    if classes in PRESETS:
        return PRESETS[classes]
    path = folder / classes
    try:
        lines = path.read_text(encoding="utf-8").rstrip().splitlines()
    except (OSError, UnicodeDecodeError):
        raise UserError(
            f"{path}: no such text file. `classes` is a list of names, a file with one name a "
            f"line, or one of {', '.join(PRESETS)}."
        ) from None
    if not lines:
        raise UserError(f"{path}: no names in it; expected one class name a line")
    return tuple(line.strip() for line in lines)


def default_names(numbering: Numbering, where: str) -> tuple[str, ...]:
    """COCO's names where the number of ids is COCO's, else `class-0`, `class-1`..."""
    if numbering.count is None:
        raise UserError(
            f"{where}: neither the model's outputs nor its metadata say which classes it has. "
            f"Give `classes`: a list of names, a file with one name a line, or one of "
            f"{', '.join(PRESETS)}."
        )
    known = {(80, 0): COCO_80, (90, 1): COCO_90}.get((numbering.count, numbering.first))
    return known or tuple(f"class-{number}" for number in range(numbering.count))


def table_for(names: Sequence[str], numbering: Numbering, where: str) -> ClassTable:
    """The table of these names, checked against how many classes the network has."""
    table = ClassTable.of(names, numbering.first, numbering.count)
    if numbering.count not in (None, len(table.places)):
        raise UserError(
            f"{where}: classes: {len(table.places)} names, but the model has {numbering.count} "
            "classes. Give one name for each, in the model's order; '???' marks an unused one."
        )
    return table
