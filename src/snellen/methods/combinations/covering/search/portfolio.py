"""The methods to find an array, in order of cost, until the bound or the effort is reached."""

from __future__ import annotations

from snellen.methods.combinations.covering.bound import lower_bound
from snellen.methods.combinations.covering.members import stacked
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.search.absent_label_rows import complete_rows
from snellen.methods.combinations.covering.search.greedy_fill import fill_rows
from snellen.vision.arrays import Ints

STARTS = {"quick": 3, "normal": 8, "thorough": 16}
MANY_LABELS = 300


def best_rows(problem: Problem, given: Ints, seed: int, effort: str) -> Ints:
    """New rows that, with those given, form a complete array."""
    starts = 1 if len(problem.names) > MANY_LABELS else STARTS[effort]
    new = fill_rows(problem, given, seed, starts)
    whole = complete_rows(problem, stacked([given, new], problem.most))
    if effort == "quick" or len(given) or problem.forbidden or len(problem.demands) > 1:
        return whole[len(given) :]
    return _improve(problem, whole, seed, effort)


def _improve(problem: Problem, best: Ints, seed: int, effort: str) -> Ints:
    from snellen.methods.combinations.covering.search.array_candidates import candidates

    bound = lower_bound(problem)
    if len(best) <= bound:
        return best
    for found in candidates(problem, best, bound, seed, effort):
        more = fill_rows(problem, found, seed, STARTS[effort])
        whole = complete_rows(problem, stacked([found, more], problem.most))
        if len(whole) < len(best):
            best = whole
        if len(best) <= bound:
            break
    return best
