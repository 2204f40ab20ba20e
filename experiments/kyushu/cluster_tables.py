"""Table 3: what the place of insertions in retraining did."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.kyushu import published
from experiments.kyushu.before_after import Figures, figures
from experiments.kyushu.characteristics import JUDGES
from experiments.kyushu.cluster_training import Clustered
from experiments.kyushu.number_format import HELD_OUT, HUNDRED, NOTHING, OWN, spread
from experiments.metaod.tables import table

LINES = (
    "uncertainty",
    "failing of 100 tests",
    "repaired of 100 tests",
    "new of 100 tests",
    "share of instances whose failures are mostly removed",
    "share of instances with almost no new failures",
)


def clusters(found: Clustered) -> str:
    """Table 3, on the paper's terms and held out."""
    parts = []
    for title, side in ((OWN, "own"), (HELD_OUT, "held_out")):
        parts.append(f"## RQ2, Table 3, {title}")
        for judge in JUDGES:
            told = {
                one.name: figures(getattr(one, side)[judge]) if getattr(one, side) else None
                for one in found.columns
            }
            parts.append(f"Judged by {judge}:\n\n{_columns(told, side == 'own')}")
    pictures = ", ".join(f"{one.name} {one.pictures}" for one in found.columns)
    return "\n\n".join([*parts, f"Pictures: {pictures}.", f"Published:\n\n{_published_columns()}"])


def _columns(told: Mapping[str, Figures | None], own: bool) -> str:
    """One line a figure; before: what the same instances had."""
    known = {name: one for name, one in told.items() if one is not None}
    lines: list[list[str]] = [["instances"], ["scenes"], ["failing of 100 tests, before"]]
    lines += [[line] for line in LINES]
    lines.insert(3, ["uncertainty, before"])
    for name in told:
        cells = _column(known[name]) if name in known else ["not done"] * len(lines)
        for line, cell in zip(lines, cells, strict=True):
            line.append(cell)
    return table(["insertions at" if own else "retrained at", *told], lines)


def _column(one: Figures) -> list[str]:
    unsure = one.uncertainty
    return [
        str(one.instances),
        str(one.scenes),
        spread(one.failures.before, HUNDRED, 1),
        spread(None if unsure is None else unsure.before),
        spread(None if unsure is None else unsure.after),
        spread(one.failures.after, HUNDRED, 1),
        spread(one.repaired, HUNDRED, 2),
        spread(one.new, HUNDRED, 2),
        spread(one.shares.almost_none),
        spread(one.spared),
    ]


def _published_columns() -> str:
    theirs = published.CLUSTERS
    baseline = [*(f"{value:g}" for value in published.CLUSTERS_BASELINE), *[NOTHING] * 4]
    lines = [
        [line, *(f"{column[place]:g}" for column in theirs.values()), baseline[place]]
        for place, line in enumerate(LINES)
    ]
    return table(["insertions at", *theirs, "baseline"], lines)
