"""The notes of a replayed scene: its instances with another subject's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.random import Generator

from snellen.contract.instances import GONE, WAS, InstanceKey
from snellen.contract.repairs import ReplayedUnit
from snellen.contract.verdict import TEST, Case, Status
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.case_measurements import INSTANCE, object_notes
from snellen.methods.robustness.instance_results import clusters_of, distances_of, levels_of
from snellen.methods.robustness.options import RobustnessOptions
from snellen.statistics.intervals import wilson_rate
from snellen.vision.uncertainty import Uncertainty


def replayed_notes(
    unit: ReplayedUnit,
    prepared: RobustnessScene,
    cases: Sequence[Case],
    options: RobustnessOptions,
    rng: Generator,
) -> dict[str, Any]:
    """The run's notes of a scene with the numbers of the new answers."""
    unsure = unit.uncertainties
    found = [unsure[index] for index in prepared.indices.tolist()] if unsure else None
    instances = [
        _instance(unit, one, _tests(cases, one[INSTANCE]), options, rng)
        for one in unit.notes.get("instances", ())
    ]
    return {**unit.notes, "objects": object_notes(prepared, found), "instances": instances}


def _tests(cases: Sequence[Case], number: int) -> list[Case]:
    key = InstanceKey(INSTANCE)
    return [one for one in cases if one.role == TEST and key.number(one.measurements) == number]


def _instance(
    unit: ReplayedUnit,
    note: Mapping[str, Any],
    tests: Sequence[Case],
    options: RobustnessOptions,
    rng: Generator,
) -> dict[str, Any]:
    """The note of an instance with its new results; its contour is unchanged."""
    index, now = unit.instances.get(note[INSTANCE]), unit.detections
    failing = sum(case.status == Status.FAILING for case in tests)
    rate = wilson_rate(failing, len(tests)).to_json()
    found = None if index is None else unit.uncertainties.get(index)
    updated = {
        **note,
        WAS: note[INSTANCE],
        GONE: index is None,
        INSTANCE: -1 if index is None else index,
        "uncertainty": None if found is None else _plain(found),
        "tests": len(tests),
        "failing": failing,
        "rate": {key: rate[key] for key in ("value", "low", "high")},
        "as_published": sum(bool(case.events) for case in tests),
        "levels": levels_of(tests, options),
        **distances_of(tests),
    }
    if index is None:
        return updated
    x1, y1, x2, y2 = now.boxes[index].tolist()
    score = round(float(now.scores[index]), 4)
    base = BaseInstance(index, note["label"], note["name"], score, (x1, y1, x2, y2))
    updated |= {"score": score, "box": [round(side, 2) for side in base.box]}
    return {**updated, "clusters": clusters_of(base, tests, options.clusters, rng)}


def _plain(uncertainty: Uncertainty) -> dict[str, float]:
    return {name: round(value, 4) for name, value in uncertainty.to_json().items()}
