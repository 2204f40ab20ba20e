"""Adaptive random sampling as published for LV-CIT, to compare with."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.methods.combinations.covering.dice import dice_of
from snellen.methods.combinations.covering.problem import Problem, Rows


def as_published(problem: Problem, seed: int) -> Rows:
    """Rows of the published algorithm: strength 2 and no constraints, as in the paper."""
    from snellen.methods.combinations.covering.published_kernels import dropped, sampled

    if problem.strength != 2 or problem.forbidden or len(problem.demands) > 1:
        raise UserError(
            "method: 'as-published' knows strength 2 without constraints only. "
            "Leave the method out to use Snellen's."
        )
    rows = sampled(len(problem.names), problem.most, dice_of(seed))
    order = np.lexsort((*rows.T[::-1], rows.sum(axis=1)))
    rows = rows[order]
    kept: Rows = rows[dropped(rows)].astype(bool)
    return kept
