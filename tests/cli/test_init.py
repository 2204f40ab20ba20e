"""From what a user has to a verdict: what `snellen init` writes runs as it is."""

from __future__ import annotations

import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.engine.campaign import load_campaign
from snellen.methods.kind import METHODS
from snellen.scenes.registry import open_scenes
from snellen.scenes.writers import write_scenes
from tests.cli.conftest import Snellen
from tests.subjects.model_file.colour_detector import colour_detector

CLASSES = ["person", "bird", "car", "dog", "boat", "cat"]
"""Some have published thresholds of human performance, which `requirements` starts from."""
FEW = {
    "combinations": ["combinations.max_present=2", "combinations.images=1"],
    "requirements": ["requirements.samples=1"],
    "fusion": ["fusion.objects=1", "fusion.tries=1", "fusion.controls=0"],
}
"""Overrides that keep a run short."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Annotated photographs, objects to insert, and the options of subjects that know them."""
    sources: dict[str, dict[str, Any]] = {
        "photos": {"count": 6, "seed": 5},
        "things": {"count": 8, "seed": 2, "shade": "deep"},
    }
    for name, values in sources.items():
        options = {"kind": "synthetic", "classes": CLASSES, "sides": [40, 60], **values}
        write_scenes(open_scenes(options, tmp_path), "coco", tmp_path / name)
    for name, kind in {"subject": "planted", "lidar": "planted-3d"}.items():
        subject = {"kind": kind, **({"classes": CLASSES} if kind == "planted" else {})}
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump({"subject": subject}))
    streets = {"scenes": {"kind": "streets", "count": 1}}
    (tmp_path / "streets.yaml").write_text(yaml.safe_dump(streets))
    return tmp_path


@pytest.mark.parametrize(
    "method",
    [
        pytest.param(name, marks=pytest.mark.thorough if name == "fusion" else ())
        for name in METHODS.builtin
    ],
)
def test_what_init_writes_is_checked_run_and_gated_as_it_is(
    method: str, data: Path, snellen: Snellen
) -> None:
    given = ["--subject", "subject.yaml", "--scenes", "photos", "--objects", "things"]
    if method == "fusion":
        if find_spec("pypatchworkpp") is None:
            pytest.skip("the extra 'fusion' is not installed")
        given = ["--subject", "lidar.yaml", "--scenes", "streets.yaml"]
    made = snellen("init", *given, "--method", method)
    assert made.returncode == 0, made.stderr
    commands = [line.partition("#")[0].split() for line in made.stdout.splitlines()[-3:]]
    assert [words[:2] for words in commands] == [
        ["snellen", "check"],
        ["snellen", "run"],
        ["snellen", "gate"],
    ]
    few = [word for one in FEW.get(method, []) for word in ("--set", one)]
    for command in commands[:2]:
        budget = ["--set", "engine.questions=60"] if method != "requirements" else []
        done = snellen(*command[1:], *few, *budget, "--set", "engine.workers=0")
        assert done.returncode == 0, f"{command}: {done.stderr}\n{done.stdout}"
    gated = snellen(*commands[2][1:])
    assert gated.returncode in (0, 1, 3), gated.stderr
    assert "gate: " in gated.stdout


def test_the_run_folder_is_one_that_is_free(data: Path, snellen: Snellen) -> None:
    for number, out in enumerate(["runs/identity", "runs/identity-2", "runs/identity-3"]):
        given = ["--subject", "subject.yaml", "--scenes", "photos", "--method", "identity"]
        done = snellen("init", f"{number}.yaml", *given)
        assert done.returncode == 0, done.stderr
        assert load_campaign(data / f"{number}.yaml").out == out
        assert done.stdout.splitlines()[-1].startswith(f"  snellen gate {out} ")
        (data / out).mkdir(parents=True)
        (data / out / "journal.sqlite").touch()


