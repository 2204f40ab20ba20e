"""What a run and a repair show while they go on."""

from __future__ import annotations

from snellen.cli.repair_progress import RepairProgress
from snellen.engine.progress import RunProgress, RunTally
from snellen.repair.training.training_watcher import StepProgress


class Recorder:
    """Keeps what it is to show."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, int, int]] = []

    def start(self, what: str) -> None:
        self.shown.append((what, 0, 0))

    def show(self, words: str, done: int, total: int) -> None:
        self.shown.append((words, done, total))


TALLY = RunTally(units=8, ended=3, errors=1, questions=40, cases=30, failing=2)


def test_a_run_and_a_repair_show_scenes_findings_and_errors() -> None:
    run, repair = Recorder(), Recorder()
    RunProgress(run).update(TALLY, None)
    watcher = RepairProgress(repair)
    watcher.update(TALLY, None)
    watcher.preparing("cutting objects", 2, 6)
    watcher.step_done(StepProgress(1, 2, 5, 12, 1e-3, 0.25))
    [(words, done, total)] = run.shown
    assert words.startswith("3/8 scenes, ")
    assert "questions/s" in words
    assert words.endswith("2 failing of 30 cases, 1 errors")
    assert (done, total) == (3, 8)
    assert repair.shown == [
        ("3/8 scenes, 2 failing of 30 cases, 1 errors", 3, 8),
        ("cutting objects: 2/6", 2, 6),
        ("5/12 steps, loss 0.25", 5, 12),
    ]
