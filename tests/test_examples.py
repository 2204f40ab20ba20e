"""Every example configuration runs as it is, with what it says has to be put beside it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import yaml

import snellen as sn
from snellen.report.comparison.comparison import compared
from snellen.report.replay import replay
from snellen.report.report import write_report
from snellen.store.journal import journal_of
from tests.frozen_runs import RECORDED, comparable, frozen, journal_digest, recorded_run

ROOT = Path(__file__).parents[1] / "examples"
CONFIGURATIONS = sorted(
    path.relative_to(ROOT) for path in ROOT.rglob("*.yaml") if ROOT / "plugin" not in path.parents
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What examples generate is there for the next one."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def frames(cache: Path) -> Path:
    """A folder in KITTI's form: the streets of the example of fusion."""
    sn.open_scenes({"kind": "streets", "count": 2}, Path())
    return next((cache / "streets").glob("*-1-2"))


LONGEST = Path("fusion.yaml")
"""Left to `make thorough`; the examples of fusion subjects are shorter runs of the same method."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(one, marks=pytest.mark.thorough if one == LONGEST else ())
        for one in CONFIGURATIONS
    ],
    ids=str,
)
def test_an_example_runs(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    cache: Path,
    shared: Callable[[str], Path],
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    copied = tmp_path / "examples"
    shutil.copytree(ROOT, copied, ignore=shutil.ignore_patterns("runs"))
    values = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    if values.get("scenes", {}).get("root") == "kitti":
        shutil.copytree(request.getfixturevalue("frames"), (copied / path).parent / "kitti")
    if (model := values["subject"].get("camera", {}).get("model")) is not None:
        shutil.copy(shared(f"detectors/{model}"), (copied / path).parent / model)
    summary = sn.run(copied / path).summary
    assert summary.units.errors == 0
    assert summary.cases > 0
    if not summary.subject.deterministic:
        return  # its answers hang on the order of calls, so its rows differ from run to run
    held = frozen(str(path.with_suffix("")).replace("/", "-"))
    assert journal_digest(sn.load_campaign(copied / path).out_folder) == held["journal"]
    assert comparable(summary) == comparable(held["summary"])


@pytest.mark.parametrize("name", RECORDED)
def test_a_run_folder_of_an_earlier_version_still_opens(
    name: str, tmp_path: Path, cache: Path
) -> None:
    folder = recorded_run(name, tmp_path, ROOT)
    summary = write_report(folder, pictures=2)
    assert comparable(summary) == comparable(frozen(f"recorded-{name}")["summary"])
    with closing(journal_of(folder)) as journal:
        [(worst,)] = journal.rows("SELECT id FROM cases WHERE status = 'failing' LIMIT 1")
    assert replay(folder, worst).failing == 1
    found = compared(folder, folder)
    assert found.same.both == summary.failing_cases
