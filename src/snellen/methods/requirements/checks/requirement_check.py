"""The check of a requirement: its verdict from the outcome of every case, with evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from snellen.methods.requirements.checks.metric_loss import Loss, tested_status
from snellen.methods.requirements.checks.threshold_check import (
    CheckSetting,
    ThresholdCheck,
    check_threshold,
    losses,
    unchecked_threshold,
)
from snellen.methods.requirements.checks.verdict_sentence import (
    Range,
    needs_clause,
    onset_clause,
    parts_clause,
    sentence,
)
from snellen.methods.requirements.curves.change_bins import (
    BINS,
    ChangeBin,
    by_change,
    failure_onset,
)
from snellen.methods.requirements.evidence.arms import MINIMAL
from snellen.methods.requirements.evidence.case_table import CaseTable, case_table
from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.methods.requirements.evidence.subtask_counts import (
    Metric,
    metrics_of,
    subtask_counts,
)
from snellen.methods.requirements.specification.idle_thresholds import (
    demanding_thresholds,
    idle_thresholds,
    left_out_clause,
)
from snellen.methods.requirements.specification.margin import Margin
from snellen.methods.requirements.specification.margin_composition import margins_of
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.multiplicity import adjusted_p_values
from snellen.statistics.non_inferiority import LossStatus
from snellen.vision.arrays import F64

CASES_PER_SPAN = 40
"""Cases in each part of the range in which a violation is tested: fewer show little."""


@dataclass(frozen=True, eq=False)
class RequirementCheck:
    """A requirement with its verdict.

    curves: metrics over visual change. over: the range of visual change of the verdict.
    breaks_from: if violated, the visual change from which tests show it to break, or None.
    idle: thresholds of the conjunction that demand nothing and so do not
    affect the verdict. alpha: the level of the verdict. margins: by metric. by_parts: for a whole
    task, the p-value with which its parts show that it is satisfied; NaN if they do not compose.
    part_margins: of the subtasks of a whole task, by name, for the metric that decides.
    """

    requirement: Requirement
    thresholds: tuple[ThresholdCheck, ...]
    curves: dict[Metric, tuple[ChangeBin, ...]]
    reported: Loss
    over: Range
    margins: Mapping[Metric, Margin]
    alpha: float
    idle: tuple[float, ...] = ()
    by_parts: float = math.nan
    part_margins: tuple[tuple[str, float], ...] = ()
    breaks_from: float | None = None

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """Every loss that the requirement limits."""
        return tuple(one for each in self.thresholds for one in each.losses)

    @property
    def p_satisfied(self) -> float:
        """Of some loss reaching its margin: the largest of the losses (an intersection-union test).

        Or that of the parts of a whole task, if they show it.
        """
        direct = float(np.max([one.p_satisfied for one in self.losses]))
        return float(np.fmin(direct, self.by_parts))

    @property
    def p_violated(self) -> float:
        """Of every loss being within its margin, by Simes's test over the losses."""
        adjusted = adjusted_p_values([one.p_violated for one in self.losses])
        known = adjusted[np.isfinite(adjusted)]
        return float(known.min()) if len(known) else math.nan

    @property
    def status(self) -> LossStatus:
        """Satisfied or violated, each wrong in at most `alpha` of runs, or undecided."""
        return tested_status(self.p_satisfied, self.p_violated, self.alpha)

    @cached_property
    def more_scenes(self) -> int | None:
        """How many more scenes would decide it, if it is undecided and that is known.

        One loss beyond its margin decides it; otherwise all must be shown to be within theirs.
        """
        unsettled = [one for one in self.losses if one.status == LossStatus.UNDECIDED]
        if self.status != LossStatus.UNDECIDED or any(one.why for one in unsettled):
            return None
        beyond = [one for one in unsettled if one.interval.value > one.margin]
        needed = [one.more_scenes(self.alpha) for one in beyond or unsettled]
        known = [one for one in needed if one is not None]
        if beyond:
            return min(known, default=None)
        return max(known, default=None) if len(known) == len(needed) else None

    @property
    def says(self) -> str:
        """The verdict in one sentence."""
        says = sentence(self.requirement, self.reported, self.over, self.status)
        says += onset_clause(self.breaks_from)
        says += parts_clause(self.part_margins, satisfied=self.by_parts < self.alpha)
        if self.thresholds[0].cases:
            says += left_out_clause(self.idle)
        return says + needs_clause(self.more_scenes)

    @property
    def distance(self) -> float:
        """The published reliability distance: the largest of the conjunction."""
        return float(np.max([one.distance.value for one in self.thresholds]))

    @property
    def worst(self) -> Loss:
        """The loss that decides the verdict."""
        return self.deciding[1]

    @property
    def deciding(self) -> tuple[ThresholdCheck, Loss]:
        """The threshold and the loss that decide the verdict: the largest loss of its status."""
        pairs = [(at, one) for at in self.thresholds for one in at.losses]
        alike = [pair for pair in pairs if pair[1].status == self.status] or pairs
        return max(alike, key=lambda pair: np.nan_to_num(pair[1].interval.value, nan=-1.0))

    def to_json(self) -> dict[str, Any]:
        """Plain values for a summary; value, low and high are of the worst loss."""
        lost = self.worst
        interval = lost.interval.to_json()
        return {
            "name": self.requirement.name,
            "status": self.status.value,
            **{end: interval[end] for end in ("value", "low", "high")},
            "metric": lost.metric,
            "margin": lost.margin,
            "more_scenes": self.more_scenes,
            "told": self.says,
            "over": [self.over.low, self.over.high],
            "breaks_from": self.breaks_from,
            "distance": None if np.isnan(self.distance) else self.distance,
            "satisfied_as_published": self.distance <= 0,
            "thresholds": [one.to_json() for one in self.thresholds],
            "demands_nothing": list(self.idle),
            "curves": {name: [one.to_json() for one in bins] for name, bins in self.curves.items()},
        }


