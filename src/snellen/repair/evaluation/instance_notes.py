"""The notes of a replayed scene: its instances as they are now, in the form the method gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.random import Generator

from snellen.contract.verdict import TEST, Case, Status
from snellen.methods.insertion.method import InsertionMethod
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.case_measurements import object_notes
from snellen.methods.robustness.instance_results import clusters_of, distances_of, levels_of
from snellen.methods.robustness.method import RobustnessMethod
from snellen.repair.evaluation.case_instance import BASE, GONE, WAS, name_of
from snellen.statistics.intervals import wilson_rate
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty


def replay_notes(
    method: RobustnessMethod | InsertionMethod,
    notes: Mapping[str, Any],
    cases: Sequence[Case],
    stage: RobustnessScene,
    places: Mapping[int, int | None],
    unsure: Mapping[int, Uncertainty],
    rng: Generator,
) -> dict[str, Any]:
    """What the method noted, with the figures of the new answers; of insertion only the counts."""
    now = stage.before
    if not isinstance(method, RobustnessMethod):
        tests = sum(case.role == TEST for case in cases)
        return {"objects": len(stage.objects), "insertions": tests}
    found = [unsure[place] for place in stage.indices.tolist()] if unsure else None
    told = {**notes, "objects": object_notes(stage, found)}
    told["instances"] = [
        _instance(method, one, _tests(cases, one[BASE]), now, places.get(one[BASE]), unsure, rng)
        for one in notes.get("instances", ())
    ]
    return told


def _tests(cases: Sequence[Case], name: int) -> list[Case]:
    return [one for one in cases if one.role == TEST and name_of(one.measurements) == name]


def _instance(
    method: RobustnessMethod,
    note: Mapping[str, Any],
    tests: Sequence[Case],
    now: Detections,
    place: int | None,
    unsure: Mapping[int, Uncertainty],
    rng: Generator,
) -> dict[str, Any]:
    """The note of an instance with what holds of it now; its contour stays what it was."""
    failing = sum(case.status == Status.FAILING for case in tests)
    rate = wilson_rate(failing, len(tests)).to_json()
    found = unsure.get(-1 if place is None else place)
    told = {
        **note,
        WAS: note[BASE],
        GONE: place is None,
        BASE: -1 if place is None else place,
        "uncertainty": None if found is None else _plain(found),
        "tests": len(tests),
        "failing": failing,
        "rate": {key: rate[key] for key in ("value", "low", "high")},
        "as_published": sum(bool(case.events) for case in tests),
        "levels": levels_of(tests, method.options),
        **distances_of(tests),
    }
    if place is None:
        return told
    x1, y1, x2, y2 = now.boxes[place].tolist()
    score = round(float(now.scores[place]), 4)
    base = BaseInstance(place, note["label"], note["name"], score, (x1, y1, x2, y2))
    told |= {"score": score, "box": [round(side, 2) for side in base.box]}
    return {**told, "clusters": clusters_of(base, tests, method.options.clusters, rng)}


def _plain(unsure: Uncertainty) -> dict[str, float]:
    return {name: round(value, 4) for name, value in unsure.to_json().items()}
