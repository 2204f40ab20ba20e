"""Progress: a bar on a terminal, plain lines every few seconds elsewhere; chosen in one place."""

from __future__ import annotations

import pytest

from snellen.terminal.progress import Lines, progress_counter, progress_display


def test_a_line_is_printed_when_a_stage_starts_and_then_only_every_few_seconds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    lines = Lines(lambda: now)
    lines.show("before", 0, 9)
    lines.start("training")
    for second in range(12):
        now = float(second)
        lines.show(f"at {second}", second, 12)
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["training", "  at 5", "  at 10"]
    assert printed.out == "", "standard output is for results"


@pytest.mark.parametrize("terminal", [True, False])
def test_where_standard_error_goes_decides(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("COLUMNS", "200")
    with progress_display("repair") as display:
        display.start("round 1: testing")
        display.show("cutting objects [out] of scenes: 2/6", 2, 6)
    printed = capsys.readouterr().err
    assert "round 1: testing" in printed
    assert ("objects [out] of scenes: 2/6" in printed) is terminal


def test_a_counter_shows_how_many_are_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("snellen.terminal.progress.SECONDS_BETWEEN_LINES", 0.0)
    with progress_counter("pictures compared") as count:
        count(3, 8)
    assert "pictures compared: 3 of 8" in capsys.readouterr().err
