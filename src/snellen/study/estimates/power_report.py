"""What `snellen study power` says: answers and people for a wanted interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import UserError
from snellen.study.estimates.answer_power import (
    AnswerNeed,
    AssumedCurve,
    StudyPlan,
    answers_needed,
    expected_length,
)
from snellen.study.estimates.curve.curve_fit import fit_curve
from snellen.study.estimates.simulation.simulated_trials import simulated_trials
from snellen.study.options import StudyOptions, read_study_options
from snellen.study.trial import StudyTask

LARGEST = 2_000
"""People beyond which nothing is simulated."""


@dataclass(frozen=True)
class PowerReport:
    """One task. planned: the people, and the length of interval, that the configuration gives.

    simulated: the mean length of the interval, and the share that hold the true threshold.
    """

    task: str
    wanted: float
    plan: StudyPlan
    need: AnswerNeed | None
    planned: tuple[int, float] | None = None
    simulated: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        need, planned, simulated = self.need, self.planned, self.simulated
        return {
            "task": self.task,
            "wanted": self.wanted,
            "answers_each": self.plan.each,
            "scenes": self.plan.scenes,
            "answers": need.answers if need else None,
            "participants": need.people if need else None,
            "length": need.length if need else None,
            "planned": {"participants": planned[0], "length": planned[1]} if planned else None,
            "simulated": ({"length": simulated[0], "covered": simulated[1]} if simulated else None),
        }

    def lines(self) -> list[str]:
        """The same in words."""
        what = f"{self.task}: an interval {self.wanted:g} long"
        if self.need is None:
            found = [
                f"{what} is out of reach with {self.plan.scenes} scenes, which differ too much. "
                "Add scenes."
            ]
        else:
            found = [
                f"{what} takes {self.need.answers} answers for each class and corruption: "
                f"{self.need.people} participants with {self.plan.each} answers each"
            ]
        if self.simulated is not None:
            length, covered = self.simulated
            found.append(
                f"  simulated: {length:.3f} long on average; {100 * covered:.0f}% hold the truth"
            )
        if self.planned is not None:
            people, length = self.planned
            found.append(f"  as configured: {people} participants, an interval {length:.3f} long")
        return found


def power_reports(
    config: Path | None, curve: AssumedCurve, wanted: float, simulations: int, seed: int
) -> list[PowerReport]:
    """One report for each task of a configuration with a right answer; one without a file."""
    if config is None:
        return [_report("classify", curve, StudyPlan(), wanted, simulations, seed)]
    options = read_study_options(config)
    tasks = [one for one in options.tasks if one is not StudyTask.RANK]
    if not tasks or not options.corruptions:
        raise UserError(
            f"{config}: has no task and corruption with a threshold. Name some, such as "
            "tasks: [classify] and corruptions: [frost]."
        )
    return [_configured(task, options, curve, wanted, simulations, seed) for task in tasks]


def _configured(
    task: StudyTask,
    options: StudyOptions,
    curve: AssumedCurve,
    wanted: float,
    simulations: int,
    seed: int,
) -> PowerReport:
    plan = study_plan(options)
    assumed = replace(curve, chance=chance_of(task, options))
    found = _report(str(task), assumed, plan, wanted, simulations, seed)
    people = max(
        2, round(options.samples * options.wanted(task) / (options.batches * options.batch))
    )
    return replace(found, planned=(people, expected_length(people, assumed, plan)))


def study_plan(options: StudyOptions) -> StudyPlan:
    """How a study collects answers about one corruption, all classes together.

    Unchanged pictures serve all corruptions, changed ones are shared out among them.
    """
    shown, kinds = options.batches * options.batch, len(options.corruptions)
    changed = shown * (1 - options.originals) / kinds
    each = max(1, round(changed + shown * options.originals))
    return StudyPlan(
        each=each,
        scenes=max(2, round(options.samples * each / shown)),
        originals=min(shown * options.originals / each, 1.0),
        reach=options.strongest,
    )


def chance_of(task: StudyTask, options: StudyOptions) -> float:
    """The chance of a right guess."""
    if task is StudyTask.CLASSIFY:
        return 0.5
    if task is StudyTask.CLASSIFY_BOX:
        return 1 / max(2, len(options.classes))
    return 0.0


def _report(
    task: str, curve: AssumedCurve, plan: StudyPlan, wanted: float, simulations: int, seed: int
) -> PowerReport:
    need = answers_needed(wanted, curve, plan)
    simulated = None
    if need is not None and simulations and need.people <= LARGEST:
        simulated = _simulated(need.people, curve, plan, simulations, seed)
    return PowerReport(task, wanted, plan, need, None, simulated)


def _simulated(
    people: int, curve: AssumedCurve, plan: StudyPlan, simulations: int, seed: int
) -> tuple[float, float] | None:
    """The mean length of the interval, and the share of intervals that hold the threshold."""
    lengths, hits = [], []
    for number in range(simulations):
        trials = simulated_trials(curve, plan, people, np.random.default_rng((seed, number)))
        fit = fit_curve(trials, fall=curve.fall)
        if fit is not None:
            lengths.append(fit.high - fit.low)
            hits.append(fit.low <= curve.threshold <= fit.high)
    return (float(np.mean(lengths)), float(np.mean(hits))) if lengths else None