@pytest.mark.parametrize(
    ("given", "words", "end"),
    [
        ("--scenes gone", "gone: no such file or folder", "snellen docs scenes"),
        ("--scenes empty", "empty: no image found among its 0 files", "snellen docs scenes"),
        ("--subject gone.onnx", "gone.onnx: no such model file", "subjects-model-files"),
        ("--subject empty.onnx --scenes photos", "empty.onnx", "subjects-model-files"),
        ("--scenes photos --objects gone", "gone: no such file or folder", "docs scenes"),
        ("--scenes photos --objects empty", "empty: no image found", "docs scenes"),
        ("--scenes bare", "the 1 scenes have no annotations", "snellen docs objects"),
        ("--subject subject.yaml --scenes photos --method fusion", "tests camera+LiDAR", "photos"),
        ("--method insertions", "did you mean 'insertion'?", "snellen init --help"),
        ("subject.yaml", "subject.yaml: already exists", "snellen check subject.yaml"),
        ("nowhere/new.yaml", "there is no folder nowhere", "mkdir -p nowhere"),
        ("--subject photos/other.yaml", "photos/other.yaml: its paths start at", "..."),
    ],
)
def test_what_is_not_there_is_refused_and_nothing_is_written(
    given: str, words: str, end: str, data: Path, snellen: Snellen
) -> None:
    (data / "empty").mkdir()
    (data / "empty.onnx").touch()
    picture = next((data / "photos").rglob("*.png"))
    (data / "bare").mkdir()
    (data / "bare" / "1.png").write_bytes(picture.read_bytes())
    (data / "photos" / "other.yaml").write_text("subject: {kind: onnx, model: a.onnx}")
    before = sorted(data.rglob("*"))
    done = snellen("init", *shlex.split(given))
    assert done.returncode == 2, done.stdout
    assert words in done.stderr
    assert done.stderr.rstrip().endswith(end), done.stderr
    assert sorted(data.rglob("*")) == before


def test_a_model_beside_its_data_is_named_relative_to_the_file(
    data: Path, snellen: Snellen
) -> None:
    colour_detector(data / "net.onnx")
    (data / "sub").mkdir()
    made = snellen("init", "sub/my.yaml", "--subject", "net.onnx", "--scenes", "photos")
    assert made.returncode == 0, made.stderr
    campaign = load_campaign(data / "sub" / "my.yaml")
    assert campaign.subject["model"] == "../net.onnx"
    assert campaign.scenes is not None
    assert campaign.scenes["kind"] == "coco", "annotations beside the images are found"
    assert campaign.objects is not None
    assert campaign.objects["images"] == campaign.scenes["images"], "objects come from the scenes"
    text = (data / "sub" / "my.yaml").read_text()
    assert text.count("  # ") > 20, "a commented configuration has comments"


def test_code_that_names_no_classes_gets_those_of_the_scenes(data: Path, snellen: Snellen) -> None:
    (data / "code.py").write_text(
        "def detect(images):\n    return [([], [], []) for _ in images]\n"
    )
    given = ["--subject", "code.py", "--scenes", "photos", "--method", "identity"]
    made = snellen("init", *given)
    assert made.returncode == 0, made.stderr
    assert load_campaign(data / "snellen.yaml").subject["classes"] == CLASSES


def test_without_a_model_the_file_says_what_to_fill_in(tmp_path: Path, snellen: Snellen) -> None:
    made = snellen("init")
    assert made.returncode == 0, made.stderr
    assert "Fill in first: `subject`, `scenes`" in made.stdout
    assert load_campaign(tmp_path / "snellen.yaml").method == "insertion"


def test_invalid_scenes_are_skipped_now_and_by_the_file(data: Path, snellen: Snellen) -> None:
    next((data / "photos").rglob("*.png")).unlink()
    given = ["init", "--subject", "subject.yaml", "--scenes", "photos", "--method", "identity"]
    refused = snellen(*given)
    assert refused.returncode == 2
    assert "--skip-invalid" in refused.stderr
    made = snellen(*given, "--skip-invalid")
    assert made.returncode == 0, made.stderr
    assert load_campaign(data / "snellen.yaml").skip_invalid
    done = snellen("run", "snellen.yaml", "--set", "engine.workers=0")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("folder", ["photos", "run"])
def test_a_folder_in_place_of_a_configuration_is_named(
    folder: str, data: Path, snellen: Snellen
) -> None:
    (data / "run").mkdir()
    (data / "run" / "config.yaml").touch()
    done = snellen("check", folder)
    assert done.returncode == 2
    assert f"{folder}: is a folder, expected a configuration file" in done.stderr
    command = "report run" if folder == "run" else "init --scenes photos"
    assert done.stderr.rstrip().endswith(f"Next: snellen {command}")
