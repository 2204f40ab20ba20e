"""The confidence curve of any paired statistic, from its bootstrap replicates by scene."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.discordant_pairs import discordant_pairs
from snellen.statistics.scene_curves import no_data, paired_curve

METHOD = "percentile bootstrap by scene"


def replicate_curve(
    value: float, replicates: npt.ArrayLike, scenes: int, times: int = 1
) -> ConfidenceCurve:
    """The curve of a difference of two shares, such as of average precision.

    replicates: (replicates,), the difference under each row of `scene_weights`; NaN is left out.
    scenes: that it rests on. times: as if there were that many times these scenes. Beyond the
    farthest replicates the distance grows as that of a normal distribution. Limits are never
    closer than those of a paired difference of as many scenes that all agree: replicates of
    subjects that agree in every scene are all zero, which is no proof that they always agree.

    >>> round(replicate_curve(0.0, [0.0] * 100, 300).p(0.01, "upper"), 3)
    0.036
    """
    drawn = np.asarray(replicates, dtype=np.float64)
    drawn = np.sort(drawn[np.isfinite(drawn)])
    if math.isnan(value) or not drawn.size or not scenes:
        return no_data(-1.0, METHOD)
    none = np.zeros(scenes * times)
    agreed = paired_curve(discordant_pairs(none, none, none + 1))
    farthest = float(special.ndtri(1 / (drawn.size + 1)))

    def reach(score: float, sign: int) -> float:
        near = max(score, farthest)
        limit = float(np.quantile(drawn, special.ndtr(-sign * near)))
        stretch = score / near if near else 1.0
        return max(sign * (limit - value), 0.0) * stretch / math.sqrt(times)

    return ConfidenceCurve(
        value,
        lambda score: value - max(reach(score, -1), -agreed.lower(score)),
        lambda score: value + max(reach(score, 1), agreed.upper(score)),
        -1.0,
        1.0,
        METHOD,
    )
