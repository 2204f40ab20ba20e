"""Thresholds printed by `snellen thresholds --json`, read to generate requirements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from snellen.disk.json_text import read_small_json
from snellen.errors import UserError
from snellen.errors.excerpt import shown
from snellen.methods.human.estimate import UNSTATED
from snellen.methods.human.human_performance import people_of
from snellen.methods.human.people import ThresholdSource
from snellen.methods.human.subtasks import SubtaskName
from snellen.methods.requirements.specification.generation import KnownThresholds

NEXT = "Write it with: snellen thresholds DATA --json > FILE"


def read_estimates(path: Path) -> list[KnownThresholds]:
    """The human thresholds in a file, one or several."""
    try:
        values = read_small_json(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file. {NEXT}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: is not JSON: {error}. {NEXT}") from None
    several = values.get("thresholds") if isinstance(values, dict) else None
    items = several if isinstance(several, list) else [values]
    try:
        return [_thresholds_of(item, path) for item in items]
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise UserError(
            f"{path}: not output of `snellen thresholds --json`: {error!r:.300}. {NEXT}"
        ) from None


def _thresholds_of(values: dict[str, Any], path: Path) -> KnownThresholds:
    for key in ("label", "transformation", "kind", "measure", "task"):
        if not isinstance(values[key], str):
            raise TypeError(f"{key} is {shown(values[key])}")
    if values["measure"] == UNSTATED:
        raise UserError(
            f"{path}: does not name the measure of visual change. Estimate again with "
            "--measure, such as --measure 'vifp(sigma_nsq=0.4)'."
        )
    parts: dict[SubtaskName, dict[str, Any]] = values["subtasks"] or {"classify": values}
    direct = values["direct"]
    whole = direct["threshold"] if direct else None
    return KnownThresholds(
        values["label"],
        values["transformation"],
        values["kind"],
        values["measure"],
        {name: (_value(name, part, path), _source(values, part)) for name, part in parts.items()},
        {values["task"]: whole} if whole is not None else {},
    )


def _value(name: SubtaskName, part: dict[str, Any], path: Path) -> float:
    if part["threshold"] is None:
        raise UserError(
            f"{path}: the threshold of {name} could not be estimated ({part['told']}). Collect "
            "more answers, or generate a task without it."
        )
    if not 0 <= part["threshold"] <= 1:
        raise ValueError(f"the threshold of {name} is {shown(part['threshold'])}")
    return float(part["threshold"])


def _source(values: dict[str, Any], part: dict[str, Any]) -> ThresholdSource:
    published = ", as published" if values["as_published"] else ""
    return ThresholdSource(
        study=values["source"]["file"],
        file=values["source"]["file"],
        sha256=values["source"]["sha256"],
        procedure=f"{values['procedure']}{published}",
        low=part["low"],
        high=part["high"],
        limited_by_data=part["limited_by_data"],
        people=people_of(part, values["procedure"]),
    )
