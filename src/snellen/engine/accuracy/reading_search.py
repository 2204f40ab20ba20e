"""The reading of a network that scores best on annotated scenes, if it is better beyond chance.

Readings compete on a few scenes, then the better ones on more, then the best on all. The winner is
tested against the given reading scene by scene. The error level is shared out over all readings
that were tried before anything is measured, most of it to the usual mistakes, so that choosing the
best of many does not make a difference out of chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.engine.accuracy.annotated_sample import AnnotatedSample
from snellen.engine.accuracy.measured_accuracy import (
    MISLABELLED,
    unlabelled_precision,
    widened,
)
from snellen.engine.accuracy.reading_answers import ReadingAnswers
from snellen.engine.accuracy.scene_precision import better_by_chance
from snellen.statistics.ap_bootstrap import precision_interval
from snellen.statistics.intervals import Interval
from snellen.subjects.model_file.model_subject import ModelSubject
from snellen.subjects.model_file.readings import (
    Reading,
    alternative_readings,
    nearer,
    usual_mistakes,
)
from snellen.terminal.progress import Counter
from snellen.vision.precision.average_precision import average_precision

FEWEST_SCENES = 10
LEVEL = 0.05
LEAST_GAIN = 0.02
"""AP that a suggestion must add; less is not worth a change, whatever its p-value."""
TIE = 0.005
"""AP that a part of a combination must add to stay in it; it must also be shown to matter."""
ROUNDS = ((6, 10), (16, 3))
"""(scenes, readings that stay), before all scenes."""


@dataclass(frozen=True)
class Suggestion:
    """A better reading: the options to set, its AP and the given reading's.

    p: of the test by scene that it is better, adjusted for all readings tried; at most `LEVEL`.
    """

    options: dict[str, Any]
    ap: Interval
    given: float
    p: float

    @property
    def gain(self) -> float:
        """The AP that it adds."""
        return self.ap.value - self.given


@dataclass(frozen=True)
class ReadingSearch:
    """What a search found. readings: how many were tried. suggestion: None if none is better."""

    readings: int
    suggestion: Suggestion | None


class Competition:
    """Readings compared by AP on the scenes of a sample; the first reading is the given one."""

    def __init__(self, subject: ModelSubject, answers: ReadingAnswers, scenes: int) -> None:
        self._answers = answers
        self.readings, self._usual = alternative_readings(subject), usual_mistakes(subject)
        self.given, self._scenes = self.readings[0], range(scenes)

    def scores(self, readings: Iterable[Reading], scenes: Sequence[int]) -> dict[Reading, float]:
        """The AP of each readable reading on these scenes."""
        asked = list(readings)
        self._answers.ask(asked, scenes)
        return {one: self._ap(one, scenes) for one in self._answers.readable(asked)}

    def _ap(self, reading: Reading, scenes: Sequence[int]) -> float:
        value = average_precision(self._answers.matched(reading, scenes)).value()
        return 0.0 if np.isnan(value) else value

    def winner(self, rng: np.random.Generator) -> Reading:
        """The reading with the highest AP, and as few differences to the given as that takes."""
        left, truths = list(self.readings), self._answers.truths(self._scenes)
        telling = [scene for scene in self._scenes if len(truths[scene])]
        for count, staying in ROUNDS:
            scores = self.scores(left, _spread(telling, count))
            left = sorted(scores, key=lambda one: (-scores[one], self._changes(one)))[:staying]
        scores = self.scores(dict.fromkeys([self.given, *self._usual, *left]), self._scenes)
        best = max(scores, key=lambda one: (scores[one], -self._changes(one)))
        return self._simplified(best, scores[best], rng)

    def _simplified(self, best: Reading, score: float, rng: np.random.Generator) -> Reading:
        """The reading after undoing, one by one, differences that are not shown to matter."""
        while best != self.given:
            changes = self._changes(best)
            known = [one for one in nearer(best, self.given) if one in self.readings]
            scores = self.scores(known, self._scenes)
            simpler = [
                one
                for one in scores
                if self._changes(one) < changes
                and (scores[one] >= score - TIE or not self._matters(best, one, rng))
            ]
            if not simpler:
                return best
            best = max(simpler, key=lambda one: scores[one])
        return best

    def _changes(self, reading: Reading) -> int:
        """How many options a reading changes; of equal readings the one with fewest is best."""
        return len(self._answers.options(reading))

    def _matters(self, best: Reading, simpler: Reading, rng: np.random.Generator) -> bool:
        """Whether the best reading is shown to be better than a simpler one.

        Against the given one it is not asked here: that is the comparison at the end.
        """
        if simpler == self.given:
            return True
        before, after = (self._answers.matched(one, self._scenes) for one in (simpler, best))
        return better_by_chance(before, after, rng) <= LEVEL

    def adjusted(self, reading: Reading, p: float) -> float:
        """A p-value, adjusted for the share of the level that this reading has."""
        others = len(self.readings) - 1 - len(self._usual)
        share = self._usual.get(reading) or (1 - sum(self._usual.values())) / others
        return min(1.0, p / share)

    def explains(self, other: Reading) -> bool:
        """Whether the other reading finds more objects, or gets the labels of most right.

        Otherwise the labels themselves are wrong, and another reading turns some right by accident.
        """
        before, after = (self._unlabelled(one) for one in (self.given, other))
        labelled = self._ap(other, self._scenes)
        return after - before >= LEAST_GAIN or labelled >= MISLABELLED * after

    def _unlabelled(self, reading: Reading) -> float:
        found = self._answers.detections(reading, self._scenes)
        return unlabelled_precision(found, self._answers.truths(self._scenes))

    def comparison(self, other: Reading, rng: np.random.Generator) -> Suggestion:
        """The other reading against the given one, on all scenes."""
        before = self._answers.matched(self.given, self._scenes)
        after = self._answers.matched(other, self._scenes)
        ap = widened(precision_interval(after, rng), len(self._scenes))
        given = average_precision(before).value()
        p = self.adjusted(other, better_by_chance(before, after, rng))
        return Suggestion(self._answers.options(other), ap, given, p)


def _spread(scenes: Sequence[int], count: int) -> list[int]:
    places = np.linspace(0, len(scenes) - 1, min(count, len(scenes))).round().astype(int)
    return [scenes[place] for place in places]


def search_readings(
    subject: ModelSubject, sample: AnnotatedSample, rng: np.random.Generator, progress: Counter
) -> ReadingSearch:
    """The best reading of a subject on a sample of at least `FEWEST_SCENES` scenes."""
    answers = ReadingAnswers(subject, sample, progress)
    competition = Competition(subject, answers, len(sample))
    tried, best = len(competition.readings), competition.winner(rng)
    if best == competition.given:
        return ReadingSearch(tried, None)
    found = competition.comparison(best, rng)
    better = found.p <= LEVEL and found.gain >= LEAST_GAIN and competition.explains(best)
    return ReadingSearch(tried, found if better else None)
