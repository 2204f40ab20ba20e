"""Scored answers as the columns that estimates are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.scores.scored_answer import ScoredAnswer
from snellen.vision.arrays import Ints


def trial_table(answers: Iterable[ScoredAnswer]) -> JudgedTrials:
    """The answers as columns; people and scenes are numbered in alphabetical order."""
    rows = list(answers)
    return JudgedTrials(
        np.array([one.delta_v for one in rows], dtype=np.float64),
        np.array([one.right for one in rows], dtype=bool),
        np.array([one.chance for one in rows], dtype=np.float64),
        _numbered(rows, lambda one: one.participant),
        _numbered(rows, lambda one: one.scene),
    )


def _numbered(rows: list[ScoredAnswer], name: Callable[[ScoredAnswer], str]) -> Ints:
    names = {one: number for number, one in enumerate(sorted({name(row) for row in rows}))}
    return np.array([names[name(row)] for row in rows], dtype=np.int64)
