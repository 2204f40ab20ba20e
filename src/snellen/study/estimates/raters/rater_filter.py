"""Participants who did not look, found by their answers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from snellen.statistics.binomial import binomial_test
from snellen.study.estimates.raters.rater_report import RaterReport
from snellen.study.estimates.raters.rater_rule import RaterRule, RaterTest
from snellen.study.estimates.scores.scored_answer import ScoredAnswer, ScoredUnit
from snellen.study.estimates.scores.task_scores import ScoredStudy
from snellen.study.trial import StudyTask, TrialKind

LEAST_RUN_TRIALS = 10


def rated(study: ScoredStudy, rule: RaterRule | None = None) -> tuple[ScoredStudy, RaterReport]:
    """The study without inattentive participants, and who was left out for what."""
    report = rate(study, rule or RaterRule())
    kept = report.kept
    return study.of([one for one in study.answers if one.participant in kept]), report


def rate(study: ScoredStudy, rule: RaterRule) -> RaterReport:
    """The tests that each participant fails. A test without enough answers is passed."""
    answers: dict[str, list[ScoredAnswer]] = defaultdict(list)
    for one in study.answers:
        if one.kind in (TrialKind.TEST, TrialKind.SANITY):
            answers[one.participant].append(one)
    return RaterReport(
        rule, {name: tuple(_failed(rows, rule)) for name, rows in sorted(answers.items())}
    )


def _failed(answers: list[ScoredAnswer], rule: RaterRule) -> Iterator[RaterTest]:
    session = _Session(answers, rule)
    if session.fails_sanity():
        yield RaterTest.SANITY
    if session.is_fast():
        yield RaterTest.SPEED
    if session.guesses(session.easy, rule.chance_level, rule.chance_least):
        yield RaterTest.CHANCE
    elif any(session.guesses(one, rule.half_level, rule.half_least) for one in session.halves()):
        yield RaterTest.HALF
    if session.repeats():
        yield RaterTest.SAME


@dataclass(frozen=True)
class _Session:
    """One participant's scored answers, in any order."""

    answers: list[ScoredAnswer]
    rule: RaterRule

    @property
    def easy(self) -> list[ScoredAnswer]:
        """Choices about pictures that are hardly changed, or that check attention."""
        found = [one for one in self.answers if one.choice and 0 < one.chance < 1]
        return [
            one for one in found if one.kind is TrialKind.SANITY or one.delta_v <= self.rule.easy
        ]

    def halves(self) -> list[list[ScoredAnswer]]:
        """The easy answers of the first and of the second half of the session."""
        middle = np.median([one.place for one in self.answers])
        first = [one for one in self.easy if one.place <= middle]
        return [first, [one for one in self.easy if one.place > middle]]

    def fails_sanity(self) -> bool:
        """Whether too many sanity trials were answered wrong: less than half of the objects."""
        right: dict[str, list[bool]] = defaultdict(list)
        for one in self.answers:
            if one.kind is TrialKind.SANITY and one.unit is not ScoredUnit.BOX:
                right[one.trial].append(one.right)
        wrong = sum(2 * sum(parts) < len(parts) for parts in right.values())
        if not wrong:
            return False
        rule = self.rule
        chance = binomial_test(wrong, len(right), rule.sanity_error, "greater")
        return float(chance) < rule.sanity_level

    def is_fast(self) -> bool:
        """Whether too many answers came before anyone could have looked."""
        times = {one.trial: one.response_ms for one in self.answers}
        fast = sum(one < self.rule.fast_ms for one in times.values())
        return fast > self.rule.fast_share * len(times)

    def guesses(self, answers: Sequence[ScoredAnswer], level: float, least: int) -> bool:
        """Whether guessing would do as well on these answers."""
        if len(answers) < least:
            return False
        right = sum(one.right for one in answers)
        return guessed_as_well(right, [one.chance for one in answers]) >= level

    def repeats(self) -> bool:
        """Whether one choice comes more often in a row than the trials can explain."""
        return any(self._long_run(task) for task in (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX))

    def _long_run(self, task: StudyTask) -> bool:
        asked = sorted(
            (one for one in self.answers if one.task is task and one.choice),
            key=lambda one: one.place,
        )
        if len(asked) < LEAST_RUN_TRIALS:
            return False
        runs = [(key, len(list(group))) for key, group in groupby(one.choice for one in asked)]
        choice, length = max(runs, key=lambda one: one[1])
        # Where it is right; of several wrong choices it may not be, which is lenient.
        deserved = Counter(one.right == (one.choice == choice) for one in asked)[True] / len(asked)
        share = min(max(self.rule.same_share, deserved), 0.999)
        return math.log(len(asked)) + (length - 1) * math.log(share) < math.log(
            self.rule.same_level
        )


def guessed_as_well(right: int, chances: Sequence[float]) -> float:
    """The probability that guessing gives at least so many right answers.

    chances: of each answer to be right by guessing; with one chance this is the binomial test.

    >>> round(guessed_as_well(9, [0.5] * 10), 4)
    0.0107
    """
    counts = np.ones(1)
    for chance in chances:
        counts = np.convolve(counts, [1 - chance, chance])
    return float(counts[right:].sum())
