"""`snellen study power` as a user has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from snellen.cli.study.group import app
from snellen.errors import UserError

CONFIG = """
name: small
contact: owner@example.org
scenes: {kind: synthetic, count: 40}
classes: [lemon, lime, tomato, orange]
tasks: [classify, classify-box, localise]
corruptions: [frost, contrast]
samples: 200
"""


def asked(*words: object) -> str:
    result = CliRunner().invoke(app, ["power", *map(str, words), "--simulations", "2"])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "study.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def test_a_width_is_answered_in_a_sentence() -> None:
    text = asked("--width", 0.2)
    assert "an interval 0.2 long takes" in text
    assert "participants with 20 answers each" in text
    assert "hold the truth" in text


def test_a_configuration_is_planned_by_task(config: Path) -> None:
    found = json.loads(asked(config, "--width", 0.2, "--json"))
    assert [one["task"] for one in found] == ["classify", "classify-box", "localise"]
    people = [one["participants"] for one in found]
    assert people == sorted(people, reverse=True)  # the less can be guessed, the fewer
    # 20 pictures, 5 of them originals, which serve both corruptions
    assert {one["answers_each"] for one in found} == {12}
    assert found[0]["planned"]["participants"] == 50


def test_the_same_seed_gives_the_same_figures(config: Path) -> None:
    assert asked(config, "--seed", 3, "--width", 0.2) == asked(config, "--seed", 3, "--width", 0.2)


def test_too_few_scenes_are_said_to_be_too_few(config: Path) -> None:
    config.write_text(CONFIG.replace("samples: 200", "samples: 20"), encoding="utf-8")
    assert "out of reach with 12 scenes" in asked(config, "--width", 0.02)


def test_a_study_without_corruptions_has_no_threshold(config: Path) -> None:
    text = CONFIG.replace("corruptions: [frost, contrast]", "originals: 1")
    config.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match="no task and corruption"):
        asked(config)
