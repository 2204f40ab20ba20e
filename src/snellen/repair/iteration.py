"""Iterated repair: test, repair, test again, until the held-out failure rate stops falling."""

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
"""The stage file with the arm, the number of rounds and the reason for stopping."""


def iterate_repair(workspace: Workspace, arm: Arm, most: int) -> Outcome:
    """Repair in at most `most` rounds, each starting from the previous round's subject.

    A round tests the latest subject on the repair scenes at new places, then trains it on the
    original scenes and the pictures of all rounds so far. Every round's subject takes the same
    held-out tests; `still_falls` decides when to stop.
    """
    held = HeldOutTests.of(workspace, EVALUATE)
    watched = _watched(held)
    candidate, latest = workspace.baseline, watched.before
    sets: list[Path] = []
    rounds: list[Round] = []
    subjects: list[Candidate] = []
    first: FinishedRun | None = None
    patience, stopped = workspace.plan.options.iterate.patience, f"after {most} rounds, as asked"
    for number in range(1, most + 1):
        test = workspace.tested(number, candidate)
        first = first or test
        why = _add_pictures(workspace, number, arm, test, sets)
        if why is not None:
            stopped = why
            break
        candidate = workspace.trained(number, arm, candidate, sets)
        after = watched.after(number, arm, candidate)
        step = watched.evaluation(after, before=latest).failures.difference
        rounds.append(Round(number, test.cases, test.failing, step))
        subjects.append(candidate)
        latest = after
        if not still_falls([one.step for one in rounds], patience):
            stopped = "the held-out failure rate no longer falls"
            break
    assert first is not None
    history = Rounds(tuple(rounds), stopped, watched.use, patience)
    note = {"way": arm.name, "rounds": len(rounds), "stopped": stopped, "patience": patience}
    workspace.stages.note(NOTE, note)
    rows = _rows(held, arm, subjects)
    chosen = rows[max(history.last_improved, 1) - 1].named.name
    return Outcome(workspace, first, held.tests, tuple(rows), history, chosen)


def still_falls(steps: Sequence[Interval], patience: int = 1) -> bool:
    """Whether another round of test and repair is worthwhile.

    steps: the change of the held-out failure rate in each round so far, as the `difference` of an
    `Evaluation` of that round's subject against the previous one, both replays of the same run.
    The rate falls in a round if the whole interval is below zero; stop after `patience`
    consecutive rounds in which it does not. The same held-out scenes decide each time, so use
    others for the final figure.

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
    """The rounds of an earlier repair, with their subjects as currently saved."""

    arm: Arm
    rows: list[RepairedSubject]
    rounds: Rounds


def earlier_rounds(held: HeldOutTests) -> EarlierRounds | None:
    """The rounds of the last iterated repair, evaluated again; None if there was none."""
    workspace = held.workspace
    note = workspace.stages.recorded(NOTE)
    if note is None:
        return None
    arm, watched = arm_of(ArmKind(note["way"]), workspace.plan), _watched(held)
    subjects = [workspace.saved(number, arm) for number in range(1, note["rounds"] + 1)]
    rounds: list[Round] = []
    latest = watched.before
    for number, candidate in enumerate(subjects, 1):
        after = watched.after(number, arm, candidate)
        step = watched.evaluation(after, before=latest).failures.difference
        rounds.append(Round(number, **workspace.test_facts(number), step=step))
        latest = after
    history = Rounds(tuple(rounds), note["stopped"], watched.use, note["patience"])
    return EarlierRounds(arm, _rows(held, arm, subjects), history)


def _watched(held: HeldOutTests) -> HeldOutTests:
    """The tests that decide when to stop: on the `watch` scenes if there are any."""
    own = WATCH in held.workspace.split.sets
    return HeldOutTests.of(held.workspace, WATCH) if own else held


def _rows(held: HeldOutTests, arm: Arm, subjects: list[Candidate]) -> list[RepairedSubject]:
    return [
        repaired_row(held, number, arm, one, f"round {number}")
        for number, one in enumerate(subjects, 1)
    ]


def _add_pictures(
    workspace: Workspace, number: int, arm: Arm, test: FinishedRun, sets: list[Path]
) -> str | None:
    """Add the pictures of a round; returns the reason to stop if a later round has none."""
    try:
        folder = workspace.pictures(number, arm, test)
    except UserError as error:
        if number == 1:
            raise
        return str(error)
    assert folder is not None
    sets.append(folder)
    return None
