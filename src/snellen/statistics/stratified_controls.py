"""Cases compared with controls of which only a sample was asked, with known chances.

Each case has one possible control, at the same place: failing cases get theirs always or often, the
others rarely. Sampled controls stand for those that were not asked, so the control rate is that of
all cases. The difference is p10 - p01: cases that fail where their control does not, and the other
way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.statistics.confidence_curve import ConfidenceCurve, Side
from snellen.statistics.intervals import CONFIDENCE, Interval, Rate
from snellen.statistics.scene_counts import SceneCounts, scenes_worth
from snellen.statistics.scene_curves import both_sides, no_data, rate_curve, subtracted
from snellen.statistics.scene_model.scene_correlation import (
    mean_design_effect,
    own_log_likelihood,
    posterior,
    prior,
)
from snellen.statistics.scene_model.scene_scatter import (
    Scatter,
    scatter_of,
    variance_of_sum,
)
from snellen.vision.arrays import F64, Bools, Ints

METHOD = "clustered difference from sampled controls"


@dataclass(frozen=True)
class ControlledDifference:
    """The failing rate of the cases, that of their controls, and the first minus the second.

    controls: `cases` counts the controls that were asked, `failing` those that failed; the rate
    weights each by the cases it stands for.
    """

    cases: Rate
    controls: Rate
    difference: Interval


def controlled_difference(
    scenes: npt.ArrayLike,
    failing: npt.ArrayLike,
    chance: npt.ArrayLike,
    control_failing: npt.ArrayLike,
    *,
    confidence: float = CONFIDENCE,
    side: Side = "two-sided",
    null: float = 0.0,
) -> ControlledDifference:
    """Rates of cases and controls, and their difference; all arrays: (cases,).

    scenes: index of each case's scene. failing: whether it fails. chance: with which its control
    was to be asked, in (0, 1]. control_failing: the share of its control's patches that fail, NaN
    if it was not asked. Rate and difference are NaN if failing cases, or the others, occur but none
    of them has a control.
    """
    data = _checked(scenes, failing, chance, control_failing)
    failures = data.failing.astype(np.float64)
    own = SceneCounts(data.sums(failures), data.sums(np.ones_like(failures)))
    asked = np.isfinite(data.control)
    return ControlledDifference(
        _rate(rate_curve(own), confidence, failures),
        _rate(rate_curve(data.control_counts()), confidence, data.control[asked]),
        _curve(data, own).interval(confidence, side, null),
    )


def repeated_curve(
    scenes: npt.ArrayLike,
    failing: npt.ArrayLike,
    chance: npt.ArrayLike,
    control_failing: npt.ArrayLike,
    times: int = 1,
) -> ConfidenceCurve:
    """The confidence curve of the difference, with the same scenes that many times."""
    place = np.asarray(scenes, dtype=np.int64)
    step = int(place.max()) + 1 if len(place) else 0
    shifted = (place + step * np.arange(times)[:, None]).ravel()
    rest = (np.tile(np.asarray(one), times) for one in (failing, chance, control_failing))
    data = _checked(shifted, *rest)
    failures = data.failing.astype(np.float64)
    return _curve(data, SceneCounts(data.sums(failures), data.sums(np.ones_like(failures))))


@dataclass(frozen=True, eq=False)
class _Cases:
    """Checked cases, (cases,) each; weight: the cases of its kind that a control stands for."""

    scene: Ints
    failing: Bools
    control: F64
    weight: F64
    scenes: int

    @property
    def judgeable(self) -> bool:
        """Whether each kind of case that occurs has a control."""
        kinds = [self.failing == kind for kind in (True, False)]
        asked = self.weight > 0
        return bool(len(self.scene)) and all(
            (kind & asked).any() or not kind.any() for kind in kinds
        )

    def sums(self, values: F64) -> F64:
        """(scenes,) sums of the values of each scene's cases."""
        return np.asarray(np.bincount(self.scene, values, self.scenes), dtype=np.float64)

    def worth(self, chosen: Bools) -> float:
        """Equally weighted controls that tell as much as those of the chosen cases, over these."""
        weights = self.weight[chosen]
        return float(weights.sum() / np.sum(weights**2)) if weights.any() else 1.0

    def control_counts(self) -> SceneCounts:
        """Failing controls among all, weighted."""
        worth = self.worth(np.ones(len(self.scene), dtype=bool)) if self.judgeable else 0.0
        failing = self.sums(self.weight * np.nan_to_num(self.control))
        return SceneCounts(failing * worth, self.sums(self.weight) * worth)


