"""What requirements come to, in words: on a terminal and in the next steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.report.requirement_words import loss_words, requirement_verdict
from snellen.report.terminal import print_summary
from snellen.report.words import next_steps, verdict
from tests.report.broken_summary import summary

__all__ = ["summary"]


def told(name: str, status: str, value: float = 0.1) -> dict[str, Any]:
    return {"name": name, "status": status, "value": value, "says": f"{name} says"}


def test_the_verdict_counts_and_quotes_the_largest_loss() -> None:
    every = [told("a", "violated", 0.1), told("b", "violated", 0.3), told("c", "undecided", 0.9)]
    every += [told(name, "satisfied") for name in "defgh"]
    assert requirement_verdict(every) == (
        "2 of 8 requirements are violated, 1 undecided. The largest loss: b says."
    )
    assert requirement_verdict(every[2:]).startswith("No requirement is violated, but 1 of 6 is")
    assert "not a pass" in requirement_verdict(every[2:])
    assert requirement_verdict(every[3:4]).startswith("The requirement is satisfied")


def test_words_for_a_loss_that_is_not_known() -> None:
    assert loss_words({"value": None, "low": None, "high": None, "metric": None}) == "not known"


def test_next_steps_name_the_gate_and_what_undecided_ones_need(
    summary: dict[str, Any], tmp_path: Path
) -> None:
    steps = next_steps(summary, tmp_path)
    assert f"let a CI job decide by them: snellen gate {tmp_path}" in steps
    assert any(step.startswith("1 is undecided; more scenes") for step in steps)
    assert verdict(summary) == requirement_verdict(summary["requirements"])


def test_the_terminal_has_every_requirement_with_verdict_loss_and_sentence(
    summary: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    print_summary(summary, tmp_path)
    shown = capsys.readouterr().out
    assert all(len(line) <= 80 for line in shown.splitlines() if not line.startswith("Next:"))
    flat = " ".join(shown.split())
    assert "1 of 3 requirements is violated, 1 undecided." in flat
    for one in summary["requirements"]:
        assert f"{one['status']} {one['name']} loses" in flat
        assert one["says"] in flat
    assert flat.index("violated find") < flat.index("undecided all") < flat.index("satisfied name")
