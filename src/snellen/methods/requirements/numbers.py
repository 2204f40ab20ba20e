"""The summary of requirements: their verdicts, and metrics over visual change."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from snellen.disk.json_values import finite_or_none
from snellen.methods.requirements.checked_run import CheckedRun, checked_run
from snellen.methods.requirements.checks.requirement_check import (
    RequirementCheck,
    check_requirement,
    worst,
)
from snellen.methods.requirements.reliability import reliability
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.view import RunRecord
from snellen.store.summary import RequirementVerdict

NO_SCENES = "no examined scene can be used to check it"
COPIED = ("task", "subtask", "label", "transformation", "measure", "kind", "threshold",
          "thresholds", "naive", "margin", "confidence")  # fmt: skip
"""The fields copied from the requirement file."""


def requirement_verdicts(record: RunRecord) -> list[RequirementVerdict]:
    """Every requirement of the run with its verdict."""
    run = record.once(checked_run)
    if run is None:
        return []
    found = finite_or_none([_checked(one, run) for one in run.requirements])
    return [RequirementVerdict.model_validate(one) for one in found]


def requirement_numbers(record: RunRecord) -> dict[str, Any]:
    """The key `reliability`: metrics over visual change."""
    run = record.once(checked_run)
    return {} if run is None else {"reliability": finite_or_none(reliability(run))}


def _checked(requirement: Requirement, run: CheckedRun) -> dict[str, Any]:
    """A requirement and its verdict."""
    whole = requirement.model_dump(mode="json")
    copied = {name: whole[name] for name in COPIED}
    copied["source"] = {name: one for name, one in whole["source"].items() if name != "people"}
    table = run.tables.get(requirement.kind)
    if table is None:
        return {**_unchecked(requirement), **copied}
    # By name, so that a verdict does not depend on which other requirements are checked.
    rng = np.random.default_rng([run.seed, crc32(requirement.name.encode())])
    found = check_requirement(requirement, table, run.weights, rng, minimal=run.minimal)
    return {**_verdict(found), **copied}


def _verdict(found: RequirementCheck) -> dict[str, Any]:
    at, lost = worst(found.thresholds)
    values = found.to_json()
    farthest = max(found.thresholds, key=lambda one: np.nan_to_num(one.distance.value, nan=-1.0))
    area = {at.area.metric: at.area.to_json()}
    return {
        **{key: values[key] for key in ("name", "status", "value", "low", "high")},
        "says": found.says,
        "metric": lost.metric,
        "over": values["over"],
        "metrics": {**{one.metric: one.to_json() for one in at.losses}, **area},
        "distance": farthest.distance.to_json(),
        "satisfied_as_published": values["satisfied_as_published"],
        "by_threshold": values["thresholds"],
        "demands_nothing": values["demands_nothing"],
    }


def _unchecked(requirement: Requirement) -> dict[str, Any]:
    return {
        "name": requirement.name,
        "status": "undecided",
        "value": None,
        "low": None,
        "high": None,
        "says": f"{requirement.subtask}: undecided: {NO_SCENES}",
        "metric": None,
        "over": [0.0, requirement.threshold],
        "metrics": {},
        "distance": {"value": None, "null": None, "p_value": None, "permutations": 0,
                     "satisfied": False},
        "satisfied_as_published": False,
        "by_threshold": [],
        "demands_nothing": [],
    }  # fmt: skip