def check_requirement(
    requirement: Requirement,
    evidence: RunEvidence | CaseTable,
    weights: F64,
    rng: np.random.Generator,
    *,
    minimal: float = MINIMAL,
    bins: int = BINS,
    margins: Mapping[Metric, Margin] | None = None,
    alpha: float | None = None,
) -> RequirementCheck:
    """The verdict on a requirement, from the evidence of its kind.

    weights: (replicates, scenes) from `scene_weights`; the same for all requirements of a run.
    Scenes beyond those of the evidence are ignored.
    minimal: preservation compares with images changed by no more than this. margins: by metric;
    None for those of the requirement by itself. alpha: the level of the verdict; None for one minus
    its confidence.
    """
    table = evidence if isinstance(evidence, CaseTable) else case_table(evidence)
    if table.evidence.kind != requirement.kind:
        raise ValueError(
            f"requirement '{requirement.name}' is on {requirement.kind}, the evidence on "
            f"{table.evidence.kind}"
        )
    setting = CheckSetting(
        requirement,
        table,
        margins or margins_of([requirement])[requirement.name],
        1 - requirement.confidence if alpha is None else alpha,
        weights[:, : table.evidence.scenes],
        minimal,
    )
    found = tuple(
        check_threshold(setting, threshold, rng)
        for threshold in demanding_thresholds(requirement, minimal)
    )
    return _reported(setting, found or (unchecked_threshold(setting),), _curves(setting, bins))


def _curves(setting: CheckSetting, bins: int) -> dict[Metric, tuple[ChangeBin, ...]]:
    """Every metric over visual change."""
    requirement = setting.requirement
    part = subtask_counts(requirement, setting.table)
    return {
        metric: by_change(
            part,
            metric,
            requirement.transformation,
            requirement.threshold,
            bins=bins,
            minimal=setting.minimal,
            confidence=requirement.confidence,
        )
        for metric in metrics_of(requirement)
    }


def _reported(
    setting: CheckSetting,
    found: tuple[ThresholdCheck, ...],
    curves: dict[Metric, tuple[ChangeBin, ...]],
) -> RequirementCheck:
    """The check with the loss to report, its range, and if violated from where it breaks."""
    requirement, spare = setting.requirement, idle_thresholds(setting.requirement, setting.minimal)
    check = RequirementCheck(
        requirement,
        found,
        curves,
        found[0].losses[0],
        Range(0.0, requirement.threshold),
        setting.margins,
        setting.alpha,
        spare,
    )
    at, lost = check.deciding
    check = replace(check, reported=lost, over=Range(0.0, at.threshold))
    if check.status != LossStatus.VIOLATED:
        return check
    return replace(check, breaks_from=_onset(setting, lost, at.threshold))


def _onset(setting: CheckSetting, lost: Loss, threshold: float) -> float | None:
    """From where a loss is shown to be beyond its margin, at the level of the verdict."""
    evidence, wanted = setting.table.evidence, setting.requirement.transformation
    least = 0.0 if setting.requirement.kind == "correctness" else setting.minimal
    cases = int(evidence.chosen(wanted, least, threshold).sum())
    count = min(max(cases // CASES_PER_SPAN, 1), BINS)
    edges = np.round(np.linspace(least, threshold, count + 1), 4).tolist()

    def breaks(low: float, high: float) -> bool:
        return _same(setting, lost, low or -1.0, high).status == LossStatus.VIOLATED

    return failure_onset(list(pairwise(edges)), breaks)


def _same(setting: CheckSetting, lost: Loss, low: float, high: float) -> Loss:
    """The same loss in a narrower range of visual change."""
    found = losses(setting, setting.arms(low, high))
    return next(one for one in found if (one.metric, one.task) == (lost.metric, lost.task))
