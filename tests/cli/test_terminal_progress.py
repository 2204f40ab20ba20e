"""Progress: a bar on a terminal, plain lines every few seconds elsewhere; chosen in one place."""

from __future__ import annotations

import pytest

from snellen.cli import repair_progress as repair_watching
from snellen.cli import terminal_progress as showing
from snellen.cli.repair_progress import RepairProgress
from snellen.cli.run_progress import RunProgress
from snellen.engine.progress import RunTally
from snellen.repair.training.training_watcher import StepProgress


class Seen:
    """Keeps what it is to show."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def begun(self, what: str) -> None:
        self.told.append((what, 0, 0))

    def show(self, words: str, done: int, total: int) -> None:
        self.told.append((words, done, total))


TALLY = RunTally(units=8, ended=3, errors=1, questions=40, cases=30, failing=2)


def test_a_line_is_printed_when_something_begins_and_then_only_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    lines = showing.Lines(lambda: now)
    lines.show("before", 0, 9)
    lines.begun("training")
    for second in range(12):
        now = float(second)
        lines.show(f"at {second}", second, 12)
    told = capsys.readouterr()
    assert told.err.splitlines() == ["training", "  at 5", "  at 10"]
    assert told.out == "", "standard output is for results"


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
    with repair_watching.display_repair() as watcher:
        watcher.begun("round 1: testing")
        watcher.preparing("cutting objects [out] of scenes", 2, 6)
    told = capsys.readouterr().err
    assert "round 1: testing" in told
    assert ("objects [out] of scenes: 2/6" in told) is terminal


def test_a_run_and_a_repair_tell_scenes_findings_and_errors() -> None:
    run, repair = Seen(), Seen()
    RunProgress(run).update(TALLY, None)
    watcher = RepairProgress(repair)
    watcher.update(TALLY, None)
    watcher.stepped(StepProgress(1, 2, 5, 12, 1e-3, 0.25))
    [(words, done, total)] = run.told
    assert words.startswith("3/8 scenes, ")
    assert "questions/s" in words
    assert words.endswith("2 failing of 30 cases, 1 errors")
    assert (done, total) == (3, 8)
    assert repair.told == [
        ("3/8 scenes, 2 failing of 30 cases, 1 errors", 3, 8),
        ("5/12 steps, loss 0.25", 5, 12),
    ]
