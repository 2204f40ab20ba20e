"""A small run of insertion on generated scenes, made once for all tests of retraining sets."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.retraining.retraining_set import RetrainingSet
from snellen.repair.retraining.set_maker import retraining_set
from snellen.report.reopened_run import reopened
from snellen.scenes.scene import Scene
from snellen.store.journal import journal_of

Make = Callable[..., RetrainingSet]

CAMPAIGN: dict[str, Any] = {
    "method": "insertion",
    "seed": 3,
    "subject": {"kind": "planted", "fault": "loses", "distance": 12},
    "scenes": {"kind": "synthetic", "count": 5, "seed": 5, "size": [144, 192], "sides": [20, 36]},
    "objects": {"kind": "synthetic", "count": 8, "seed": 9, "shade": "deep"},
    "insertion": {"per_object": 8, "controls": 0.3},
    "engine": {"workers": 0, "cache": False},
    "out": "run",
}


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds `run` and the cache it needs; not to be written to."""
    folder = tmp_path_factory.mktemp("retraining")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(folder / "cache"))
        run_campaign(campaign_from(CAMPAIGN, folder / "snellen.yaml"))
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the run's folder, with its cache."""
    monkeypatch.setenv("SNELLEN_CACHE", str(finished / "cache"))
    return Path(shutil.copytree(finished / "run", tmp_path / "run"))


@pytest.fixture
def make(run: Path) -> Make:
    """A retraining set of the run with some options."""

    def made(**options: Any) -> RetrainingSet:
        with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
            return retraining_set(journal, opened, RetrainingOptions(**options))

    return made


@pytest.fixture
def scenes(run: Path) -> dict[str, Scene]:
    """The scenes of the run by id."""
    with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
        return dict(opened.scenes)


@pytest.fixture
def failing(run: Path) -> dict[str, dict[str, Any]]:
    """The recipe of each failing test or relocation of the run, by the case's id."""
    with closing(journal_of(run)) as journal:
        rows = journal.rows(
            "SELECT id, recipe FROM cases WHERE status = 'failing' "
            "AND role IN ('test', 'relocation')"
        )
    return {id: json.loads(recipe) for id, recipe in rows}
