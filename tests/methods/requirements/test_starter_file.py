"""From nothing to a gate: the requirements that `snellen init` writes, and what they can decide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from snellen.cli.main import app
from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.planned_checks import share_of_scenes
from snellen.methods.requirements.specification.requirement_file import read_requirements
from snellen.report.summary import write_summary
from snellen.scenes.pictures import write_picture
from tests.methods.requirements.simulated_evidence import requirement

SUBJECT = """
import numpy as np
import snellen as sn

classes = ["person", "bird", "kite"]


def detect(images):
    boxes = np.array([[8, 8, 40, 40]], dtype=np.float32)
    one = sn.Detections(boxes, np.array([0]), np.array([0.9], dtype=np.float32))
    return [one for _ in images]


detect.classes = classes
"""


def data(folder: Path, names: list[str], scenes: int = 12, annotated: bool = True) -> Path:
    """A COCO file with one object of the first name a scene, and one of the second in the first."""
    (folder / "images").mkdir()
    rng = np.random.default_rng(1)
    for number in range(scenes):
        pixels = rng.integers(0, 256, (48, 64, 3), np.uint8)
        write_picture(folder / "images" / f"{number}.png", pixels)
    if not annotated:
        return folder / "images"
    labels = [(number, 1) for number in range(scenes)] + [(0, 2)] * (len(names) > 1)
    found = {
        "images": [
            {"id": n, "file_name": f"{n}.png", "height": 48, "width": 64} for n in range(scenes)
        ],
        "categories": [{"id": k, "name": name} for k, name in enumerate(names, 1)],
        "annotations": [
            {"id": k, "image_id": n, "category_id": c, "bbox": [8, 8, 32, 32], "area": 1024}
            for k, (n, c) in enumerate(labels, 1)
        ],
    }
    path = folder / "instances.json"
    path.write_text(json.dumps(found))
    return path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def init(folder: Path, scenes: Path, *more: str) -> Result:
    (folder / "watcher.py").write_text(SUBJECT)
    subject = ["--subject", str(folder / "watcher.py")]
    config = str(folder / "my.yaml")
    return call(
        "init", config, "--method", "requirements", *subject, "--scenes", str(scenes), *more
    )


def test_the_file_that_init_writes_runs_to_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    assert init(tmp_path, data(tmp_path, ["person", "bird", "kite"])).exit_code == 0
    found = read_requirements(tmp_path / "my-requirements.yaml")
    assert {one.label for one in found} == {"person"}, "one scene with a bird decides nothing"
    assert {one.transformation for one in found} == {"frost", "brightness"}
    assert {one.kind for one in found} == {"correctness"}
    checked = call("check", str(tmp_path / "my.yaml"))
    assert checked.exit_code == 0
    shown = checked.output
    assert shown.index("before anything is asked") < shown.index("subject")
    for one in found:
        assert f"{one.name}: 12 usable scenes" in shown
    path = tmp_path / "my.yaml"
    path.write_text(path.read_text().replace("engine:", "engine: {workers: 0, explain: 0}"))
    campaign = load_campaign(path, ["requirements.samples=1"])
    run_campaign(campaign)
    summary = write_summary(campaign.out_folder)
    assert [one.name for one in summary.requirements] == [one.name for one in found]


def test_scenes_without_annotations_get_requirements_of_preservation(tmp_path: Path) -> None:
    assert init(tmp_path, data(tmp_path, [], annotated=False)).exit_code == 0
    found = read_requirements(tmp_path / "my-requirements.yaml")
    assert {one.kind for one in found} == {"preservation"}


def test_classes_without_published_thresholds_are_reported_with_what_to_do(
    tmp_path: Path,
) -> None:
    found = init(tmp_path, data(tmp_path, ["kite"]))
    assert isinstance(found.exception, UserError)
    message = str(found.exception)
    assert "which there are for bird, bus, person" in message
    assert "snellen thresholds DATA" in message
    assert not (tmp_path / "my.yaml").exists()


def test_an_existing_requirement_file_is_kept_unless_forced(tmp_path: Path) -> None:
    scenes = data(tmp_path, ["person"])
    (tmp_path / "my-requirements.yaml").write_text("mine")
    assert isinstance(init(tmp_path, scenes).exception, UserError)
    assert (tmp_path / "my-requirements.yaml").read_text() == "mine"
    assert init(tmp_path, scenes, "--force").exit_code == 0
    assert read_requirements(tmp_path / "my-requirements.yaml")


@pytest.mark.parametrize(
    ("values", "samples", "share"),
    [
        ({"threshold": 0.9}, 4, 1.0),
        ({"threshold": 0.2}, 4, 0.8),
        ({"threshold": 0.3, "kind": "preservation"}, 4, 0.4),
        ({"threshold": 0.9, "kind": "preservation"}, 4, 0.8),
        ({"threshold": 0.9, "thresholds": (0.1, 0.9)}, 4, 0.4),
        ({"threshold": 0.2, "kind": "preservation"}, 4, 0.0),
    ],
)
def test_only_scenes_with_a_case_below_the_threshold_can_be_used(
    values: dict[str, Any], samples: int, share: float
) -> None:
    options = RequirementOptions(file=Path("any"), samples=samples)
    assert share_of_scenes(requirement(**values), options) == pytest.approx(share)
