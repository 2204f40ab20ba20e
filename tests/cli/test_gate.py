"""`snellen gate` as a CI job has it: exit codes, JSON, `junit.xml`, and a run that is cut."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.cli.conftest import Snellen
from tests.processes import Started
from tests.report.comparison.compared_runs import Made, requirement, write_run

Config = Callable[..., Path]
SCENES = [f"s{n:03}" for n in range(50)]
BRIGHT = {"transformation": "brightness", "threshold": 0.5, "thresholds": [0.5]}


def requirement_file(tmp_path: Path, *wanted: dict[str, Any]) -> None:
    values = {"snellen_requirements": 1, "requirements": list(wanted)}
    (tmp_path / "requirements.yaml").write_text(yaml.safe_dump(values))


def write_config(config: Config, **more: Any) -> None:
    asked = {"file": "requirements.yaml", "samples": 1}
    config(**{"method": "requirements", "requirements": asked, **more})


@pytest.mark.parametrize(
    ("made", "code", "words"),
    [
        (Made(), 0, "gate: passed (1 satisfied, 0 undecided, 0 violated)"),
        (Made(found=0.0, changed=0.0), 3, "gate: no verdict"),
    ],
)
def test_the_exit_code_of_a_run_folder(
    made: Made, code: int, words: str, snellen: Snellen, tmp_path: Path
) -> None:
    write_run(tmp_path / "run", made, SCENES, [requirement(margin=0.1)])
    output = snellen("gate", "run")
    assert output.returncode == code, output.stderr
    assert words in output.stdout
    assert (tmp_path / "run" / "junit.xml").exists()


def test_a_violated_requirement_ends_with_1_and_json_says_why(
    snellen: Snellen, tmp_path: Path
) -> None:
    write_run(tmp_path / "run", Made(changed=0.5), SCENES)
    output = snellen("gate", "run", "--json")
    values = json.loads(output.stdout)
    assert output.returncode == values["exit_code"] == 1
    assert values["gate"] == "failed"
    [one] = values["requirements"]
    assert (one["name"], one["status"]) == ("frost", "violated")
    assert one["low"] < one["value"] < one["high"]
    assert "recall of any label falls by" in one["says"]


def test_a_configuration_is_run_and_gated(
    config: Config, fresh_snellen: Snellen, snellen: Snellen, tmp_path: Path
) -> None:
    """Four scenes are too few for a verdict, which is no pass."""
    requirement_file(tmp_path, requirement("bright", **BRIGHT))
    write_config(config, scenes={"kind": "synthetic", "count": 4})
    output = fresh_snellen("gate", "snellen.yaml", "--out", "elsewhere")
    assert output.returncode == 3, output.stderr
    assert "undecided  bright:" in output.stdout
    folder = tmp_path / "elsewhere"
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    assert [one.get("name") for one in suite.findall("testcase")] == ["bright"]
    assert (folder / "report.html").exists()
    again = snellen("gate", "snellen.yaml", "--out", "elsewhere")
    assert again.returncode == 2, "a run that is there is not overwritten"
    assert snellen("gate", folder).returncode == 3, "but can be gated"


def test_mistakes_end_with_2_and_a_broken_subject_with_3(
    config: Config, snellen: Snellen, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    output = snellen("gate", "empty")
    assert (output.returncode, "is not a run folder" in output.stderr) == (2, True)
    requirement_file(tmp_path, requirement("bright", **BRIGHT))
    write_config(config, subject={"kind": "planted", "fault": "raises"}, engine={"retries": 0})
    output = snellen("gate", "snellen.yaml")
    assert output.returncode == 3
    assert "Traceback" not in output.stderr


def test_an_interrupted_gate_ends_with_130_and_says_how_to_resume(
    config: Config, tmp_path: Path, environment: dict[str, str], snellen: Snellen
) -> None:
    requirement_file(tmp_path, requirement("bright", **BRIGHT))
    slow = {"kind": "planted", "fault": "flickers", "sleep_ms": 60, "batch": 1}
    write_config(config, subject=slow, scenes={"kind": "synthetic", "count": 60})
    process = Started(["snellen", "gate", "snellen.yaml"], tmp_path, environment)
    limit = time.monotonic() + 60
    while not (tmp_path / "run" / "journal.sqlite").exists() and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, output = process.communicate(timeout=60)
    assert process.returncode == 130, output
    assert "Resume: snellen gate snellen.yaml --resume" in output
    gated = snellen("gate", "run")
    assert gated.returncode == 3
    assert "incomplete: " in gated.stdout
