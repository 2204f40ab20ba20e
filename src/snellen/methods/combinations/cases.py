"""The compositions of a run: labels, answer and explanation of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.contract.verdict import TEST
from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.pairs.pair_tests import PairTests, pair_tests
from snellen.methods.combinations.recorded_diagnosis import FailingPart, RecordedDiagnosis
from snellen.statistics import rate
from snellen.store.estimate import Estimate
from snellen.store.journal import Journal
from snellen.vision.arrays import F32, F64, Bools, Ints
from snellen.vision.label_pairs import PairCounts, pair_counts

KINDS = ("missing", "extra", "mismatch")
UNKNOWN = RecordedDiagnosis()
"""Of a composition without an explanation."""
Place = tuple[int, int]
"""A case: its unit and its number in it."""
Shown = tuple[str, int, int]
"""An error of a pair: the kind, the label that is present, the wrong label."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The N compositions of a run over n labels, in the order of the journal.

    classes: names of the labels. rows: (N,) the row of each. truth, said: (N, n) bool, the labels
    shown and output at the score threshold. failing: (N,) bool. causes: a `Cause` for each failing
    one, else "". blamed: for each, the errors that its smallest failing parts still show. parts:
    these parts, for each event one. scores: (N, n) of the answers. overlaps:
    (N,) the largest share of an object that covers others or is covered.
    """

    classes: tuple[str, ...]
    rows: Ints
    truth: Bools
    said: Bools
    failing: Bools
    causes: tuple[str, ...]
    blamed: tuple[frozenset[Shown], ...]
    parts: tuple[tuple[FailingPart, ...], ...] = ()
    scores: F32 | None = None
    overlaps: F64 | None = None

    @cached_property
    def counts(self) -> PairCounts:
        """What went wrong, pair by pair."""
        return pair_counts(self.truth, self.said)

    @cached_property
    def attributed(self) -> Mapping[str, Ints]:
        """By kind (n, n): compositions whose smallest failing part shows the kind on the pair.

        Row: the label that is present; column: the wrong label.
        """
        size = len(self.classes)
        found = {kind: np.zeros((size, size), np.int64) for kind in KINDS}
        for kind, first, second in (one for shown in self.blamed for one in shown):
            found[kind][first, second] += 1
        return found

    @cached_property
    def attributed_pairs(self) -> Mapping[str, Ints]:
        """As `attributed`; `missing` is symmetric, whichever of the two is wrong."""
        return self._by_pair(self.blamed)

    @cached_property
    def tests(self) -> PairTests:
        """Which pairs stand out.

        A failing composition counts for the pairs that its smallest failing parts show; one that
        is unexplained, for all pairs that are wrong in it.
        """
        return pair_tests(
            self._by_pair(map(self._suspected, range(len(self.failing)))), self.counts
        )

    def by_row(self, struck: Bools, among: Bools) -> Estimate:
        """The share of compositions that are struck among some, with rows as the units."""
        return share_by_unit(self.rows, struck, among)

    def _suspected(self, place: int) -> frozenset[Shown]:
        if not self.failing[place] or self.causes[place] != Cause.UNEXPLAINED:
            return self.blamed[place]
        return frozenset(shown_kinds(self.truth[place], self.said[place]))

    def _by_pair(self, errors: Iterable[frozenset[Shown]]) -> dict[str, Ints]:
        """By kind (n, n): compositions with the kind on the pair; `missing` is symmetric."""
        size = len(self.classes)
        found = {kind: np.zeros((size, size), np.int64) for kind in KINDS}
        for shown in errors:
            pairs = {
                (kind, *((min(a, b), max(a, b)) if kind == "missing" else (a, b)))
                for kind, a, b in shown
            }
            for kind, first, second in pairs:
                found[kind][first, second] += 1
        found["missing"] += found["missing"].T
        return found


def share_by_unit(units: Ints, struck: Bools, among: Bools) -> Estimate:
    """The share of images that are struck among some, clustered by unit; all (N,)."""
    length = int(units.max(initial=0)) + 1
    failing, cases = (np.bincount(units[one], minlength=length) for one in (struck & among, among))
    return Estimate.of(rate(failing[cases > 0], cases[cases > 0]))


def shown_kinds(truth: Bools, said: Bools) -> Iterable[Shown]:
    """The pair errors of one answer.

    truth, said: (n,) bool. The same rules as `snellen.vision.label_pairs.PairCounts`.

    >>> sorted(shown_kinds(np.array([True, True, False]), np.array([True, False, True])))
    [('extra', 0, 2), ('mismatch', 1, 2), ('missing', 0, 1)]
    """
    present, gone, come = (
        np.flatnonzero(flags).tolist() for flags in (truth, truth & ~said, said & ~truth)
    )
    for first in present:
        yield from (("missing", first, second) for second in gone if second != first)
        kind = "extra" if said[first] else "mismatch"
        yield from ((kind, first, second) for second in come)


def outcomes(journal: Journal) -> Outcomes | None:
    """The outcomes of a run; None for a run of another method."""
    if "array" not in (journal.get("facts") or {}):
        return None
    rows = journal.rows(
        "SELECT unit, number, before, after, status, "
        "coalesce(json_extract(measurements, '$.overlap'), 0) FROM cases WHERE role = ? "
        "ORDER BY unit, number",
        (TEST,),
    )
    tests = [(row[0], row[1]) for row in rows]
    notes = _notes(journal)
    answers = _Answers(journal, {(row[0], row[1]): row[2:4] for row in rows}, _minimal(notes))
    causes = [notes.get(one, UNKNOWN).cause for one in tests]
    both = [answers.of(one) for one in tests]
    size = (len(tests), len(answers.classes))
    failing = np.array([row[4] == "failing" for row in rows], dtype=bool)
    return Outcomes(
        classes=answers.classes,
        rows=np.array([row[0] for row in rows], dtype=np.int64),
        truth=np.array([one[0] for one in both], dtype=bool).reshape(size),
        said=np.array([one[1] for one in both], dtype=bool).reshape(size),
        failing=failing,
        causes=tuple(c if bad else "" for c, bad in zip(causes, failing.tolist(), strict=True)),
        blamed=tuple(answers.blamed(one, notes.get(one, UNKNOWN)) for one in tests),
        parts=tuple(notes.get(one, UNKNOWN).searched for one in tests),
        scores=np.array([answers.scores_of(one) for one in tests]).reshape(size),
        overlaps=np.array([row[5] for row in rows], dtype=np.float64),
    )


def _notes(journal: Journal) -> dict[Place, RecordedDiagnosis]:
    """The notes of each failing composition."""
    rows = journal.rows("SELECT number, notes FROM units WHERE status = 'done'")
    return {
        (unit, int(number)): RecordedDiagnosis.model_validate(diagnosis)
        for unit, notes in rows
        for number, diagnosis in (json.loads(notes).get("causes") or {}).items()
    }


def _minimal(notes: Mapping[Place, RecordedDiagnosis]) -> set[Place]:
    return {(test[0], one.case) for test, diagnosis in notes.items() for one in diagnosis.searched}


class _Answers:
    """Truth and answer of cases as flags, each prediction read once."""

    def __init__(
        self, journal: Journal, tests: Mapping[Place, tuple[int, int]], minimal: set[Place]
    ) -> None:
        traits = journal.get("subject")
        self.classes: tuple[str, ...] = tuple(traits["classes"])
        self._cases = dict(tests)
        rows = journal.rows("SELECT unit, number, before, after FROM cases WHERE role = 'part'")
        self._cases |= {row[:2]: row[2:] for row in rows if row[:2] in minimal}
        wanted = {number for both in self._cases.values() for number in both}
        found = [
            row for row in journal.rows("SELECT number, value FROM predictions") if row[0] in wanted
        ]
        self._rows = {number: place for place, (number, _) in enumerate(found)}
        read = json.loads(f"[{','.join(value for _, value in found)}]")
        scores = np.array([one["label_scores"] for one in read], dtype=np.float32)
        self._scores = scores
        self._said = scores >= np.float32(traits["score"])
        self._known = scores > 0.5

    def of(self, place: Place) -> tuple[Bools, Bools]:
        before, after = self._cases[place]
        return self._known[self._rows[before]], self._said[self._rows[after]]

    def scores_of(self, place: Place) -> F32:
        """The scores of the answer."""
        row: F32 = self._scores[self._rows[self._cases[place][1]]]
        return row

    def blamed(self, test: Place, diagnosis: RecordedDiagnosis) -> frozenset[Shown]:
        """The errors that the smallest failing parts of a composition show for their events."""
        return frozenset(
            shown
            for one in diagnosis.searched
            for shown in shown_kinds(*self.of((test[0], one.case)))
            if self._is_about(one, shown)
        )

    def _is_about(self, event: FailingPart, shown: Shown) -> bool:
        """Whether `shown` is the event; an extra label may stand for a missing one.

        Labels that others may replace in the part are not to blame, where that is known.
        A mismatch that takes company is credited to its trigger, with which the label is missed;
        the label output in its place is in nobody's company.
        """
        kind, first, second = shown
        present, wrong = self.classes[first], self.classes[second]
        if event.triggers and present not in event.triggers:
            return False
        if event.kind == "mismatch" and len(event.labels) > 1:
            return kind == "missing" and wrong == event.label
        if event.kind == "mismatch":
            return kind == "mismatch" and (present, wrong) == (event.label, event.new_label)
        return wrong == event.label and (kind == "missing") == (event.kind == "missing")
