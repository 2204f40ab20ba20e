"""The loss of average precision: the area under the composed curve before minus after."""

from __future__ import annotations

import math

import numpy as np

from snellen.methods.requirements.checks.metric_loss import Loss, reason
from snellen.methods.requirements.curves.curve_rows import CurveRows, swapped
from snellen.methods.requirements.specification.margin import Margin
from snellen.statistics.bootstrap import percentile_interval
from snellen.statistics.margin_test import LEVEL
from snellen.statistics.non_inferiority import LossStatus, loss_status
from snellen.vision.arrays import F64
from snellen.vision.compilation import read_only

NAME = "average precision"
PERMUTATIONS = 199


def area_loss(
    rows: CurveRows,
    end: int,
    weights: F64,
    margin: Margin,
    rng: np.random.Generator,
    alpha: float = LEVEL,
    permutations: int = PERMUTATIONS,
) -> Loss:
    """The loss of average precision of the first `end` subtasks together.

    weights: (replicates, scenes). Draws reweight scenes; nothing is matched again. alpha: each end
    of the interval is a one-sided bound at this level.
    """
    own = np.concatenate([np.ones((1, rows.scenes)), weights])
    before, after = (areas(rows.arm(after), end, own) for after in (False, True))
    swaps = rng.integers(0, 2, (permutations, rows.scenes)).astype(np.float64)
    null = np.subtract(*(areas(rows, end, one) for one in swapped(swaps)))
    values = np.round(before - after, 12) + 0.0  # no -0.0
    interval = percentile_interval(float(values[0]), values[1:], 1 - 2 * alpha)
    counted, scenes = _size(rows)
    why = reason("recall", counted, scenes, float(before[0]), margin.value)
    return Loss(
        NAME,
        float(before[0]),
        float(after[0]),
        interval,
        _p_value(float(values[0]), null),
        counted,
        scenes,
        LossStatus.UNDECIDED
        if why or interval.low == interval.high
        else loss_status(interval, margin.value),
        why,
    )


def areas(rows: CurveRows, end: int, weights: F64) -> F64:
    """(R,) average precision under each row of weights, (R, units).

    The cases of a unit share its weight.
    """
    from snellen.methods.requirements.curves import curve_kernels

    right, of_label, found, _ = (read_only(flag) for flag in rows.flags(0, end).T)
    shared = weights * rows.share
    objects = shared @ rows.objects
    return curve_kernels.areas(rows.unit, of_label, right, found, rows.last, shared, objects)


def _size(rows: CurveRows) -> tuple[float, int]:
    objects = (rows.objects * rows.share).reshape(2, -1)
    return float(objects.sum(axis=1).min()), int(np.count_nonzero(objects, axis=1).min())


def _p_value(value: float, null: F64) -> float:
    finite = null[~np.isnan(null)]
    if math.isnan(value):
        return math.nan
    return float((np.count_nonzero(finite >= value - 1e-9) + 1) / (len(finite) + 1))
