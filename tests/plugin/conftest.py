"""The method of `examples/plugin`, installed, and runs of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.report.report import write_report
from tests.installed_packages import installation
from tests.processes import Done, finished

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"
EXAMPLE: dict[str, Any] = yaml.safe_load((PLUGIN / "mirror.yaml").read_text(encoding="utf-8"))
SCENES = {**EXAMPLE["scenes"], "count": 16, "size": [144, 192], "sides": [20, 36]}
PERFECT = {"kind": "planted"}

Made = Callable[[str], Path]
Snellen = Callable[..., Done]


@pytest.fixture(scope="package", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installation(PLUGIN, tmp_path_factory.mktemp("metadata")):
        yield


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder that no other test has."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))


def write_configuration(folder: Path, **changes: Any) -> Path:
    """`mirror.yaml` with fewer scenes and some keys changed, beside the subject of the example."""
    values = {**EXAMPLE, "scenes": SCENES, "engine": {"workers": 0}, "out": "run", **changes}
    shutil.copy(PLUGIN / "one_eyed.py", folder)
    path = folder / "mirror.yaml"
    path.write_text(yaml.safe_dump(values), encoding="utf-8")
    return path


RUNS: dict[str, dict[str, Any]] = {
    "one-eyed": {},
    "perfect": {"subject": PERFECT, "mirror": {"tolerated": 0.25}},
    "few": {"subject": PERFECT, "scenes": {**SCENES, "count": 3}},
}


@pytest.fixture(scope="package")
def kept_run(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Made:
    """The folder of a finished run by its name in `RUNS`; not to be written to."""
    made: dict[str, Path] = {}

    def run(name: str) -> Path:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("SNELLEN_CACHE", str(folder / "cache"))
                campaign = load_campaign(write_configuration(folder, **RUNS[name]))
                run_campaign(campaign)
                write_report(folder / "run")
            made[name] = folder / "run"
        return made[name]

    return run


@pytest.fixture
def a_run(kept_run: Made, tmp_path: Path) -> Made:
    """A copy of a finished run."""

    def copied(name: str) -> Path:
        place = tmp_path / name
        shutil.copytree(kept_run(name), place)
        return place

    return copied


@pytest.fixture
def snellen(tmp_path: Path) -> Snellen:
    """Run `snellen` with arguments in the test's folder."""

    def run(*arguments: object) -> Done:
        return finished(["snellen", *arguments], tmp_path, {**os.environ, "COLUMNS": "200"})

    return run
