"""What a run holds in memory does not grow with the number of its units."""

from __future__ import annotations

import gc
from pathlib import Path

from snellen.contract.questions import Answer
from snellen.engine.campaign import campaign_from
from snellen.engine.progress import RunTally, SilentWatcher
from snellen.engine.run import run_campaign
from snellen.store.journal import UnitEnd

UNITS, REPEATS = 30, 10


class LivingAnswers(SilentWatcher):
    """Counts the answers in memory whenever a unit ends."""

    def __init__(self) -> None:
        self.counts: list[int] = []

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Count."""
        if end is not None:
            self.counts.append(sum(isinstance(one, Answer) for one in gc.get_objects()))


def test_the_answers_of_a_unit_are_let_go_when_it_ends(tmp_path: Path) -> None:
    watcher = LivingAnswers()
    run_campaign(
        campaign_from(
            {
                "method": "identity",
                "identity": {"repeats": REPEATS},
                "subject": {"kind": "planted"},
                "scenes": {"kind": "synthetic", "count": UNITS},
                "engine": {"workers": 0, "cache": False},
                "out": "run",
            },
            tmp_path / "memory.yaml",
        ),
        watcher=watcher,
    )
    assert len(watcher.counts) == UNITS
    assert max(watcher.counts[-5:]) <= 5 * (REPEATS + 1), "a few open units, not all that ended"
