"""Runs of planted subjects and replays of them, made once for all tests of a process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.repair.evaluation.run_replay import replay_run

FAULTY = {"kind": "planted", "fault": "loses", "distance": 40}
SUBJECTS: dict[str, dict[str, Any] | None] = {
    "same": None,
    "mended": {"kind": "planted"},
    "half": {**FAULTY, "rate": 0.5, "seed": 4},
    "blind": {"kind": "planted", "fault": "loses", "victims": "any", "rate": 0.3, "seed": 2},
}
METHODS: dict[str, dict[str, Any]] = {
    "robustness": {
        "per_scene": 1,
        "levels": [1.0, 0.0],
        "tests_per_level": 5,
        "variety": 1,
        "passes": 2,
        "controls": 0.2,
    },
    "insertion": {"per_object": 1, "controls": 0.5, "relocate": True},
}
SCENES = {
    "robustness": {"kind": "synthetic", "count": 12, "seed": 5, "size": [144, 192],
                   "objects": [1, 2]},
    "insertion": {"kind": "synthetic", "count": 5, "seed": 6, "size": [144, 192],
                  "objects": [1, 2]},
}  # fmt: skip
_MADE: dict[tuple[str, str], Path] = {}
_PLACE: list[Path] = []


def place(factory: pytest.TempPathFactory) -> Path:
    """The folder of all runs, made once."""
    if not _PLACE:
        _PLACE.append(factory.mktemp("planted"))
    return _PLACE[0]


def run_of(folder: Path, method: str) -> Path:
    """The run of the faulty subject by a method."""
    if (method, "run") not in _MADE:
        values = {
            "method": method,
            "seed": 3,
            "scenes": SCENES[method],
            "subject": FAULTY,
            "objects": {"kind": "synthetic", "count": 4, "seed": 9, "shade": "deep"},
            "engine": {"workers": 0},
            "out": f"{method}/run",
            method: METHODS[method],
        }
        run_campaign(campaign_from(values, folder / f"{method}.yaml"))
        _MADE[method, "run"] = folder / method / "run"
    return _MADE[method, "run"]


def replay_of(folder: Path, method: str, name: str) -> Path:
    """The run's replay with one of `SUBJECTS`; `run` for the run itself."""
    run = run_of(folder, method)
    if (method, name) not in _MADE:
        out = folder / method / name
        replay_run(run, SUBJECTS[name], out)
        _MADE[method, name] = out
    return _MADE[method, name]
