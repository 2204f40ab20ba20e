"""Options of a planted classifier's correlations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pydantic import Field

from snellen.configuration import Options
from snellen.errors import UserError, nearest
from snellen.subjects.planted.correlations import Correlation, Habit
from snellen.subjects.subject import Task

Pair: TypeAlias = tuple[str, str]
FAULT = "correlates"


class CorrelationOptions(Options):
    """Pairs of class names for the fault `correlates`."""

    extra: tuple[Pair, ...] = Field(
        default=(), description="correlates: [a, b] adds b wherever a is present"
    )
    missing: tuple[Pair, ...] = Field(
        default=(), description="correlates: [c, d] misses c where d is present"
    )
    mismatch: tuple[Pair, ...] = Field(
        default=(), description="correlates: [e, f] reports f in place of e"
    )
    with_others: bool = Field(
        default=False, description="correlates: only if another label is present"
    )

    def pairs(self) -> dict[Habit, tuple[Pair, ...]]:
        """The pairs by habit, without habits that have none."""
        given = {habit: getattr(self, habit.value) for habit in Habit}
        return {habit: pairs for habit, pairs in given.items() if pairs}


def check_correlations(options: CorrelationOptions, fault: str, task: Task) -> None:
    """Raise an error if the correlations do not fit the fault or the task of the subject."""
    given = [*(habit.value for habit in options.pairs()), *["with_others"][: options.with_others]]
    if fault != FAULT and given:
        raise UserError(
            f"subject.{given[0]}: found with the fault '{fault}', but it is an option of "
            f"'{FAULT}'. Set fault: {FAULT}, or remove it."
        )
    if fault == FAULT and task != Task.LABELS:
        raise UserError(
            f"subject.task: found '{task}' with the fault '{FAULT}', expected 'labels'. "
            "Set task: labels."
        )
    if fault == FAULT and not options.pairs():
        raise UserError(
            f"subject.fault: found '{FAULT}' without a pair of classes. Give at least one under "
            "extra, missing or mismatch, such as extra: [[tomato, lemon]]."
        )


def correlations_of(options: CorrelationOptions, classes: Sequence[str]) -> list[Correlation]:
    """The correlations of the options.

    >>> correlations_of(CorrelationOptions(extra=[("car", "road")]), ["road", "car"])
    [Correlation(habit=<Habit.EXTRA: 'extra'>, first=1, second=0)]
    """
    return [
        Correlation(habit, *_ids(f"subject.{habit.value}", pair, classes))
        for habit, pairs in options.pairs().items()
        for pair in pairs
    ]


def _ids(where: str, pair: Pair, classes: Sequence[str]) -> tuple[int, int]:
    first, second = pair
    for name in pair:
        if name not in classes:
            raise UserError(f"{where}: '{name}' is not a class{nearest(name, classes)}")
    if first == second:
        raise UserError(
            f"{where}: found '{first}' twice in a pair, expected two different classes. "
            "Replace one."
        )
    return classes.index(first), classes.index(second)
