"""`snellen demo --fusion` works on a machine without a network, and a second time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.errors import MissingExtraError
from snellen.starter.fusion_demo import fusion_values, prepare_streets

pytest.importorskip("pypatchworkpp")


@pytest.fixture
def one_street(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the demonstration, which is cut to one street and a few questions."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    smaller = {**fusion_values(), "fusion": {"objects": 1, "tries": 2, "controls": 0.5}}
    monkeypatch.setattr("snellen.starter.fusion_demo.STREETS", 1)
    monkeypatch.setattr("snellen.starter.fusion_demo.fusion_values", lambda: smaller)
    monkeypatch.setattr("snellen.starter.fetch.fetch", _nothing_is_fetched)
    return tmp_path / "demo"


def _nothing_is_fetched(*_: object) -> None:
    raise AssertionError("the demonstration of fusion needs no download")


@pytest.mark.timeout(900)  # all that is compiled for streets may be compiled here first
def test_the_fusion_demonstration_needs_nothing_and_can_be_repeated(one_street: Path) -> None:
    shown = CliRunner().invoke(app, ["demo", "--fusion", "--out", str(one_street)])
    assert shown.exit_code == 0, shown.output
    summary = json.loads((one_street / "run" / "summary.json").read_text())
    assert summary["method"] == "fusion"
    assert summary["subject"]["name"].startswith("weak-fusion")
    assert summary["units"]["errors"] == 0
    assert summary["cases"] > 0
    assert summary["control"]["cases"] > 0
    assert (one_street / "run" / "report.html").exists()
    for place in ("image_2/000000.png", "velodyne/000000.bin", "label_2/000000.txt"):
        assert (one_street / "streets" / "training" / place).exists()
    assert "report.html" in shown.output

    image = one_street / "streets" / "training" / "image_2" / "000000.png"
    written = image.stat().st_mtime_ns
    prepare_streets(one_street)
    assert image.stat().st_mtime_ns == written, "streets are generated once"


def test_the_configuration_names_no_place_of_this_machine() -> None:
    values = fusion_values()
    assert values["scenes"]["root"] == "streets"
    assert values["subject"]["camera"]["model"] == "camera.onnx"
    assert str(Path.home()) not in yaml.safe_dump(values)


def test_a_missing_extra_is_reported_before_streets_are_generated(
    one_street: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("snellen.starter.fusion_demo.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="fusion"):
        prepare_streets(one_street)
    assert not one_street.exists()
