"""A unit from its first question to its final verdict: examined, confirmed and explained."""

from __future__ import annotations

from math import ceil

from numpy.random import Generator

from snellen.contract.method import Method, Unit
from snellen.contract.questions import Questions
from snellen.engine.budget import CONFIRMATION_SHARE, EXPLANATION_SHARE, Budget, within
from snellen.engine.confirmation import confirmed
from snellen.engine.explanation import explained


def examination(
    method: Method, unit: Unit, rng: Generator, *, allowance: int | None, steady: bool
) -> Questions:
    """A generator that asks at most `allowance` questions about a unit, and returns its verdict.

    steady: whether the subject is known to be deterministic; the failures of any other are
    confirmed. Confirmation and explanation have a reserved share of the budget, and get what the
    earlier steps leave over.
    """
    confirms = not steady and method.confirmations > 0
    budget = Budget(allowance)
    budget.reserve(CONFIRMATION_SHARE * confirms + EXPLANATION_SHARE * method.explains)
    verdict = yield from within(method.examine(unit, rng), budget)
    cases = list(verdict.cases)
    if confirms:
        budget.reserve(EXPLANATION_SHARE * method.explains)
        cases = yield from within(confirmed(method, unit, cases, budget.left), budget)
    if not method.explains:
        return verdict.concluded(cases)
    budget.reserve(0.0)
    explanations = yield from within(explained(method, unit, cases, rng), budget)
    return verdict.concluded(cases, explanations)


def least_allowance(method: Method, *, steady: bool) -> int:
    """The fewest questions that a unit takes, including confirmation and explanation."""
    reserved = CONFIRMATION_SHARE * (not steady and method.confirmations > 0)
    return ceil(method.minimum / (1 - reserved - EXPLANATION_SHARE * method.explains))
