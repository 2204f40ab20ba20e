"""Small runs on generated scenes, made once for all tests that look at a finished run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.report.report import write_report

Runs = Callable[..., Path]
Copied = Callable[[str], Path]

CAMPAIGNS: dict[str, dict[str, Any]] = {
    "insertion": {
        "method": "insertion",
        "subject": {"kind": "planted", "fault": "loses", "distance": 12},
        "objects": {"kind": "synthetic", "count": 8, "seed": 9, "shade": "deep"},
        "insertion": {"per_object": 4, "controls": 0.5},
    },
    "identity": {
        "method": "identity",
        "subject": {"kind": "planted", "fault": "restless", "rate": 0.5},
    },
    "labels": {
        "method": "identity",
        "subject": {"kind": "planted", "fault": "restless", "rate": 0.5, "task": "labels"},
    },
    "combinations": {
        "method": "combinations",
        "scenes": None,
        "subject": {
            "kind": "planted",
            "task": "labels",
            "fault": "correlates",
            "missing": [["ice", "plum"]],
            "extra": [["tomato", "lime"]],
            "with_others": True,
        },
        "objects": {"kind": "synthetic", "count": 30, "seed": 2, "prune": "none"},
        "combinations": {"max_present": 3, "images": 3, "controls": 0.2},
    },
    "fine": {"method": "identity", "subject": {"kind": "planted"}},
}


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """The folder of a finished run by its name in `CAMPAIGNS`; not to be written to."""
    made: dict[str, Path] = {}

    def run(name: str) -> Path:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("SNELLEN_CACHE", str(folder / "cache"))
                values = {
                    "seed": 3,
                    "scenes": {"kind": "synthetic", "count": 6, "seed": 5, "size": [144, 192]},
                    "engine": {"workers": 0, "cache": False},
                    "out": "run",
                    **CAMPAIGNS[name],
                }
                given = {key: value for key, value in values.items() if value is not None}
                run_campaign(campaign_from(given, folder / "snellen.yaml"))
            made[name] = folder / "run"
        return made[name]

    return run


@pytest.fixture(scope="session")
def reported(runs: Copied, tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """The folder of a finished run with its report written; not to be written to."""
    made: dict[str, Path] = {}

    def report(name: str) -> Path:
        if name not in made:
            whole = runs(name)
            folder = Path(shutil.copytree(whole, tmp_path_factory.mktemp(name) / name))
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("SNELLEN_CACHE", str(whole.parent / "cache"))
                write_report(folder)
            made[name] = folder
        return made[name]

    return report


@pytest.fixture
def run_folder(runs: Copied, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Copied:
    """A copy of a finished run's folder, with the cache that its objects are in."""

    def copy(name: str) -> Path:
        whole = runs(name)
        monkeypatch.setenv("SNELLEN_CACHE", str(whole.parent / "cache"))
        return Path(shutil.copytree(whole, tmp_path / name))

    return copy
