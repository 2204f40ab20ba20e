"""A verdict as rows of the journal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from snellen.contract.verdict import Verdict
from snellen.store.codec import prediction_to_text
from snellen.subjects.subject import Prediction

PREDICTIONS_A_UNIT = 2**20


class NumberedPredictions:
    """The distinct predictions of a verdict as JSON text, with their row numbers.

    Equal predictions share a row, whether or not they are the same object, so that rows do not
    depend on cache hits.
    """

    def __init__(self, unit: int, verdict: Verdict) -> None:
        self._texts: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        for case in verdict.cases:
            for prediction in (case.before, case.after):
                if prediction is not None and id(prediction) not in self._texts:
                    text = prediction_to_text(prediction)
                    self._texts[id(prediction)] = text
                    first = unit * PREDICTIONS_A_UNIT
                    self._numbers.setdefault(text, first + len(self._numbers))

    def number(self, prediction: Prediction) -> int:
        """The number of a prediction's row."""
        return self._numbers[self._texts[id(prediction)]]

    def rows(self) -> list[tuple[int, str]]:
        """Rows of the table `predictions`."""
        return [(number, text) for text, number in self._numbers.items()]


def case_id(unit_id: str, number: int, digest: str) -> str:
    """A case's id: the same in every run of the same configuration, and short enough to type."""
    text = f"{unit_id}\0{number}\0{digest}"
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def case_rows(
    unit: int, unit_id: str, verdict: Verdict, numbered: NumberedPredictions
) -> Iterator[tuple[Any, ...]]:
    """Rows of the table `cases`."""
    for number, case in enumerate(verdict.cases):
        yield (
            unit,
            number,
            case_id(unit_id, number, case.recipe.digest),
            case.role,
            str(case.status),
            json.dumps(case.recipe.to_json(), sort_keys=True),
            None if case.before is None else numbered.number(case.before),
            numbered.number(case.after),
            json.dumps(dict(case.measurements), sort_keys=True),
            case.parent,
        )


def event_rows(unit: int, verdict: Verdict, classes: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Rows of the table `events`."""
    for number, case in enumerate(verdict.cases):
        for place, event in enumerate(case.events):
            box = (None,) * 4 if event.box is None else tuple(_rounded(x, 2) for x in event.box)
            yield (
                unit,
                number,
                place,
                str(event.kind),
                str(event.severity),
                int(event.label),
                classes[event.label],
                event.new_label,
                None if event.new_label is None else classes[event.new_label],
                _rounded(event.margin, 4),
                _rounded(event.iou, 4),
                _rounded(event.score_before, 4),
                _rounded(event.score_after, 4),
                event.before,
                event.after,
                *box,
                solid_text(event.solid),
                event.truth,
            )


def solid_text(box: tuple[float, ...] | None) -> str | None:
    """A 3D box as JSON; None without one."""
    return None if box is None else json.dumps([round(float(value), 3) for value in box])


def _rounded(value: float | None, decimals: int) -> float | None:
    return None if value is None else round(float(value), decimals)
