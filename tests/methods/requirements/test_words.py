"""The verdicts on requirements in words: on a terminal and in the next steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.methods.requirements.own_numbers import RequirementRow
from snellen.methods.requirements.words import loss_words, requirement_verdict
from snellen.report.terminal import print_summary
from snellen.report.words import next_steps, verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.summary import RequirementVerdict, Summary
from tests.report.broken_summary import summary

__all__ = ["summary"]


def made(name: str, status: str, value: float = 0.1) -> RequirementVerdict:
    return RequirementVerdict(
        name=name, status=LossStatus(status), value=value, low=0.0, high=1.0, says=f"{name} says"
    )


def test_the_verdict_counts_and_quotes_the_largest_loss() -> None:
    every = [made("a", "violated", 0.1), made("b", "violated", 0.3), made("c", "undecided", 0.9)]
    every += [made(name, "satisfied") for name in "defgh"]
    assert requirement_verdict(every) == (
        "2 of 8 requirements are violated, 1 undecided. The largest loss: b says."
    )
    assert requirement_verdict(every[2:]).startswith("No requirement is violated, but 1 of 6 is")
    assert "does not count as a pass" in requirement_verdict(every[2:])
    assert requirement_verdict(every[3:4]).startswith("The requirement is satisfied")
    assert requirement_verdict(every[3:5]).startswith("All 2 requirements are satisfied")


def test_words_for_a_loss_that_is_not_known() -> None:
    assert loss_words(None, None, None) == "not known"


def test_next_steps_name_the_gate_and_what_undecided_ones_need(
    summary: Summary, tmp_path: Path
) -> None:
    steps = next_steps(summary, tmp_path)
    assert f"use them as a gate in CI: snellen gate {tmp_path}" in steps
    assert any(step.startswith("1 is undecided; more scenes") for step in steps)
    assert verdict(summary) == requirement_verdict(summary.requirements)


def test_the_terminal_has_every_requirement_with_verdict_loss_and_sentence(
    summary: Summary,
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
    for one in summary.requirements:
        assert f"{one.status} {one.name} loses" in flat
        assert one.says in flat
    assert flat.index("violated find") < flat.index("undecided all") < flat.index("satisfied name")


def test_what_demands_nothing_is_not_sent_for_more_scenes(
    summary: Summary,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    [idle] = [one for one in summary.requirements if one.status == "undecided"]
    nothing: dict[str, Any] = {"value": None, "low": None, "high": None}
    nothing["demands_nothing"] = [RequirementRow.of(idle).threshold]
    idle = idle.model_validate({**idle.to_json(), **nothing})
    rest = [one for one in summary.requirements if one.name != idle.name]
    summary = summary.model_copy(update={"requirements": (*rest, idle)})
    steps = next_steps(summary, tmp_path)
    assert any(step.startswith("1 demands nothing and can't be decided") for step in steps)
    assert not any("more scenes" in step for step in steps)
    print_summary(summary, tmp_path)
    shown = " ".join(capsys.readouterr().out.split())
    assert f"undecided {idle.name} {idle.says.split()[0]}" in shown, "and no loss between"


def test_a_loss_of_nothing_has_no_sign() -> None:
    assert loss_words(-0.0, (-0.0003, 0.0004), "recall") == "0.0 points of recall (0.0 to 0.0)"


def test_the_verdict_says_which_violations_remain_among_all() -> None:
    def violated(name: str, adjusted: float) -> RequirementVerdict:
        values = made(name, "violated").to_json()
        return RequirementVerdict.model_validate({**values, "p_adjusted": adjusted})

    rest = [made(name, "satisfied") for name in "cde"]
    rate = "With a false discovery rate of at most 5% over all"
    for adjusted, said in (
        ((0.01, 0.2), f"{rate} 5, 1 of them remains."),
        ((0.01, 0.02), f"{rate} 5, all of them remain."),
        ((0.3, 0.2), f"{rate} 5, none of them remains."),
        ((0.3,), f"{rate} 4, it does not remain."),
        ((0.003,), f"{rate} 4, it remains."),
    ):
        every = [violated(str(place), p) for place, p in enumerate(adjusted)] + rest
        assert said in requirement_verdict(every)
    assert "discovery" not in requirement_verdict([violated("a", 0.01)])
