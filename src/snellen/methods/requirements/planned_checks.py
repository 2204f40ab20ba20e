"""The requirements of a configuration as verdicts to plan, before a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from snellen.contract.planned_verdict import PlannedVerdict
from snellen.methods.requirements.change_axes import axes_of
from snellen.methods.requirements.evidence.subtask_counts import metrics_of
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.specification.idle_thresholds import demanding_thresholds
from snellen.methods.requirements.specification.margin_composition import margins_of
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import read_requirements
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene, SceneSet


def planned_checks(
    options: RequirementOptions, folder: Path, scenes: SceneSet
) -> list[PlannedVerdict]:
    """One verdict per requirement; its cases are the annotated objects of its label."""
    found = read_requirements(folder / options.file)
    chosen = [one for one in found if not options.only or one.name in options.only]
    tests = len(axes_of(chosen)) * options.samples
    asked = 1 + tests + min(1.0, options.controls * tests)
    margins = margins_of(chosen)
    return [
        _planned(
            one,
            asked,
            min(margin.low for margin in margins[one.name].values()),
            scenes,
            share_of_scenes(one, options),
        )
        for one in chosen
    ]


def share_of_scenes(one: Requirement, options: RequirementOptions) -> float:
    """The share of scenes that have a case up to the smallest threshold that demands something.

    Those of preservation must also have one that is hardly changed.
    """
    demanding = demanding_thresholds(one, options.minimal)
    if not demanding:
        return 0.0
    per_unit = options.samples / options.most
    if one.kind == "correctness":
        return min(1.0, per_unit * min(demanding))
    spans = (options.minimal, min(demanding) - options.minimal)
    return min(1.0, per_unit * min(spans))


def _planned(
    one: Requirement, asked: float, margin: float, scenes: SceneSet, share: float
) -> PlannedVerdict:
    counts = np.array(_objects(one, scenes))
    with_any = counts[counts > 0]
    single = metrics_of(one) == ("accuracy",)
    known = None if not len(with_any) else 1.0 if single else float(with_any.mean())
    return PlannedVerdict(
        one.name,
        known,
        asked,
        int(share * (len(scenes) if known is None else len(with_any))),
        margin,
        1 - one.confidence,
    )


def _objects(one: Requirement, scenes: SceneSet) -> Sequence[int]:
    """The objects of the label in each annotated scene."""
    wanted = {
        place
        for place, name in enumerate(scenes.classes)
        if one.label == "any" or plain_name(name) == plain_name(one.label)
    }
    return [_count(scene, wanted) for scene in scenes if scene.annotations is not None]


def _count(scene: Scene, wanted: set[int]) -> int:
    assert scene.annotations is not None
    return sum(int(label) in wanted for label in scene.annotations.labels)
