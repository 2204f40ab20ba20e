"""The examples of the how-to page on trackers run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import snellen as sn
from snellen.session.trackers.logged_run import logged_run

TEXT = (Path(__file__).parents[3] / "docs" / "how-to" / "trackers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(autouse=True)
def first_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "MLFLOW_ALLOW_FILE_STORE": "true",
        "MLFLOW_TRACKING_URI": (tmp_path / "mlruns").as_uri(),
        "WANDB_MODE": "offline",
        "WANDB_SILENT": "true",
    }.items():
        monkeypatch.setenv(name, value)
    values = {"method": "identity", "subject": {"kind": "planted"}, "engine": {"workers": 0}}
    sn.run({**values, "scenes": {"kind": "synthetic", "count": 1}, "out": "runs/first"})


@pytest.mark.parametrize("package", ["mlflow", "wandb"])
def test_the_example_runs(package: str) -> None:
    pytest.importorskip(package, reason=f"the extra {package} is not installed")
    [code] = [block for block in BLOCKS if f"import {package}" in block]
    exec(compile(code, "trackers.md", "exec"), {"__name__": "page"})


def test_every_name_is_on_the_page() -> None:
    found = logged_run("runs/first")
    names = {name.rpartition("/")[2] for name in {*found.params, *found.metrics}}
    assert not [name for name in names if f"`{name}`" not in TEXT]
