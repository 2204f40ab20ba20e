"""The mapping from a network's class ids to the names and 0-based ids of the subject."""

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

    first: the id of the first class. count: the number of ids, or None if the outputs do not
    determine it.
    """

    count: int | None
    first: int = 0


@dataclass(frozen=True, eq=False)
class ClassTable:
    """The subject's class names, and the class of each network id.

    names: by 0-based id, without unused ones. first: the network id of the first entry of
    `places`; places: (K,) the subject's id for each network id, -1 for an unused one.
    """

    names: tuple[str, ...]
    first: int
    places: Ints

    @classmethod
    def of(cls, names: Sequence[str], first: int, count: int | None = None) -> ClassTable:
        """A table from the lines of a label file, with placeholders for unused ids.

        A placeholder in the first line is the background and has no id, unless there are as many
        ids (`count`) as lines.

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
        """The subject's id for each network id; -1 for an unused one."""
        rows = ids - self.first
        if len(rows) and not (rows.min() >= 0 and rows.max() < len(self.places)):
            last = self.first + len(self.places) - 1
            raise SubjectError(
                "the model returned class id "
                f"{ids[np.argmax((rows < 0) | (rows >= len(self.places)))]}, expected "
                f"{self.first} to {last}, for which there are names. "
                "Give all names in `classes`, or set `first_label`."
            )
        return self.places[rows]


def _unused(name: str) -> bool:
    return name.strip().lower() in PLACEHOLDERS


def read_class_names(classes: Sequence[str] | str, folder: Path) -> tuple[str, ...]:
    """The class names of an option: a list, `coco-80`, `coco-91`, or a file, one per line."""
    if not isinstance(classes, str):
        return tuple(classes)
    if classes in PRESETS:
        return PRESETS[classes]
    path = folder / classes
    try:
        lines = path.read_text(encoding="utf-8").rstrip().splitlines()
    except (OSError, UnicodeDecodeError):
        raise UserError(
            f"{path}: no such text file. Set `classes` to a list of names, a file with one name "
            f"per line, or one of {', '.join(PRESETS)}."
        ) from None
    if not lines:
        raise UserError(f"{path}: the file is empty, expected one class name per line")
    return tuple(line.strip() for line in lines)


def default_names(numbering: Numbering, where: str) -> tuple[str, ...]:
    """COCO's names if the number of ids matches, else `class-0`, `class-1`..."""
    if numbering.count is None:
        raise UserError(
            f"{where}: neither the model's outputs nor its metadata determine its classes. "
            f"Set `classes` to a list of names, a file with one name per line, or one of "
            f"{', '.join(PRESETS)}."
        )
    names = {(80, 0): COCO_80, (90, 1): COCO_90}.get((numbering.count, numbering.first))
    return names or tuple(f"class-{number}" for number in range(numbering.count))


def table_for(names: Sequence[str], numbering: Numbering, where: str) -> ClassTable:
    """The table of these names, checked against the network's number of classes."""
    table = ClassTable.of(names, numbering.first, numbering.count)
    if numbering.count not in (None, len(table.places)):
        raise UserError(
            f"{where}: classes: found {len(table.places)} names, but the model has "
            f"{numbering.count} classes. Give one name per class in the model's order; '???' marks "
            "an unused id."
        )
    return table
