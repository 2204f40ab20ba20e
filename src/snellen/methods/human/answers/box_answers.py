"""Boxes and labels that people gave, and the annotated objects.

A CSV file with one row for each label that people gave to a box, and one for each object that
nobody boxed:

| column | meaning |
| --- | --- |
| image | the name of the image, the same for every changed version of it |
| transformation | how it was changed; `original` if it was not |
| delta_v | its visual change, 0 to 1; less than 0 (a VIF above 1) counts as 0 |
| object | the object that the box is matched with, a name within the image; empty for none |
| truth | the object's label; empty if there is no object |
| answer | the label that people gave to the box; empty for an object that nobody boxed |
| confidence | the share of people who gave this label (optional) |
| segmented | 1 if the mask drawn in the box fits the object, else 0 (for segmentation) |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.answers.class_answers import ORIGINAL
from snellen.methods.human.answers.csv_table import CsvRow, CsvTable
from snellen.vision.arrays import F64, Bools, Ints, Texts

COLUMNS = ("image", "transformation", "delta_v", "object", "truth", "answer")
OPTIONAL = ("confidence", "segmented", "measure")


@dataclass(frozen=True, eq=False)
class BoxAnswers:
    """N rows of the file; who answered is not stored.

    image: (N,). object: (N,) a number for each object of each shown image, -1 for none. truth,
    answer: labels, "" for none. segmented: (N,) 1, 0, or NaN where no mask was asked for. measure:
    of visual change, "" if the file does not name it. thing: (N,) a number for each object, the
    same in all versions of its image, -1 for none. partial_masks: NaN in a box with the right label
    means that no mask was asked for, not that the file is incomplete.
    """

    path: Path
    sha256: str
    measure: str
    image: Ints
    transformation: Texts
    delta_v: F64
    object: Ints
    truth: Texts
    answer: Texts
    segmented: F64
    thing: Ints | None = None
    partial_masks: bool = False

    @property
    def images(self) -> int:
        """How many images there are."""
        return int(self.image.max()) + 1

    def transformations(self) -> list[str]:
        """The transformations of images, without `original`."""
        return sorted(set(self.transformation.tolist()) - {ORIGINAL})

    def of(self, transformation: str) -> BoxAnswers:
        """The rows of one transformation; images keep their numbers."""
        return self.rows(self.transformation == transformation)

    def rows(self, chosen: Bools) -> BoxAnswers:
        """Some of the rows."""
        names = ("image", "transformation", "delta_v", "object", "truth", "answer", "segmented")
        columns = {name: getattr(self, name)[chosen] for name in names}
        thing = None if self.thing is None else self.thing[chosen]
        return replace(self, **columns, thing=thing)


def judged_by_originals(data: BoxAnswers) -> BoxAnswers:
    """The same rows, with people's first label of an object in the original as its truth.

    Objects that nobody boxed in the original are none. Without originals nothing changes.
    """
    told = (data.transformation == ORIGINAL) & (data.answer != "") & (data.object >= 0)
    if data.thing is None or not told.any():
        return data
    things, first = np.unique(data.thing[told], return_index=True)
    place = np.minimum(np.searchsorted(things, data.thing), len(things) - 1)
    known = (things[place] == data.thing) & (data.object >= 0)
    keep = known | (data.answer != "")
    own = np.where(known, data.answer[told][first][place], "")
    found = replace(data, truth=own, object=np.where(known, data.object, -1))
    return found.rows(keep)


def read_box_answers(table: CsvTable) -> BoxAnswers:
    """The boxes and objects in a file."""
    rows = [_checked(row) for row in table.rows(COLUMNS, OPTIONAL)]
    if not rows:
        raise UserError(f"{table.path}: has no answers. Give one row per box: {','.join(COLUMNS)}")
    measures = {row.values["measure"] for row in rows} - {""}
    if len(measures) > 1:
        raise UserError(
            f"{table.path}: found measures {sorted(measures)}; expected one. Split the file."
        )
    delta_v = np.array([row.visual_change("delta_v") for row in rows])
    alone = np.array([not row.values["object"] for row in rows])
    objects = _numbers(rows, COLUMNS[:4])
    _check_truths(rows, objects)
    words = {name: np.array([row.values[name] for row in rows], np.str_) for name in COLUMNS}
    return BoxAnswers(
        table.path,
        table.sha256,
        next(iter(measures), ""),
        np.unique(words["image"], return_inverse=True)[1].astype(np.int64),
        words["transformation"],
        delta_v,
        np.where(alone, -1, objects),
        words["truth"],
        words["answer"],
        np.array([_mask(row) for row in rows]),
        np.where(alone, -1, _numbers(rows, ("image", "object"))),
    )


def _numbers(rows: list[CsvRow], columns: Sequence[str]) -> Ints:
    """(N,) the same number for rows with the same values in some columns."""
    keys = ["\0".join(row.values[name] for name in columns) for row in rows]
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)


def _check_truths(rows: list[CsvRow], objects: Ints) -> None:
    truths: dict[int, str] = {}
    for row, one in zip(rows, objects.tolist(), strict=True):
        truth = row.values["truth"]
        if truths.setdefault(one, truth) != truth:
            expected = f"another row calls the same object {truths[one]!r}"
            raise row.mistake("truth", f"is {truth!r}", expected)


def _checked(row: CsvRow) -> CsvRow:
    row.text("image")
    row.text("transformation")
    has = {name: bool(row.values[name]) for name in ("object", "truth", "answer")}
    if has["object"] != has["truth"]:
        empty = "truth" if has["object"] else "object"
        raise row.mistake(empty, "is empty", "object and truth go together")
    if not has["object"] and not has["answer"]:
        raise row.mistake("answer", "is empty", "a row needs an object, an answer, or both")
    if row.values["confidence"]:
        row.number("confidence", 0, 1)
    return row


def _mask(row: CsvRow) -> float:
    return float(row.whole("segmented", 0, 1)) if row.values["segmented"] else np.nan
