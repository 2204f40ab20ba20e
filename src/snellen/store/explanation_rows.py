"""The explanations of a verdict, and what its findings strike, as rows of the journal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from snellen.contract.verdict import Verdict
from snellen.store.verdict_rows import solid_text

Row: TypeAlias = tuple[Any, ...]


def explanation_tables(unit: int, verdict: Verdict) -> dict[str, list[Row]]:
    """Rows of the tables of what is struck and why, in the order they refer."""
    return {
        "struck": list(_struck(unit, verdict)),
        "explanations": list(_explanations(unit, verdict)),
        "causes": list(_causes(unit, verdict)),
        "rungs": list(_rungs(unit, verdict)),
    }


def _struck(unit: int, verdict: Verdict) -> Iterator[Row]:
    for number, things in verdict.struck.items():
        for place, one in enumerate(things):
            box = (None,) * 4 if one.box is None else tuple(round(float(x), 2) for x in one.box)
            solid = solid_text(one.solid)
            yield (unit, number, place, one.key, one.words, *box, solid, int(one.shared))


def _explanations(unit: int, verdict: Verdict) -> Iterator[Row]:
    numbers = {id(case): number for number, case in enumerate(verdict.cases)}
    for number, one in verdict.explanations.items():
        smallest = None if one.smallest is None else numbers[id(one.smallest)]
        yield unit, number, one.cause, int(one.proven), one.says, smallest


def _causes(unit: int, verdict: Verdict) -> Iterator[Row]:
    for number, causes in verdict.causes.items():
        for place, one in enumerate(causes):
            yield unit, number, place, one.cause, int(one.proven), one.says


def _rungs(unit: int, verdict: Verdict) -> Iterator[Row]:
    numbers = {id(case): number for number, case in enumerate(verdict.cases)}
    for number, one in verdict.explanations.items():
        for place, rung in enumerate(one.rungs):
            part = numbers[id(rung.case)]
            yield unit, number, place, rung.name, part, int(rung.persists)
