"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.metaod.tables import table
from snellen.store.summary import Summary

WANTED = 5
"""Proven faults that a demo should show."""
HEADS = ("seed", "proven", "in photographs", "faults", "causes", "failing", "patches", "verdict",
         "more photographs", "questions", "subject, s", "total, s", "load")  # fmt: skip


@dataclass(frozen=True)
class SeedResult:
    """The demo with one seed. seconds: from start to report. load: of the machine at the start."""

    seed: int
    summary: Summary
    seconds: float
    load: float

    def line(self) -> str:
        """One line for the terminal."""
        return f"seed {self.seed}, {self.seconds:.0f} s: {self.summary.verdict.sentence}"

    def cells(self) -> list[str]:
        """The row of the table."""
        one, faults = self.summary, self.summary.faults
        causes = ", ".join(f"{count} {cause}" for cause, count in faults.by_cause.items())
        more = one.verdict.more_scenes
        return [
            str(self.seed),
            str(faults.proven),
            str(faults.proven_scenes),
            str(faults.count),
            causes,
            f"{one.failing_cases} of {one.test_cases}",
            f"{one.control.failing} of {one.control.cases}",
            str(one.verdict.status),
            "" if more is None else str(more),
            str(one.questions),
            f"{one.seconds.subject:.0f}",
            f"{self.seconds:.0f}",
            f"{self.load:.1f}",
        ]


def results_page(results: Sequence[SeedResult], day: str) -> str:
    """All of `results.md`."""
    enough = sum(one.summary.faults.proven >= WANTED for one in results)
    sentences = [f"- {one.seed}: {one.summary.verdict.sentence}" for one in results]
    return "\n".join(
        [
            "# The demo with different seeds: measured",
            "",
            f"Made on {day} by `python -m experiments.demo_seeds --seeds {len(results)}`. "
            f"{enough} of {len(results)} seeds show {WANTED} proven faults or more.",
            "",
            *table(HEADS, [one.cells() for one in results]),
            "",
            "proven: faults that counterfactual questions prove. patches: failing comparable "
            "controls. load: how many processes wanted to run on the machine at the start (a run "
            "by itself wants two); seconds are as measured at that load.",
            "",
            "What each says:",
            "",
            *sentences,
            "",
        ]
    )
