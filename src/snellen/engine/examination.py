"""A unit from its first question to its final verdict: examined, confirmed and explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from numpy.random import Generator

from snellen.contract.method import Method, Unit
from snellen.contract.questions import Questions
from snellen.contract.verdict import BASELINE, CHECK, CONTROL, PART, Case, Status
from snellen.engine.budget import CONFIRMATION_SHARE, EXPLANATION_SHARE, Budget, within
from snellen.engine.confirmation import confirmed
from snellen.engine.explanation import explained
from snellen.engine.target_causes import FindingTargets


def examination(
    method: Method,
    unit: Unit,
    rng: Generator,
    *,
    allowance: int | None,
    steady: bool,
    classes: Sequence[str],
    explanation: float = EXPLANATION_SHARE,
) -> Questions:
    """A generator that asks at most `allowance` questions about a unit, and returns its verdict.

    steady: whether the subject is known to be deterministic; the failures of any other are
    confirmed. classes: the subject's. explanation: the share of the budget for explanations, 0 to
    explain nothing. Confirmation and explanation have a reserved share of the budget, and get what
    the earlier steps leave over.
    """
    confirms = not steady and method.confirmations > 0
    explains = method.explains and explanation > 0
    budget = Budget(allowance)
    budget.reserve(CONFIRMATION_SHARE * confirms + explanation * explains)
    verdict = yield from within(method.examine(unit, rng), budget)
    cases = list(verdict.cases)
    if confirms:
        budget.reserve(explanation * explains)
        cases = yield from within(confirmed(method, unit, cases, budget.left), budget)
    targets = FindingTargets.of(method, cases, found_in(cases), classes)
    if not explains:
        return replace(verdict.concluded(cases), struck=targets.struck)
    budget.reserve(0.0)
    asking = explained(method, unit, targets, rng, together=allowance is None)
    explanations = yield from within(asking, budget)
    final = verdict.concluded(cases, explanations)
    causes = {number: targets.causes(number, one) for number, one in explanations.items()}
    return replace(
        final, struck={**targets.struck, **final.struck}, causes={**causes, **final.causes}
    )


def found_in(cases: Sequence[Case]) -> list[int]:
    """The numbers of the findings among these cases; flaky and unconfirmed ones are left out."""
    return [
        number
        for number, case in enumerate(cases)
        if case.status == Status.FAILING
        and case.role not in (BASELINE, PART)
        and not case.role.startswith((CONTROL, CHECK))
    ]


def least_allowance(method: Method, *, steady: bool, explanation: float = EXPLANATION_SHARE) -> int:
    """The fewest questions that a unit takes, including confirmation and explanation.

    One failure can be confirmed, since a failure that is not says nothing.
    """
    again = 0 if steady else method.confirmations * (1 + (method.baseline is not None))
    reserved = CONFIRMATION_SHARE * (again > 0)
    explaining = explanation * method.explains
    shares = method.minimum / (1 - reserved - explaining)
    return ceil(max(shares, (method.minimum + again) / (1 - explaining)))
