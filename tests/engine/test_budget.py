"""A budget is divided beforehand, enforced exactly, and ends a unit with what it has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.contract.questions import BudgetSpentError, Questions
from snellen.engine.budget import Budget, allowances, within
from tests.engine.scripted_method import UNIT, Scripted, drive, loses_circle


@given(st.integers(1, 40), st.integers(1, 400), st.integers(1, 9))
def test_shares_add_up_to_the_budget_and_none_is_below_the_minimum(
    units: int, questions: int, minimum: int
) -> None:
    shares = allowances(units, questions, minimum)
    given_out = [share for share in shares if share]
    assert all(share >= minimum for share in given_out)
    if given_out:
        assert sum(given_out) == questions
        assert max(given_out) - min(given_out) <= 1
    assert len(given_out) == min(units, questions // minimum)


@pytest.mark.parametrize("allowance", range(2, 12))
def test_a_unit_asks_exactly_its_allowance_and_not_one_question_more(allowance: int) -> None:
    run = drive(Scripted(count=3, search=True), loses_circle, allowance=allowance)
    assert len(run.asked) == allowance
    assert len(run.verdict.cases) == allowance - 1, "the scene takes one question"


def test_where_the_budget_ends_the_first_questions_of_a_step_are_answered() -> None:
    run = drive(Scripted(count=8), loses_circle, allowance=4)
    assert run.numbers == [0, 1, 2]
    assert len(run.verdict.cases) == 3


def test_a_method_that_ignores_the_end_of_its_budget_has_no_verdict() -> None:
    def careless() -> Questions:
        while True:
            yield list(Scripted().examine(UNIT, np.random.default_rng(1)).__next__())

    work = within(careless(), Budget(2))
    next(work)
    work.send([])
    with pytest.raises(BudgetSpentError):
        work.send([])


def test_without_a_budget_everything_is_asked() -> None:
    assert len(drive(Scripted(count=50), loses_circle).asked) == 51
