"""`snellen plan`: what a verdict takes, before a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.errors import UserError

EXAMPLES = Path(__file__).parents[2] / "examples"


def asked(*words: object) -> str:
    result = CliRunner().invoke(app, ["plan", *(str(word) for word in words)])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def planned(*words: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(asked(*words, "--json"))["verdicts"]
    return found


def test_every_requirement_is_planned_with_its_margin_and_its_objects() -> None:
    rows = planned(EXAMPLES / "requirements.yaml")
    assert [one["name"] for one in rows] == [
        "noise-localise", "noise-classify", "fading", "fading-as-before"
    ]  # fmt: skip
    for one in rows:
        assert one["margin"] == 0.1
        # of 3 samples per scene, 0.6 are changed by no more than 0.2, the baseline of preservation
        assert one["available"] == (28 if one["name"] == "fading-as-before" else 48)
        assert 3 < one["cases"] < 4, "as annotated"
        assert not one["assumed_cases"]
        assert 8 <= one["satisfied"] <= one["violated"] <= 60
        # once unchanged, 2 transformations of 3 samples, and 0.6 of a scene encoded again
        assert one["questions"] == pytest.approx(7.6 * one["violated"], abs=1)


@pytest.mark.thorough
def test_a_smaller_margin_takes_more_scenes_and_more_cases_fewer() -> None:
    common = (EXAMPLES / "insertion.yaml", "--cases", 4)
    [loose], [strict] = (planned(*common, "--margin", margin) for margin in (0.1, 0.05))
    assert strict["satisfied"] > 1.5 * loose["satisfied"]
    assert loose["questions"] is None, "the method does not say"
    [busy] = planned(EXAMPLES / "insertion.yaml", "--cases", 16, "--margin", 0.1,
                     "--questions", 20)  # fmt: skip
    assert busy["satisfied"] < loose["satisfied"]
    assert busy["questions"] == 20 * max(busy["satisfied"], busy["violated"])


def test_the_words_state_what_is_assumed() -> None:
    text = asked(EXAMPLES / "insertion.yaml", "--margin", 0.1, "--rate", 0.1, "--icc", 0.2)
    assert "assuming 10% failing, an intra-scene correlation of 0.2" in text
    assert "about 10 cases per scene (assumed)" in text
    assert "scenes show it to be within the margin, if nothing is lost" in text
    assert "the configuration has 6" in text


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "Pass --margin"),
        (["--margin", 0], "--margin: found 0"),
        (["--margin", 0.5], "expected more than 0 and less than 0.4"),
    ],
)
def test_a_mistake_says_what_to_do(words: list[object], expected: str) -> None:
    with pytest.raises(UserError, match=expected):
        asked(EXAMPLES / "insertion.yaml", *words)
