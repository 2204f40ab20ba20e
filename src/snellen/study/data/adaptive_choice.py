"""The samples that an adaptive study shows next, from what its answers say so far."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from numpy.random import Generator

from snellen.study.data.record_reader import read_record
from snellen.study.estimates.curve.curve_posterior import CurvePosterior
from snellen.study.estimates.placement import next_samples
from snellen.study.estimates.study_posteriors import study_posteriors
from snellen.study.record import StudySample

REFRESH_SECONDS = 20.0
"""Curves are fitted at most this often: one batch of answers changes them little."""


class AdaptiveChoice:
    """Chooses samples by the posteriors of the curves, which it keeps for a while."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: Mapping[str, Sequence[CurvePosterior]] = {}
        self._fitted = -REFRESH_SECONDS

    def __call__(self, samples: Sequence[StudySample], count: int, rng: Generator) -> list[str]:
        """The names of at most `count` samples."""
        if time.monotonic() - self._fitted >= REFRESH_SECONDS:
            record = read_record(self._folder)
            self._known = study_posteriors(record) if record.answers else {}
            self._fitted = time.monotonic()
        return next_samples(samples, self._known, count, rng)
