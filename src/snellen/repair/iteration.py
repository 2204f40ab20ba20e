"""Iterated repair: test, repair, test again, until the held-out failure rate no longer falls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from snellen.errors import UserError
from snellen.repair.arm_comparison import repaired_row
from snellen.repair.data_split.division import EVALUATE, WATCH
from snellen.repair.held_out_tests import HeldOutTests
from snellen.repair.options import ArmKind
from snellen.repair.repair_arms import Arm, arm_of
from snellen.repair.repair_outcome import Outcome, RepairedSubject
from snellen.repair.rounds import Round, Rounds
from snellen.repair.workspace import Candidate, FinishedRun, Workspace
from snellen.statistics.intervals import Interval

NOTE = "iterated"
"""Where the way, the number of rounds and why there are no more is kept."""


def iterate_repair(bench: Workspace, way: Arm, most: int) -> Outcome:
    """At most so many rounds, each from the subject of the round before.

    A round tests the latest subject on the repair scenes at new places, and trains it on the
    original scenes and the pictures of all rounds so far. The same held-out tests are put to every
    round's subject; see `still_falls` for when to stop.
    """
    held = HeldOutTests.of(bench, EVALUATE)
    watched = _watched(held)
    who, latest = bench.given, watched.before
    sets: list[Path] = []
    rounds: list[Round] = []
    subjects: list[Candidate] = []
    first: FinishedRun | None = None
    patience, stopped = bench.plan.options.iterate.patience, f"after {most} rounds, as asked"
    for number in range(1, most + 1):
        test = bench.tested(number, who)
        first = first or test
        why = _add_pictures(bench, number, way, test, sets)
        if why is not None:
            stopped = why
            break
        who = bench.trained(number, way, who, sets)
        after = watched.after(number, way, who)
        step = watched.evaluation(after, before=latest).failures.difference
        rounds.append(Round(number, test.cases, test.failing, step))
        subjects.append(who)
        latest = after
        if not still_falls([one.step for one in rounds], patience):
            stopped = "the held-out failure rate no longer falls"
            break
    assert first is not None
    told = Rounds(tuple(rounds), stopped, watched.use, patience)
    note = {"way": way.name, "rounds": len(rounds), "stopped": stopped, "patience": patience}
    bench.stages.note(NOTE, note)
    rows = _rows(held, way, subjects)
    chosen = rows[max(told.kept, 1) - 1].named.name
    return Outcome(bench, first, held.tests, tuple(rows), told, chosen)


def still_falls(steps: Sequence[Interval], patience: int = 1) -> bool:
    """Whether another round of test and repair is worth its while.

    steps: the change of the held-out failure rate in each round so far: the difference of an
    `Evaluation` of that round's subject against the one before it, both replays of the same run. A
    round falls if its whole interval is below zero; stop after `patience` rounds in a row that do
    not. The same held-out scenes decide each time, so keep others for the final figure.

    >>> down, flat = Interval(-0.1, -0.2, -0.05, "x"), Interval(-0.01, -0.05, 0.03, "x")
    >>> still_falls([]), still_falls([down]), still_falls([down, flat])
    (True, True, False)
    >>> still_falls([down, flat], patience=2)
    True
    """
    if patience < 1:
        raise ValueError(f"a patience of {patience}, expected 1 or more")
    last = list(steps)[-patience:]
    return len(last) < patience or any(step.high < 0 for step in last)


@dataclass(frozen=True, eq=False)
class EarlierRounds:
    """Rounds that were made before, as their subjects are now."""

    way: Arm
    rows: list[RepairedSubject]
    rounds: Rounds


def earlier_rounds(held: HeldOutTests) -> EarlierRounds | None:
    """The rounds of the last iterated repair, evaluated again; None if there was none."""
    bench = held.bench
    note = bench.stages.known(NOTE)
    if note is None:
        return None
    way, watched = arm_of(ArmKind(note["way"]), bench.plan), _watched(held)
    subjects = [bench.saved(number, way) for number in range(1, note["rounds"] + 1)]
    rounds: list[Round] = []
    latest = watched.before
    for number, who in enumerate(subjects, 1):
        after = watched.after(number, way, who)
        step = watched.evaluation(after, before=latest).failures.difference
        rounds.append(Round(number, **bench.test_facts(number), step=step))
        latest = after
    told = Rounds(tuple(rounds), note["stopped"], watched.use, note["patience"])
    return EarlierRounds(way, _rows(held, way, subjects), told)


def _watched(held: HeldOutTests) -> HeldOutTests:
    """The tests that decide when to stop: on scenes of their own, if there are any."""
    own = WATCH in held.bench.split.sets
    return HeldOutTests.of(held.bench, WATCH) if own else held


def _rows(held: HeldOutTests, way: Arm, subjects: list[Candidate]) -> list[RepairedSubject]:
    return [
        repaired_row(held, number, way, one, f"round {number}")
        for number, one in enumerate(subjects, 1)
    ]


def _add_pictures(
    bench: Workspace, number: int, way: Arm, test: FinishedRun, sets: list[Path]
) -> str | None:
    """Add the pictures of a round; the reason to stop, if a later round has none."""
    try:
        folder = bench.pictures(number, way, test)
    except UserError as error:
        if number == 1:
            raise
        return str(error)
    assert folder is not None
    sets.append(folder)
    return None
