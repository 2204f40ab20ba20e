"""What each command says and leaves behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from PIL import Image
from typer.testing import CliRunner

import snellen as package
from snellen.cli.main import app
from snellen.engine.campaign import load_campaign
from snellen.starter.demo import offline_values
from tests.cli.conftest import Snellen
from tests.frozen_runs import comparable, frozen, journal_digest

Config = Callable[..., Path]

HEAVY = ("torch", "scipy.stats", "sklearn", "trimesh", "numba", "cv2", "onnxruntime", "onnx")


def modules_after(code: str) -> set[str]:
    """Names of the modules that a fresh Python has loaded after running some code."""
    listed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(listed.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        "import snellen",
        "import snellen.cli.main",
        "import snellen.cli.check",
        "import sys; from snellen.cli.main import app\n"
        "sys.argv = ['snellen', '--help']\n"
        "try: app()\nexcept SystemExit: pass",
    ],
)
def test_no_heavy_library_is_imported_at_the_start(code: str) -> None:
    loaded = modules_after(code)
    assert not loaded & set(HEAVY)
    assert "numpy" not in loaded, "not even numpy is needed to print help"
    assert "pydantic" not in loaded


def test_version(fresh_snellen: Snellen) -> None:
    assert fresh_snellen("--version").stdout.strip() == f"snellen {package.__version__}"


def test_help_lists_the_commands(fresh_snellen: Snellen) -> None:
    text = fresh_snellen("--help").stdout
    assert all(name in text for name in ("init", "check", "run", "starter", "demo"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sceens": {}}, ["sceens: unknown key; did you mean 'scenes'?"]),
        ({"seed": "one"}, ["seed: found 'one'", "valid integer"]),
        ({"method": "identty"}, ["unknown method 'identty'; did you mean 'identity'?"]),
        ({"subject": {"kind": "plantd"}}, ["subject.kind: unknown subject 'plantd'", "planted"]),
        ({"subject": {"scor": 0.3}}, ["subject.scor: unknown key; did you mean 'score'?"]),
        ({"subject": {"score": 3}}, ["subject.score: found 3", "less than or equal to 1"]),
        ({"scenes": {"kind": "cocoo"}}, ["scenes.kind: unknown scenes 'cocoo'", "coco"]),
        ({"identity": {"repeat": 2}}, ["identity.repeat: unknown key; did you mean 'repeats'?"]),
        ({"engine": {"batch": "many"}}, ["engine.batch", "found 'many'"]),
        ({"engine": {"retry": 1}}, ["engine.retry: unknown key; did you mean 'retries'?"]),
        ({"method": None}, ["method: found None"]),
    ],
)
def test_a_mistake_in_the_configuration_is_reported_with_its_place(
    change: dict[str, object], words: list[str], config: Config, snellen: Snellen, tmp_path: Path
) -> None:
    path = config(**change)
    output = snellen("run", path.name)
    assert output.returncode == 2
    assert "snellen.yaml" in output.stderr
    assert all(word in output.stderr for word in words), output.stderr
    assert "Traceback" not in output.stderr
    assert not (tmp_path / "run").exists(), "nothing is half-written"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("method: [", "not valid YAML"),
        ("- a\n- b", "found list, expected keys and values"),
        ("", "found NoneType, expected keys and values"),
        ("method: identity\nscenes: {kind: synthetic}", "subject: missing; it must be given"),
        ("method: identity\nsubject: 3\nscenes: {}", "subject: found 3"),
    ],
)
def test_a_file_that_is_no_configuration_is_reported(
    text: str, words: str, snellen: Snellen, tmp_path: Path
) -> None:
    (tmp_path / "broken.yaml").write_text(text)
    output = snellen("run", "broken.yaml")
    assert output.returncode == 2
    assert words in output.stderr
    assert "broken.yaml" in output.stderr


def test_a_missing_configuration_points_to_init(snellen: Snellen) -> None:
    output = snellen("run", "nowhere.yaml")
    assert output.returncode == 2
    assert "nowhere.yaml: no such file. `snellen init` writes one" in output.stderr


def test_a_missing_model_and_missing_scenes_name_the_file(config: Config, snellen: Snellen) -> None:
    config(scenes={"kind": "synthetic", "count": 2})
    output = snellen("run", "snellen.yaml", "--set", "subject={kind: onnx, model: gone.onnx}")
    assert output.returncode == 2
    assert "gone.onnx" in output.stderr
    output = snellen("run", "snellen.yaml", "--set", "scenes={kind: folder, path: gone}")
    assert output.returncode == 2
    assert "gone" in output.stderr
    assert "Traceback" not in output.stderr


def test_set_overrides_a_key_and_refuses_what_is_no_assignment(
    config: Config, snellen: Snellen, tmp_path: Path
) -> None:
    config()
    done = snellen("run", "snellen.yaml", "--set", "scenes.count=3", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scenes"] == 3
    saved = yaml.safe_load((tmp_path / "run" / "config.yaml").read_text())
    assert saved["scenes"]["count"] == 3
    output = snellen("run", "snellen.yaml", "--set", "scenes.count")
    assert output.returncode == 2
    assert "expected key=value" in output.stderr


def test_the_saved_configuration_runs_again_from_anywhere(
    config: Config, snellen: Snellen, tmp_path: Path
) -> None:
    config(scenes={"kind": "synthetic", "count": 3})
    assert snellen("run", "snellen.yaml").returncode == 0
    again = snellen("run", tmp_path / "run" / "config.yaml", "--resume")
    assert again.returncode == 0, again.stderr
    same = load_campaign(tmp_path / "run" / "config.yaml")
    assert same.digest() == load_campaign(tmp_path / "snellen.yaml").digest()


def test_the_summary_has_the_numbers_that_are_promised(
    config: Config, fresh_snellen: Snellen
) -> None:
    config(subject={"kind": "planted", "fault": "restless"})
    summary = json.loads(fresh_snellen("run", "snellen.yaml", "--json").stdout)
    promised = {
        "snellen_version", "method", "subject", "seed", "scenes", "cases", "questions",
        "cache_hits", "failing_cases", "failure_rate", "control", "events", "by_class", "seconds",
        "requirements",
    }  # fmt: skip
    assert promised <= set(summary)
    assert {"value", "low", "high"} <= set(summary["failure_rate"])
    assert {"cases", "failing", "rate"} <= set(summary["control"])
    assert {"name", "fingerprint"} <= set(summary["subject"])
    assert {"total", "subject", "building"} <= set(summary["seconds"])


def test_the_terminal_shows_what_was_found_and_what_to_do(config: Config, snellen: Snellen) -> None:
    config(subject={"kind": "planted", "fault": "restless"})
    done = snellen("run", "snellen.yaml")
    assert done.returncode == 0
    assert "95% interval" in done.stdout
    assert "Next: " in done.stdout


def test_a_subject_that_always_fails_ends_with_3(config: Config, snellen: Snellen) -> None:
    config(subject={"kind": "planted", "fault": "raises"}, engine={"retries": 0})
    output = snellen("run", "snellen.yaml")
    assert output.returncode == 3
    assert "a planted fault" in output.stderr
    assert "Traceback" not in output.stderr


def test_a_subject_that_hangs_for_ever_does_not_keep_the_process(
    config: Config, fresh_snellen: Snellen
) -> None:
    hanging = {"kind": "planted", "fault": "hangs", "seconds": 3600}
    config(subject=hanging, engine={"retries": 0, "item_timeout": 0.1, "give_up": 2})
    assert fresh_snellen("run", "snellen.yaml").returncode == 3


def test_check_says_what_it_understood_and_draws_it(
    config: Config, snellen: Snellen, tmp_path: Path
) -> None:
    config()
    output = snellen("check", "snellen.yaml", "--json")
    assert output.returncode == 0, output.stderr
    facts = json.loads(output.stdout)
    assert facts["scenes"]["count"] == facts["scenes"]["annotated"] == 12
    assert facts["scenes"]["shared_classes"] == 6
    assert len(facts["objects"]) == 3
    assert facts["ap"]["value"] == facts["ap"]["high"] == 1
    assert facts["ap"]["scenes"] == 12
    assert facts["suggestions"] == facts["unverified"] == []
    assert facts["understood"]["task"] == "detection"
    assert all(count > 0 for count in facts["objects"].values())
    with Image.open(tmp_path / "snellen-check.png") as picture:
        assert picture.width > 3 * 400
    plain = snellen("check", "snellen.yaml")
    assert "ms per input" in plain.stdout
    assert "AP           1.000, 95% interval 0.735 to 1.000" in plain.stdout
    assert "a detector: a box, a class and a score for each object" in plain.stdout
    assert "in 12 of 12 scenes; 6 of their 6 classes are also the subject's" in plain.stdout
    assert plain.stderr.startswith("checking snellen.yaml: loading"), "the first thing it says"


def test_check_warns_when_no_class_is_shared(config: Config, fresh_snellen: Snellen) -> None:
    config(subject={"kind": "planted", "classes": ["a", "b", "c", "d", "e", "f"]})
    said = fresh_snellen("check", "snellen.yaml").stdout
    assert "have no class name in common: the scenes have tomato" in said
    assert "the subject has a, b, c" in said


def test_the_offline_demonstration_needs_nothing(
    snellen: Snellen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = snellen("demo", "--offline")
    assert shown.returncode == 0, shown.stderr
    summary = json.loads((tmp_path / "demo" / "run" / "summary.json").read_text())
    held = frozen("demo-offline")
    assert journal_digest(tmp_path / "demo" / "run") == held["journal"], "not the rows of always"
    assert comparable(summary) == comparable(held["summary"])
    assert summary["failing_cases"] > 0
    assert summary["control"]["failing"] == 0
    assert summary["verdict"]["status"] == "failures"
    assert summary["faults"]["proven"] == summary["faults"]["count"] > 0, "all of it is planted"
    assert shown.stdout.startswith("Testing a built-in detector with a planted fault")
    first = shown.stdout.index(f"{summary['faults']['proven']} proven faults in ")
    assert first < shown.stdout.index("95% interval"), "facts come before rates"
    assert (tmp_path / "demo" / "run" / "report.html").exists()
    assert str(tmp_path / "demo" / "run" / "report.html") in shown.stdout
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    few = {**offline_values(), "scenes": {"kind": "synthetic", "count": 1}}
    monkeypatch.setattr("snellen.starter.demo.offline_values", lambda: few)
    again = CliRunner().invoke(app, ["demo", "--offline", "--seed", "7"])
    assert again.exit_code == 0, "a second time works as well"
    repeated = json.loads((tmp_path / "demo" / "run" / "summary.json").read_text())
    assert (repeated["scenes"], repeated["seed"], summary["seed"]) == (1, 7, 1)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("do not touch")
    assert snellen("demo", "--offline", "--out", "other").returncode == 2
    assert (tmp_path / "other" / "thesis.txt").exists()


INSERTION = {
    "method": "insertion",
    "subject": {"kind": "planted", "fault": "phantom", "distance": 12},
    "scenes": {"kind": "synthetic", "count": 2},
    "objects": {"kind": "synthetic", "count": 20, "shade": "deep", "seed": 2},
}


def test_one_flag_runs_a_method_as_published(config: Config, snellen: Snellen) -> None:
    config(**INSERTION)
    ours = json.loads(snellen("run", "snellen.yaml", "--json", "--out", "ours").stdout)
    output = snellen("run", "snellen.yaml", "--json", "--out", "theirs", "--as-published")
    theirs = json.loads(output.stdout)
    assert ours["failing_cases"] != theirs["failing_cases"]
    config()
    refused = snellen("run", "snellen.yaml", "--as-published")
    assert refused.returncode == 2
    assert "method 'identity' has no published form" in refused.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"objects": None}, "method insertion needs `objects`"),
        ({"objects": {"kind": "librry", "path": "x"}}, "did you mean 'library'"),
        ({"objects": {"kind": "synthetic", "cutt": 1}}, "objects.cutt: unknown key"),
        ({"insertion": {"measures": ["seems"]}}, "did you mean 'seam'"),
        ({"insertion": {"footing": "region"}}, "has no mask"),
        ({"insertion": {"placement": "guide"}}, "insertion.placement: found 'guide'"),
        ({"subject": {"kind": "planted", "read_as": "labels"}}, "answers with labels"),
    ],
)
def test_mistakes_about_insertion_are_reported(
    change: dict[str, object], words: str, config: Config, snellen: Snellen
) -> None:
    config(**{**INSERTION, **change})
    output = snellen("run", "snellen.yaml")
    assert output.returncode == 2, output.stderr
    assert words in output.stderr
    assert "Traceback" not in output.stderr
