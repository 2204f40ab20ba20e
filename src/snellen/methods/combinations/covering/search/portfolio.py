"""The methods to find an array, in order of cost, until the bound or the effort is reached."""

from __future__ import annotations

import numpy as np

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
    if effort == "quick":
        return whole[len(given) :]
    if len(given) or problem.forbidden or problem.implied or len(problem.demands) > 1:
        return _constrained(problem, given, whole, seed, effort)[len(given) :]
    return _improve(problem, whole, seed, effort)


def _constrained(problem: Problem, given: Ints, best: Ints, seed: int, effort: str) -> Ints:
    """The given rows and the fewest new ones: the best known ones, or repaired and annealed."""
    from snellen.methods.combinations.covering.search.constrained_rows import constrained_rows

    if len(best) <= lower_bound(problem):
        return best

    def free(whole: Problem) -> Ints:
        rows = fill_rows(whole, np.zeros((0, whole.most), np.int64), seed, STARTS[effort])
        return _improve(whole, rows, seed, effort, zeros=False)

    new = constrained_rows(problem, given, seed, effort, free)
    whole = complete_rows(problem, stacked([given, new], problem.most))
    return min(best, whole, key=len)


def _improve(problem: Problem, best: Ints, seed: int, effort: str, *, zeros: bool = True) -> Ints:
    """The best array, given one; zeros: complete with combinations that have absent labels."""
    from snellen.methods.combinations.covering.search.array_candidates import candidates

    bound = lower_bound(problem)
    if len(best) <= bound:
        return best
    for found in candidates(problem, best, bound, seed, effort, zeros=zeros):
        more = fill_rows(problem, found, seed, STARTS[effort])
        whole = stacked([found, more], problem.most)
        whole = complete_rows(problem, whole) if zeros else whole
        if len(whole) < len(best):
            best = whole
        if len(best) <= bound:
            break
    return best
