"""How many scenes and questions the verdicts of a campaign take, before it is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Any

import numpy as np

from snellen.contract.planned_verdict import PlannedVerdict
from snellen.engine.campaign import Campaign
from snellen.engine.start.opened_campaign import scenes_of
from snellen.errors import UserError
from snellen.methods.kind import view_of
from snellen.statistics.margin_test import margin_verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.statistics.pair_model import PairModel
from snellen.statistics.sample_size import planned_scenes
from snellen.statistics.scene_curves import paired_curve


@dataclass(frozen=True)
class Assumptions:
    """What is assumed of a run that has not been made.

    margin: None for those of the configuration. power: the chance that the verdict is reached.
    rate: of failing without the change. icc: correlation of the cases of a scene. alike: share of
    cases that are answered alike with and without the change. cases, questions: per scene, where
    the method does not say.
    """

    margin: float | None = None
    power: float = 0.8
    rate: float = 0.2
    icc: float = 0.3
    alike: float = 0.9
    cases: float | None = None
    questions: float | None = None


ASSUMED_CASES = 10.0
"""Per scene, if neither the method nor the user says."""
SIMULATED = 40
"""Runs that a chance is taken from."""
WORSE = 2.0
"""The loss that is to be found: so many times the margin."""


@dataclass(frozen=True)
class PlanRow:
    """What one verdict takes.

    satisfied: scenes that show a subject without any loss to be within the margin. violated:
    scenes that show a loss of twice the margin to be beyond it. None: more than 16,384. questions:
    for the larger of the two. available: scenes of the configuration. assumed_cases: whether
    `cases` is an assumption.
    """

    name: str
    margin: float
    cases: float
    assumed_cases: bool
    satisfied: int | None
    violated: int | None
    questions: int | None
    available: int | None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return dict(self.__dict__)


def plan_run(campaign: Campaign, assumptions: Assumptions) -> list[PlanRow]:
    """What each verdict of a campaign takes. The subject is not opened."""
    scenes = scenes_of(campaign)
    view = view_of(campaign.method)
    planned = view.planned_verdicts(campaign.method_options, campaign.folder, scenes)
    return [_row(one, assumptions, campaign) for one in planned]


def _row(one: PlannedVerdict, assumed: Assumptions, campaign: Campaign) -> PlanRow:
    margin = assumed.margin if assumed.margin is not None else one.margin
    if margin is None:
        raise UserError(
            f"{campaign.file}: method '{campaign.method}' has no margin of its own. Pass --margin, "
            "the excess of failures that you would tolerate, such as --margin 0.02."
        )
    if not 0 < margin < (1 - assumed.rate) / WORSE:
        raise UserError(
            f"--margin: found {margin:g} for '{one.name}', expected more than 0 and less than "
            f"{(1 - assumed.rate) / WORSE:g} at a rate of {assumed.rate:g}. Choose another margin "
            "or --rate."
        )
    cases = assumed.cases or one.cases or ASSUMED_CASES
    losses = (0.0, WORSE * margin)
    found = [_scenes(margin, cases, assumed, one.level, loss) for loss in losses]
    per_scene = assumed.questions or one.questions
    known = [count for count in found if count is not None]
    asked = ceil(max(known) * per_scene) if per_scene and len(known) == len(found) else None
    return PlanRow(
        one.name,
        margin,
        round(cases, 2),
        assumed.cases is None and one.cases is None,
        found[0],
        found[1],
        asked,
        one.scenes,
    )


@cache
def _scenes(
    margin: float, cases: float, assumed: Assumptions, level: float, loss: float
) -> int | None:
    found = planned_scenes(
        margin,
        max(1.0, cases),
        assumed.rate,
        assumed.icc,
        assumed.alike,
        rng=np.random.default_rng(1),
        loss=loss,
        level=level,
        power=assumed.power,
    )
    return None if found is None else found.scenes


def plan_lines(rows: Sequence[PlanRow], assumed: Assumptions) -> list[str]:
    """The plan in plain words."""
    lines = [
        f"assuming {assumed.rate:.0%} failing, an intra-scene correlation of {assumed.icc:g}, "
        f"{assumed.alike:.0%} answered alike; each verdict is reached with a chance of "
        f"{assumed.power:.0%}"
    ]
    for one in rows:
        about = "about " if one.assumed_cases else ""
        lines += [
            f"{one.name}: margin {100 * one.margin:.3g} points, {about}{one.cases:g} cases per "
            f"scene{' (assumed)' if one.assumed_cases else ''}",
            f"  {_count(one.satisfied)} scenes show it to be within the margin, if nothing is lost",
            f"  {_count(one.violated)} scenes show it to be beyond, if "
            f"{100 * WORSE * one.margin:.3g} points are lost",
        ]
        have = "" if one.available is None else f"; the configuration has {one.available}"
        asks = "" if one.questions is None else f"{one.questions:,} questions, without explanations"
        lines += [f"  {asks or 'questions unknown'}{have}"]
    return lines


def decidable_lines(campaign: Campaign) -> list[str]:
    """What the scenes of a campaign can decide, under the usual assumptions; asks nothing.

    Empty for a method whose verdicts have no margin of their own.
    """
    planned = view_of(campaign.method).planned_verdicts(
        campaign.method_options, campaign.folder, scenes_of(campaign)
    )
    if not planned or any(one.margin is None for one in planned):
        return []
    lines = [_decidable(one, Assumptions()) for one in planned]
    return [
        "what these scenes can decide, before anything is asked (`snellen plan` says how many it "
        "takes):",
        *lines,
    ]


def _decidable(one: PlannedVerdict, assumed: Assumptions) -> str:
    assert one.margin is not None
    have, points = one.scenes or 0, 100 * one.margin
    cases = max(1.0, one.cases or ASSUMED_CASES)
    met, broken = (
        _chance(one.margin, cases, assumed, one.level, loss, have)
        for loss in (0.0, WORSE * one.margin)
    )
    return (
        f"  {one.name}: {have:,} usable scenes; if nothing is lost they show it to be within its "
        f"{points:.3g} points with a chance of {met:.0%}, if {WORSE * points:.3g} are lost to be "
        f"beyond with {broken:.0%}"
    )


@cache
def _chance(
    margin: float, cases: float, assumed: Assumptions, level: float, loss: float, scenes: int
) -> float:
    """The chance that so many scenes give the right verdict, from simulated runs."""
    if scenes < 2:
        return 0.0
    model = PairModel(cases, assumed.rate, assumed.icc, assumed.alike, loss)
    rng = np.random.default_rng(1)
    wanted = LossStatus.SATISFIED if loss < margin else LossStatus.VIOLATED
    curves = (paired_curve(model.draw(scenes, rng)) for _ in range(SIMULATED))
    return sum(margin_verdict(one, margin, level).status is wanted for one in curves) / SIMULATED


def _count(scenes: int | None) -> str:
    return "more than 16,384" if scenes is None else f"{scenes:,}"