def _checked(
    scenes: npt.ArrayLike, failing: npt.ArrayLike, chance: npt.ArrayLike, control: npt.ArrayLike
) -> _Cases:
    scene, fails = np.asarray(scenes, dtype=np.int64), np.asarray(failing, dtype=bool)
    chances, shares = np.asarray(chance, dtype=np.float64), np.asarray(control, dtype=np.float64)
    shapes = [one.shape for one in (scene, fails, chances, shares)]
    if scene.ndim != 1 or len(set(shapes)) > 1:
        raise ValueError(f"one value per case is needed; found shapes {shapes}")
    for name, values, wrong in (
        ("scenes", scene, scene < 0),
        ("chance", chances, ~((chances > 0) & (chances <= 1))),
        ("control_failing", shares, (shares < 0) | (shares > 1)),
    ):
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            raise ValueError(f"{name}: case {at} has {values[at]}, which is out of range")
    weight = np.where(np.isfinite(shares), 1 / chances, 0.0)
    for kind in (fails, ~fails):
        if weight[kind].any():
            weight[kind] *= kind.sum() / weight[kind].sum()
    return _Cases(scene, fails, shares, weight, int(scene.max()) + 1 if len(scene) else 0)


def _rate(curve: ConfidenceCurve, confidence: float, failing: F64) -> Rate:
    found = curve.interval(confidence)
    return Rate(
        found.value, found.low, found.high, found.method, confidence,
        failing=float(failing.sum()), cases=float(len(failing)),
    )  # fmt: skip


def _curve(data: _Cases, own: SceneCounts) -> ConfidenceCurve:
    """The curve of p10 - p01, the latter being a share of the cases that hold."""
    if not data.judgeable:
        return no_data(-1.0, METHOD)
    holds = ~data.failing
    first = _without_control(data, own)
    second = _weighted(data, holds, data.control, data.sums(data.weight * holds))
    if not second.total:  # every case fails
        second = SceneCounts(np.zeros(data.scenes), own.cases)
    likelihoods = [own_log_likelihood(one) for one in (first, second)]
    weights = prior()
    learned = posterior(likelihoods[0] + likelihoods[1], weights)
    scatter = _scatter(data, own, (first, second), learned)
    return subtracted(
        both_sides(first, first, likelihoods[1], scatter, weights),
        both_sides(second, second, likelihoods[0], scatter, weights),
        METHOD,
        1 - own.rate,
    )


def _without_control(data: _Cases, own: SceneCounts) -> SceneCounts:
    """Failing cases whose control holds, of all cases, worth what their controls tell.

    A failing case without a control counts as those of its scene, else as all failing ones.
    """
    weight = data.weight * data.failing
    asked, held = data.sums(weight), data.sums(weight * np.nan_to_num(1 - data.control))
    pooled = held.sum() / asked.sum() if asked.any() else 0.0
    share = np.divide(held, asked, out=np.full(data.scenes, pooled), where=asked > 0)
    worth = data.worth(data.failing)
    return SceneCounts(share * own.events * worth, own.cases * worth)


def _weighted(data: _Cases, chosen: Bools, shares: F64, cases: F64) -> SceneCounts:
    """Weighted shares of the chosen cases, as counts that are worth what their controls tell."""
    worth = data.worth(chosen)
    events = data.sums(data.weight * chosen * np.nan_to_num(shares))
    return SceneCounts(np.minimum(events, cases) * worth, cases * worth)


def _scatter(
    data: _Cases, own: SceneCounts, arms: tuple[SceneCounts, SceneCounts], learned: F64
) -> Scatter:
    """Of the difference between scenes, compared with that of the two arms."""
    scales = 1.0, 1 - own.rate
    model = sum(
        scale**2 * one.rate * (1 - one.rate) * mean_design_effect(one, learned) / one.total
        for one, scale in zip(arms, scales, strict=True)
    )
    if model <= 0:
        return Scatter()
    p, q = arms[0].rate, arms[1].rate
    share = np.nan_to_num(data.control)
    first = data.weight * data.failing * (1 - share)
    second = data.weight * ~data.failing * (share - q) + q * ~data.failing
    pulls = data.sums(first - second) - (p - q * (1 - own.rate)) * own.cases
    found = variance_of_sum(pulls / own.total, own.scenes)
    kinds = (one.events for arm in arms for one in (arm, arm.others()))
    size = max(arm.typical_size for arm in arms)
    return scatter_of(found / model, min(scenes_worth(one) for one in kinds), size)
