"""Commands treat the plug-in's method as a built-in one."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import yaml

from snellen.engine.campaign import load_campaign
from snellen.engine.schema import configuration_schema
from snellen.methods.kind import METHODS
from snellen.report.gate import required
from snellen.scenes.registry import open_scenes
from tests.plugin.conftest import PERFECT, PLUGIN, SCENES, Made, Snellen, write_configuration


@pytest.mark.parametrize(
    ("name", "code", "word"),
    [("perfect", 0, "passed"), ("one-eyed", 1, "failed"), ("few", 3, "no verdict")],
)
def test_a_gate_decides_by_its_requirement(
    name: str, code: int, word: str, a_run: Made, snellen: Snellen
) -> None:
    done = snellen("gate", a_run(name))
    assert done.returncode == code, done.stderr
    assert f"gate: {word}" in done.stdout
    assert "of mirrored scenes break: " in done.stdout


def test_a_gate_runs_a_configuration(tmp_path: Path, snellen: Snellen) -> None:
    path = write_configuration(tmp_path, subject=PERFECT, mirror={"tolerated": 0.25})
    assert required(path) == ("at most 25% of mirrored scenes break",)
    done = snellen("gate", "mirror.yaml", "--json")
    assert done.returncode == 0, done.stderr
    [told] = json.loads(done.stdout)["requirements"]
    assert (told["name"], told["status"]) == (required(path)[0], "satisfied")
    assert required(tmp_path / "run") == required(path)


def test_init_writes_its_options_with_comments(tmp_path: Path, snellen: Snellen) -> None:
    done = snellen("init", "new.yaml", "--method", "mirror")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "new.yaml").read_text()
    assert "method: mirror  # one of: " in text
    assert "  # tolerated: 0.05  # share of scenes that may break; a gate decides by it" in text
    assert "  # iou: 0.5  # IoU from which" in text
    assert "objects:" not in text, "it needs none"
    assert load_campaign(tmp_path / "new.yaml").options == {"iou": 0.5, "tolerated": 0.05}


def test_check_shows_what_the_subject_sees(tmp_path: Path, snellen: Snellen) -> None:
    write_configuration(tmp_path)
    done = snellen("check", "mirror.yaml")
    assert done.returncode == 0, done.stderr
    assert "one-eyed" in done.stdout


def test_mistakes_in_its_options_are_named(tmp_path: Path, snellen: Snellen) -> None:
    write_configuration(tmp_path, mirror={"tolerate": 0.1})
    done = snellen("run", "mirror.yaml")
    assert done.returncode == 2
    assert "mirror.yaml: mirror.tolerate: unknown key; did you mean 'tolerated'?" in done.stderr


def test_the_schema_has_its_options(snellen: Snellen) -> None:
    schema = json.loads(snellen("schema").stdout)
    assert schema == configuration_schema()
    assert schema["properties"]["method"]["enum"] == METHODS.kinds()
    options = schema["$defs"]["MirrorOptions"]["properties"]
    assert options["tolerated"]["description"].startswith("share of scenes that may break")
    example = yaml.safe_load((PLUGIN / "mirror.yaml").read_text())
    jsonschema.validate(example, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**example, "mirror": {"tolerated": 2}}, schema)


def test_the_published_schema_leaves_plugins_out(snellen: Snellen) -> None:
    schema = json.loads(snellen("schema", "--builtin").stdout)
    published = PLUGIN.parents[1] / "docs" / "reference" / "configuration.schema.json"
    assert schema == json.loads(published.read_text())
    assert "mirror" not in schema["properties"]


def test_findings_are_exported_with_boxes_where_the_objects_are(
    a_run: Made, tmp_path: Path, snellen: Snellen
) -> None:
    run = a_run("one-eyed")
    done = snellen("export", run, "--out", tmp_path / "set")
    assert done.returncode == 0, done.stderr
    place = tmp_path / "set"
    values = {
        "kind": "coco",
        "annotations": str(place / "instances.json"),
        "images": str(place / "images"),
    }
    scenes = open_scenes(values, tmp_path)
    originals = {scene.id: scene for scene in open_scenes(SCENES, tmp_path)}
    looked = 0
    for scene in scenes:
        source = originals[scene.id.removesuffix(".png").rsplit("-", 1)[0]]
        pixels, known = scene.pixels(), scene.annotations
        assert np.array_equal(pixels, source.pixels()[:, ::-1])
        assert known is not None
        assert source.annotations is not None
        assert len(known) == len(source.annotations)
        for box in known.boxes.round().astype(int).tolist():
            x1, y1, x2, y2 = box
            middle = pixels[(y1 + y2) // 2, (x1 + x2) // 2].astype(int)
            assert np.ptp(middle) > 100, f"{scene.id}: no object at {box}"
            looked += 1
    assert looked > 10
