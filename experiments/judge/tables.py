"""Results as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from experiments.judge.cells import bound_of
from experiments.judge.coverage import Competitor, Coverage
from experiments.judge.decisions import Controls, Looked, Sized, Verdicts
from experiments.judge.properties import Moves


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(share: float) -> str:
    """With one decimal."""
    return f"{100 * share:.1f}"


def coverage_table(groups: dict[str, list[Coverage]]) -> str:
    """One line a group."""
    rows = []
    for name, found in groups.items():
        bound = bound_of(name)
        rows.append([
            name,
            str(len(found)),
            str(min(one.sets for one in found)),
            percent(sum(one.share for one in found) / len(found)),
            percent(min(one.share for one in found)),
            str(sum(one.share < bound for one in found)),
            str(sum(one.misses(bound) for one in found)),
            percent(max(one.above / one.sets for one in found)),
            percent(max(one.below / one.sets for one in found)),
        ])  # fmt: skip
    head = ["world", "cells", "sets each", "mean", "worst", "below 94 (92)", "of these surely",
            "worst lower bound", "worst upper bound"]  # fmt: skip
    return table(head, rows)


def missed_table(groups: dict[str, list[Coverage]]) -> str:
    """The cells that surely miss."""
    rows = [
        [name, str(one.cell), percent(one.share), str(one.sets)]
        for name, found in groups.items()
        for one in found
        if one.misses(bound_of(name))
    ]
    return table(["world", "cell", "coverage", "sets"], rows) if rows else "None."


def competitor_table(found: dict[str, list[Competitor]]) -> str:
    """The judge beside others."""
    rows = [
        [name, one.name, str(one.cells), percent(one.worst), str(one.below), f"{one.length:.2f}"]
        for name, many in found.items()
        for one in many
    ]
    head = ["world", "interval", "cells", "worst", "below 94", "judge's length over its own"]
    return table(head, rows)


def moves_table(found: list[Moves]) -> str:
    """Wrong moves by scenes and cases."""
    rows = [
        [str(one.scenes), str(one.cases), percent(one.wrong), percent(one.beyond),
         percent(one.most), percent(one.wider)]
        for one in found
    ]  # fmt: skip
    head = ["scenes", "cases up to", "wrong way", "by more than 5%", "largest, % of the length",
            "identical wider"]  # fmt: skip
    return table(head, rows)


def verdict_table(found: list[Verdicts]) -> str:
    """Shares of verdicts."""
    rows = [
        [f"{one.margin:g}", f"{one.loss:g}", f"{one.alike:g}", str(one.scenes),
         percent(one.satisfied), percent(one.violated)]
        for one in found
    ]  # fmt: skip
    head = ["margin", "true loss", "alike", "scenes", "satisfied", "violated"]
    return table(head, rows)


def look_table(found: list[Looked]) -> str:
    """Verdicts and scenes with looks."""
    rows = [
        [one.spending, f"{one.margin:g}", f"{one.loss:g}", f"{one.alike:g}",
         percent(one.satisfied), percent(one.violated), f"{one.scenes:.0f}"]
        for one in found
    ]  # fmt: skip
    head = ["spending", "margin", "true loss", "alike", "satisfied", "violated", "scenes, mean"]
    return table(head, rows)


def control_table(found: list[Controls]) -> str:
    """Alarms."""
    rows = [
        [str(one.scenes), percent(one.rate), percent(one.control_rate), percent(one.share),
         percent(one.alarms)]
        for one in found
    ]  # fmt: skip
    head = ["scenes", "rate", "control rate", "holding cases with a control", "called worse"]
    return table(head, rows)


def size_table(found: list[Sized]) -> str:
    """Numbers of scenes, and what they give."""
    rows = [
        [f"{one.margin:g}", f"{one.loss:g}", f"{one.alike:g}", str(one.told),
         percent(one.told_power), str(one.planned), percent(one.planned_power),
         percent(one.planned_elsewhere)]
        for one in found
    ]  # fmt: skip
    head = ["margin", "true loss", "alike", "told from 30 scenes", "they decide", "planned",
            "they decide", "in other worlds"]  # fmt: skip
    return table(head, rows)
