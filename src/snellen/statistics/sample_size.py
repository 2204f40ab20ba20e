"""How many scenes a verdict takes: more, from the data at hand, or all of them in advance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, isnan
from typing import TypeAlias

import numpy as np
from scipy import special

from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.discordant_pairs import DiscordantPairs
from snellen.statistics.margin_test import LEVEL, margin_verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.statistics.pair_model import PairModel
from snellen.statistics.scene_counts import SceneCounts
from snellen.statistics.scene_curves import difference_curve, paired_curve, rate_curve

Evidence: TypeAlias = SceneCounts | DiscordantPairs | tuple[SceneCounts, SceneCounts]
"""Counts of a rate, of a paired difference, or of a difference of different cases."""

POWER = 0.8
MOST_TIMES = 1024
"""Times as many scenes as there are: what these would not decide counts as undecidable."""
MOST_SCENES = 16384
RUNS = 200


def scenes_to_decide(
    evidence: Evidence, null: float = 0.0, *, tail: float = 0.025, power: float = POWER
) -> int | None:
    """How many more scenes like these decide against `null`; 0 if decided, None if never.

    tail: the one-sided p-value that decides (0.025 for a 95% interval that excludes zero, the level
    of a verdict against a margin). The number suffices with the chance `power` if the observed
    value is the true one and new scenes are like the old ones.

    >>> from snellen.statistics.discordant_pairs import discordant_pairs
    >>> scenes_to_decide(discordant_pairs([1, 1, 1, 0, 0, 0, 0, 0], [0] * 8, [4] * 8))
    12
    """
    scenes = _scenes(evidence)
    return more_scenes(
        scenes, lambda times: curve_of(repeated(evidence, times)), null, tail=tail, power=power
    )


def more_scenes(
    scenes: int,
    curve_at: Callable[[int], ConfidenceCurve],
    null: float = 0.0,
    *,
    tail: float = 0.025,
    power: float = POWER,
) -> int | None:
    """As `scenes_to_decide`, of any evidence; curve_at: its curve with its scenes n times."""
    value = curve_at(1).value if scenes else null
    if value == null or isnan(value):
        return None
    wanted = float(-special.ndtri(tail)), float(special.ndtri(power))
    factor = _factor(lambda times: _score(curve_at(times), null), *wanted)
    return None if factor == inf else ceil(scenes * (factor - 1) - 1e-9)


@dataclass(frozen=True)
class Plan:
    """Scenes, and cases in them, that a verdict takes."""

    scenes: int
    cases: int


def planned_scenes(
    margin: float,
    cases_a_scene: float,
    rate: float,
    icc: float,
    pair_correlation: float,
    *,
    rng: np.random.Generator,
    loss: float = 0.0,
    level: float = LEVEL,
    power: float = POWER,
) -> Plan | None:
    """What gives the right verdict on a loss with the chance `power`; None if 16,384 scenes don't.

    Right is satisfied if the true loss is below the margin, else violated. The parameters are those
    of `PairModel`. Runs with ever more scenes are simulated and judged as a real one would be.
    """
    model = PairModel(cases_a_scene, rate, icc, pair_correlation, loss)
    wanted = LossStatus.SATISFIED if loss < margin else LossStatus.VIOLATED

    def lacking(scenes: int) -> float:
        found = (paired_curve(model.draw(scenes, rng)) for _ in range(RUNS))
        right = sum(margin_verdict(one, margin, level).status is wanted for one in found)
        return float(special.ndtri(power) - special.ndtri((right + 0.5) / (RUNS + 1)))

    scenes = None if loss == margin else _fewest(lacking)
    return None if scenes is None else Plan(scenes, round(scenes * cases_a_scene))


def _fewest(lacking: Callable[[int], float]) -> int | None:
    """The scenes at which nothing is lacking: doubled, then interpolated twice."""
    low, high = (4, inf), (8, lacking(8))
    while high[1] > 0:
        if high[0] >= MOST_SCENES:
            return None
        low, high = high, (2 * high[0], lacking(2 * high[0]))
    if low[1] == inf:
        return high[0]
    middle = round(_between(low[0], high[0], low[1], high[1]))
    if low[0] < middle < high[0]:
        found = middle, lacking(middle)
        low, high = (found, high) if found[1] > 0 else (low, found)
    return ceil(_between(low[0], high[0], low[1], high[1]))


def curve_of(evidence: Evidence) -> ConfidenceCurve:
    """The confidence curve of any evidence."""
    if isinstance(evidence, DiscordantPairs):
        return paired_curve(evidence)
    if isinstance(evidence, SceneCounts):
        return rate_curve(evidence)
    return difference_curve(*evidence)


def repeated(evidence: Evidence, times: int) -> Evidence:
    """The same scenes that many times."""
    if isinstance(evidence, tuple):
        return evidence[0].repeated(times), evidence[1].repeated(times)
    return evidence.repeated(times)


def _scenes(evidence: Evidence) -> int:
    if isinstance(evidence, tuple):
        return int(np.count_nonzero(evidence[0].cases + evidence[1].cases))
    return evidence.first.scenes if isinstance(evidence, DiscordantPairs) else evidence.scenes


def _score(curve: ConfidenceCurve, null: float) -> float:
    """How many standard errors the value is away from the null."""
    return float(-special.ndtri(curve.p(null, "upper" if null > curve.value else "lower")))


def _factor(score_of: Callable[[int], float], needed: float, sure: float) -> float:
    """How many times as many scenes give a large enough score; inf if MOST_TIMES do not.

    The scenes at hand stay, so only the new ones are uncertain: with g times as many scenes, by
    sqrt(1 - 1/g) of a standard error.
    """
    shortfall, times = needed - score_of(1), 1
    if shortfall < 0:
        return 1.0
    while times < MOST_TIMES:
        before, times = shortfall, times * 2
        shortfall = needed + sure * (1 - 1 / times) ** 0.5 - score_of(times)
        if shortfall <= 0:
            return _between(times // 2, times, before, shortfall)
    return inf


def _between(low: float, high: float, shortfall_low: float, shortfall_high: float) -> float:
    """Where the shortfall is 0, if it falls linearly in the square root."""
    share = shortfall_low / (shortfall_low - shortfall_high)
    return float((low**0.5 + share * (high**0.5 - low**0.5)) ** 2)
