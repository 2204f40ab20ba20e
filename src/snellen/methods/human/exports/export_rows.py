"""Answers in the rows of Mechanical Turk's exports, without anything about who gave them.

Only the columns named here are read: worker, HIT and assignment ids, dates and rewards never leave
the file. A text that is quoted in a message is cleared of whatever looks like such an id.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from snellen.disk.json_text import checked_json
from snellen.errors import UserError
from snellen.methods.human.answers.csv_table import CsvRow, CsvTable

TASKS = "Answer.taskAnswers"
MASK_COLUMNS = (
    "Input.image_url",
    "Input.class",
    "Input.bbox",
    "Answer.annotatedResult.labeledImage.pngImageData",
)
SANITY = "Sanity"
"""Part of the address of an image that checks the person, not the change."""
_BOX = "Input.bbox"
_ID = re.compile(r"\b[A-Z0-9]{10,}\b")

Corners = tuple[float, float, float, float]


@dataclass(frozen=True)
class LabelledBox:
    """One person's label of a box (x1, y1, x2, y2) in a shown image."""

    image: str
    box: Corners
    label: str


@dataclass(frozen=True)
class ShownImage:
    """One image as one person saw it, with the boxes (x1, y1, x2, y2) that they drew, in pixels."""

    image: str
    boxes: tuple[Corners, ...]


@dataclass(frozen=True)
class DrawnMask:
    """The mask that a person drew in a box: a PNG in base64, with the row it stands in."""

    image: str
    box: Corners
    label: str
    png: str
    row: CsvRow


def read_labels(table: CsvTable) -> list[LabelledBox]:
    """Every label given to a box: the experiment on classes (`500_C|L.csv`)."""
    boxes = [
        name for name in table.columns if re.fullmatch(rf"{re.escape(_BOX)}[0-9]{{1,6}}", name)
    ]
    boxes.sort(key=lambda name: int(name.removeprefix(_BOX)))
    found = []
    for row in table.rows((TASKS, *boxes)):
        asked = list(_asked(row, "class"))
        if len(asked) > len(boxes):
            raise _mistake(
                row, TASKS, f"has {len(asked)} images", f"at most {len(boxes)} have boxes"
            )
        for (image, label), column in zip(asked, boxes, strict=False):
            [box] = _corners(row, column, _json(row, column, row.text(column)), 1)
            found.append(LabelledBox(image, box, label))
    return found


def read_views(table: CsvTable) -> list[ShownImage]:
    """Every shown image with the boxes drawn in it: the experiment on places (`500_L.csv`)."""
    found = []
    for row in table.rows((TASKS,)):
        answers = _answers(row)
        for number, image in _shown(answers):
            key = f"bbox-{number}"
            drawn = answers.get(key, "[]")
            while isinstance(drawn, str):
                drawn = _json(row, f"{TASKS}: {key}", drawn)
            scale = _scale(row, answers, number)
            boxes = _corners(row, f"{TASKS}: {key}", drawn)
            found.append(ShownImage(image, tuple(_divided(box, scale) for box in boxes)))
    return found


def read_masks(table: CsvTable) -> list[DrawnMask]:
    """Every mask: the experiment on segmentation (`500_S.csv`)."""
    url, label, box, png = MASK_COLUMNS
    found = []
    for row in table.rows(MASK_COLUMNS):
        corners = _json(row, box, row.text(box))
        if not _numbers(corners):
            raise _mistake(row, box, _found(row.values[box]), "expected [x1, y1, x2, y2]")
        image = row.text(url).rsplit("/", 1)[-1].rsplit("-", 1)[-1]
        found.append(DrawnMask(image, tuple(corners), row.text(label), row.text(png), row))
    return found


def mask_mistake(mask: DrawnMask, why: str) -> UserError:
    """The error of a mask that cannot be decoded."""
    return _mistake(mask.row, MASK_COLUMNS[3], why, "expected a PNG image in base64")


def _asked(row: CsvRow, what: str) -> Iterator[tuple[str, str]]:
    answers = _answers(row)
    for number, image in _shown(answers):
        key = f"{what}-{number}"
        value = answers.get(key)
        if not isinstance(value, str) or not value:
            raise _mistake(row, f"{TASKS}: {key}", "is missing", "expected the label of the box")
        yield image, value


def _shown(answers: dict[str, Any]) -> list[tuple[int, str]]:
    """The number and name of each shown image, without those that check the person."""
    keys = [f"url-{number}" for number in sorted(_numbers_of("url", answers))]
    links = [(int(key[4:]), str(answers[key])) for key in keys]
    return [(number, link.rsplit("/", 1)[-1]) for number, link in links if SANITY not in link]


def _numbers_of(what: str, answers: dict[str, Any]) -> set[int]:
    """The numbers of answers `what-0`, `what-1`, ..., written without leading zeros."""
    found = re.compile(rf"{what}-(0|[1-9][0-9]{{0,5}})")
    return {int(match[1]) for match in map(found.fullmatch, answers) if match}


def _answers(row: CsvRow) -> dict[str, Any]:
    found = _json(row, TASKS, row.text(TASKS))
    if not isinstance(found, list) or len(found) != 1 or not isinstance(found[0], dict):
        raise _mistake(row, TASKS, "is other JSON", "expected a list with one object of answers")
    if not any(key.startswith("url-") for key in found[0]):
        raise _mistake(row, TASKS, "has no key url-0", "expected the address of each shown image")
    return found[0]


def _json(row: CsvRow, column: str, text: str) -> Any:
    try:
        return checked_json(text)
    except ValueError as error:
        place = str(error)
        if isinstance(error, json.JSONDecodeError):
            place = f"{error.msg} at character {error.pos}"
        raise _mistake(row, column, _found(text), f"expected JSON ({place})") from None


def _corners(row: CsvRow, column: str, boxes: Any, count: int | None = None) -> list[Corners]:
    """The corners of boxes given as [x, y, width, height]."""
    good = isinstance(boxes, list) and all(_numbers(box) for box in boxes)
    if not good or count not in (None, len(boxes)):
        expected = "boxes [[x, y, width, height], ...]" if count is None else "one such box"
        raise _mistake(row, column, _found(json.dumps(boxes)), f"expected {expected}")
    return [(x, y, x + width, y + height) for x, y, width, height in boxes]


def _scale(row: CsvRow, answers: dict[str, Any], number: int) -> float:
    key = f"scale-{number}"
    try:
        scale = float(answers.get(key, 1))
    except (TypeError, ValueError):
        scale = 0.0
    if not 1e-6 <= scale <= 1e6:
        raise _mistake(
            row, f"{TASKS}: {key}", _found(str(answers[key])), "expected a number from 1e-6 to 1e6"
        )
    return scale


def _divided(box: Corners, scale: float) -> Corners:
    x1, y1, x2, y2 = box
    return x1 / scale, y1 / scale, x2 / scale, y2 / scale


def _numbers(box: Any) -> bool:
    if not isinstance(box, list) or len(box) != 4:
        return False
    return all(type(one) in (int, float) and math.isfinite(one) for one in box)


def _found(text: str) -> str:
    """The start of a text as found, without anything that looks like an id."""
    short = text if len(text) <= 40 else f"{text[:40]}..."
    return f"is {_ID.sub('<id>', short)!r}"


def _mistake(row: CsvRow, column: str, found: str, expected: str) -> UserError:
    return row.mistake(column, found, expected)
