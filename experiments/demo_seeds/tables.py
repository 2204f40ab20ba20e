"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.metaod.tables import table
from snellen.store.summary import Summary

WANTED = 5
"""Proven faults that a demo should show."""
HEADS = ("seed", "proven", "in photographs", "faults", "causes", "failing", "controls failing",
         "verdict", "more photographs", "questions")  # fmt: skip
LEGEND = (
    "proven: faults that counterfactual questions prove, and in how many of the photographs. "
    "faults: all of them, with their causes. controls failing: background through the same mask. "
    "more photographs: how many would decide whether insertions fail more often than controls."
)


def row(one: Summary) -> list[str]:
    """The cells of one seed."""
    faults, more = one.faults, one.verdict.more_scenes
    causes = ", ".join(f"{count} {cause}" for cause, count in faults.by_cause.items())
    return [
        str(one.seed),
        str(faults.proven),
        str(faults.proven_scenes),
        str(faults.count),
        causes,
        f"{one.failing_cases} of {one.test_cases}",
        f"{one.control.failing} of {one.control.cases}",
        str(one.verdict.status),
        "" if more is None else str(more),
        str(one.questions),
    ]


def results_page(found: Sequence[Summary], day: str) -> str:
    """All of `results.md`."""
    enough = sum(one.faults.proven >= WANTED for one in found)
    sentences = [f"- {one.seed}: {one.verdict.sentence}" for one in found]
    return "\n".join(
        [
            "# The demo with different seeds: measured",
            "",
            f"Made on {day} by `python -m experiments.demo_seeds --seeds {len(found)}`. "
            f"{enough} of {len(found)} seeds show {WANTED} proven faults or more.",
            "",
            table(HEADS, [row(one) for one in found]),
            "",
            LEGEND,
            "",
            "What each says:",
            "",
            *sentences,
            "",
        ]
    )
