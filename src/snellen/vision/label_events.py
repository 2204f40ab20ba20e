"""Events of label vectors: a label is missing, extra, or replaced by another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F32, F64, Bools
from snellen.vision.events import HYSTERESIS, Event, EventKind, graded_margin
from snellen.vision.label_vector import LabelVector


def compare_labels(
    before: LabelVector,
    after: LabelVector,
    *,
    score: float | F32,
    hysteresis: float = HYSTERESIS,
) -> tuple[Event, ...]:
    """The events between two answers about one scene; margin: by how much the score changed.

    score: one threshold for all classes, or one per class. A missing label and an extra one make
    one `mismatch`, the largest margins paired first; the others are `missing` or `extra`.

    >>> events = compare_labels(LabelVector([0.9, 0.1]), LabelVector([0.2, 0.8]), score=0.5)
    >>> [(event.kind.value, event.label, event.new_label, event.margin) for event in events]
    [('mismatch', 0, 1, 0.7)]
    """
    if len(before) != len(after):
        raise ValueError(
            f"the label vectors have {len(before)} and {len(after)} classes; they must be the same"
        )
    old, new = before.scores.astype(np.float64), after.scores.astype(np.float64)
    return _events(
        before.present(score), after.present(score), old, new, np.abs(old - new), hysteresis
    )


def judge_labels(
    truth: npt.ArrayLike,
    answer: LabelVector,
    *,
    score: float | F32,
    hysteresis: float = HYSTERESIS,
) -> tuple[Event, ...]:
    """The errors of an answer against the truth; margin: how far beyond the threshold.

    truth: (C,) bool, which labels are in the scene.

    >>> [event.kind.value for event in judge_labels([True, True], LabelVector([1, 0]), score=0.5)]
    ['missing']
    """
    known = np.asarray(truth, dtype=bool)
    if len(known) != len(answer):
        raise ValueError(f"the truth has {len(known)} classes, the answer {len(answer)}")
    said = answer.scores.astype(np.float64)
    beyond = np.abs(said - np.asarray(score, dtype=np.float32).astype(np.float64))
    return _events(known, answer.present(score), known.astype(float), said, beyond, hysteresis)


def _events(
    old: Bools, new: Bools, before: F64, after: F64, margins: F64, hysteresis: float
) -> tuple[Event, ...]:
    missing = _by_margin(old & ~new, margins)
    extra = _by_margin(new & ~old, margins)
    pairs = list(zip(missing, extra, strict=False))
    events = [
        Event(
            EventKind.MISMATCH,
            gone,
            None,
            None,
            *graded_margin(min(margins[gone], margins[come]), hysteresis),
            score_before=float(before[gone]),
            score_after=float(after[come]),
            new_label=come,
        )
        for gone, come in pairs
    ]
    alone = [(EventKind.MISSING, one) for one in missing[len(pairs) :]]
    alone += [(EventKind.EXTRA, one) for one in extra[len(pairs) :]]
    events += [
        Event(
            kind,
            one,
            None,
            None,
            *graded_margin(margins[one], hysteresis),
            score_before=float(before[one]),
            score_after=float(after[one]),
        )
        for kind, one in alone
    ]
    return tuple(events)


def _by_margin(chosen: Bools, margins: F64) -> list[int]:
    places = np.flatnonzero(chosen)
    return [int(one) for one in places[np.argsort(-margins[places], kind="stable")]]
