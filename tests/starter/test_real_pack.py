"""The real starter pack, from the real registry where it can be reached."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.starter.fetch import fetch, path_of
from snellen.starter.items import catalogue


@pytest.fixture(scope="module")
def reachable(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where pip cannot download even the smallest package."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--retries", "0", "-q"]
    command += ["--only-binary", ":all:", "-d", str(tmp_path_factory.mktemp("probe")), "iniconfig"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no package registry can be reached with pip")


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))


def test_the_catalogue_pins_every_file_and_notes_every_licence() -> None:
    items = catalogue()
    assert list(items) == [
        "yolov4-tiny",
        "photographs",
        "driving",
        "kitti-lidar",
        "pictures",
        "ssd-mobilenet-v3",
    ]
    for item in items.values():
        pins = [item.wheel.sha256, *(member.sha256 for member in item.members)]
        assert all(re.fullmatch("[0-9a-f]{64}", pin) for pin in pins)
        assert len({member.target for member in item.members}) == len(item.members)
        assert item.licence
        assert item.wheel.file.startswith(f"{item.wheel.project.replace('-', '_')}-")
        tagged = not item.wheel.file.endswith("-none-any.whl")
        assert tagged == bool(item.wheel.platform)
    assert "not-for-profit" in items["driving"].licence
    assert "CC BY-NC-SA" in items["kitti-lidar"].licence


@pytest.mark.usefixtures("reachable", "empty_cache")
def test_yolov4_tiny_comes_from_the_registry() -> None:
    folder = fetch(["yolov4-tiny", "photographs"])["yolov4-tiny"]
    assert len((folder / "coco.names").read_text().split("\n")) >= 80
    assert "[yolo]" in (folder / "yolov4-tiny.cfg").read_text()
    assert (folder / "yolov4-tiny.weights").stat().st_size == 24_251_276
    with Image.open(path_of("photographs") / "bus.jpg") as bus:
        assert bus.size == (810, 1080)


@pytest.mark.usefixtures("reachable", "empty_cache")
def test_the_driving_photographs_have_a_mask_each() -> None:
    folder = fetch(["driving"])["driving"]
    photographs = sorted((folder / "images").rglob("*.jpg"))
    assert len(photographs) == 24
    values: set[int] = set()
    for photograph in photographs:
        mask = folder / "labels" / photograph.parent.name / f"{photograph.stem}.png"
        with Image.open(photograph) as picture, Image.open(mask) as labels:
            assert picture.size == labels.size == (1280, 720)
            values |= set(np.unique(np.asarray(labels)).tolist())
    assert values == {0, 1, 2, 3, 4, 5}


@pytest.mark.usefixtures("reachable", "empty_cache")
def test_a_wheel_of_one_platform_serves_all() -> None:
    folder = fetch(["pictures"])["pictures"]
    with Image.open(folder / "cat.png") as cat:
        assert cat.size == (451, 300)


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("reachable", "empty_cache")
def test_the_demo_proves_at_least_five_faults(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "demo")])
    assert shown.exit_code == 0, shown.output
    summary = json.loads((tmp_path / "demo" / "run" / "summary.json").read_text())
    assert summary["faults"]["proven"] >= 5
    assert f"{summary['faults']['proven']} proven faults in" in shown.output
    decided = summary["verdict"]["status"] != "undecided"
    assert decided or summary["verdict"]["more_scenes"] > 0
