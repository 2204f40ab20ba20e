"""Verdicts against margins, looks, sampled controls and sample sizes, by simulation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from experiments.judge.worlds import Pairs, Scenes, pairs
from snellen.statistics.discordant_pairs import DiscordantPairs, discordant_pairs
from snellen.statistics.looks import Spending, look_levels
from snellen.statistics.margin_test import margin_verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.statistics.pair_model import PairModel
from snellen.statistics.sample_size import planned_scenes, scenes_to_decide
from snellen.statistics.scene_curves import paired_curve
from snellen.statistics.stratified_controls import controlled_difference

WORLD = Scenes("10", 0.2, 0.3)
"""Ten objects a scene, 20% failing, ICC 0.3."""
LOOKS = (25, 75, 200, 400)


def evidence(drawn: Pairs, one: int, scenes: int) -> DiscordantPairs:
    """The first scenes of one set; the first answer is the one after the change."""
    both, first, second, cases = (
        column[one, :scenes] for column in (drawn.both, drawn.first, drawn.second, drawn.cases)
    )
    return discordant_pairs(both + first, both + second, cases, first, second)


def drawn_pairs(loss: float, alike: float, scenes: int, sets: int, seed: int) -> Pairs:
    """Pairs of a subject that loses so much, before the change at WORLD's rate."""
    world = Scenes(WORLD.size, WORLD.rate + loss, WORLD.icc)
    return pairs(world, (sets, scenes), loss, alike, np.random.default_rng([seed, scenes]))


@dataclass(frozen=True)
class Verdicts:
    """Shares of satisfied and violated among simulated runs."""

    scenes: int
    margin: float
    loss: float
    alike: float
    satisfied: float
    violated: float


def verdicts(
    scenes: int, margin: float, loss: float, alike: float, sets: int, seed: int
) -> Verdicts:
    """How runs with a true loss are judged."""
    drawn = drawn_pairs(loss, alike, scenes, sets, seed)
    found = [
        margin_verdict(paired_curve(evidence(drawn, one, scenes)), margin).status
        for one in range(sets)
    ]
    shares = [found.count(one) / sets for one in (LossStatus.SATISFIED, LossStatus.VIOLATED)]
    return Verdicts(scenes, margin, loss, alike, shares[0], shares[1])


@dataclass(frozen=True)
class Looked:
    """Runs that may end at a look: shares of verdicts, and scenes until the end on average."""

    spending: str
    margin: float
    loss: float
    alike: float
    satisfied: float
    violated: float
    scenes: float


def looked(
    spending: Spending, margin: float, loss: float, alike: float, sets: int, seed: int
) -> Looked:
    """Runs that end at the first decided look."""
    drawn = drawn_pairs(loss, alike, LOOKS[-1], sets, seed)
    levels = look_levels(LOOKS, 0.05, spending)
    ends = [_ended(drawn, one, margin, levels) for one in range(sets)]
    statuses = [status for status, _ in ends]
    shares = [statuses.count(one) / sets for one in (LossStatus.SATISFIED, LossStatus.VIOLATED)]
    seen = float(np.mean([scenes for _, scenes in ends]))
    return Looked(spending, margin, loss, alike, shares[0], shares[1], seen)


def _ended(
    drawn: Pairs, one: int, margin: float, levels: tuple[float, ...]
) -> tuple[LossStatus, int]:
    for scenes, level in zip(LOOKS, levels, strict=True):
        found = margin_verdict(paired_curve(evidence(drawn, one, scenes)), margin, level)
        if found.status is not LossStatus.UNDECIDED:
            break
    return found.status, scenes


@dataclass(frozen=True)
class Controls:
    """Shares of runs that call cases worse than their controls."""

    scenes: int
    rate: float
    control_rate: float
    share: float
    alarms: float


def controls(
    scenes: int, rate: float, control_rate: float, share: float, sets: int, seed: int
) -> Controls:
    """30 cases a scene, a control for each failing case and for a share of the others."""
    rng, alarms = np.random.default_rng([seed, scenes]), 0
    place = np.repeat(np.arange(scenes), 30)
    for _ in range(sets):
        hard = rng.beta(0.4, 3.6, scenes)[place] * 10
        cases, patches = (
            rng.random(len(place)) < np.minimum(one * hard, 1) for one in (rate, control_rate)
        )
        chance = np.where(cases, 1.0, share)
        asked = np.where(rng.random(len(place)) < chance, patches, np.nan)
        alarms += controlled_difference(place, cases, chance, asked).difference.low > 0
    return Controls(scenes, rate, control_rate, share, alarms / sets)


PILOT = 30


@dataclass(frozen=True)
class Sized:
    """Scenes said to give a verdict with the chance 80%, and the chance that they do give.

    told: median over data sets of PILOT scenes. planned: in advance, from the true parameters;
    planned_elsewhere: the chance in this package's worlds, where scenes that fail often lose more.
    """

    loss: float
    margin: float
    alike: float
    told: int
    told_power: float
    planned: int
    planned_power: float
    planned_elsewhere: float


def sized(loss: float, margin: float, alike: float, sets: int, seed: int) -> Sized:
    """Tried out on new runs of the size that was said."""
    drawn = drawn_pairs(loss, alike, PILOT, sets, seed)
    more = [scenes_to_decide(evidence(drawn, one, PILOT), margin, tail=0.05) for one in range(sets)]
    told = PILOT + int(np.median([10**5 if one is None else one for one in more]))
    rng, model = np.random.default_rng(seed), PairModel(10, WORLD.rate, WORLD.icc, alike, loss)
    plan = planned_scenes(margin, 10, WORLD.rate, WORLD.icc, alike, loss=loss, rng=rng)
    planned = plan.scenes if plan else 1
    runs = [paired_curve(model.draw(planned, rng)) for _ in range(sets)]
    wanted = LossStatus.SATISFIED if loss < margin else LossStatus.VIOLATED
    right = sum(margin_verdict(one, margin).status is wanted for one in runs) / sets
    there, elsewhere = (
        _power(scenes, margin, loss, alike, sets, seed + 1) for scenes in (told, planned)
    )
    return Sized(loss, margin, alike, told, there, planned, right, elsewhere)


def _power(scenes: int, margin: float, loss: float, alike: float, sets: int, seed: int) -> float:
    found = verdicts(scenes, margin, loss, alike, sets, seed)
    return found.satisfied if loss < margin else found.violated


def allowed(sets: int, level: float = 0.05) -> float:
    """The largest share that is not significantly (1%) above a level."""
    return float(stats.binom.isf(0.01, sets, level)) / sets
