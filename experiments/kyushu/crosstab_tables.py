"""Table 4: new and repaired failures by what base and inserting instances are like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from experiments.kyushu import published
from experiments.kyushu.crosstab import Cell
from experiments.kyushu.number_format import HELD_OUT, HUNDRED, OWN, spread
from experiments.metaod.tables import table

Cells = Sequence[Sequence[Cell]]


def crossing(
    own: Mapping[str, Cells],
    held_out: Mapping[str, Cells],
    ways: Sequence[str],
) -> str:
    """Table 4, on the paper's terms and held out, by each way of judging."""
    parts = []
    for title, cells in ((OWN, own), (HELD_OUT, held_out)):
        parts.append(f"## RQ2, Table 4, {title}")
        parts += [f"Judged by {judge}:\n\n{_cells(one)}" for judge, one in cells.items()]
    note = (
        f"New and repaired failures of 100 tests, over the subjects retrained with "
        f"{', '.join(ways)}. Low is up to the median of the instances, high above. Objects that "
        "are not found alone have no uncertainty, and a low score."
    )
    return "\n\n".join([*parts, note, f"Published:\n\n{_published_cells()}"])


def _cells(cells: Cells) -> str:
    rows = [
        [f"{side} base", *(_pair(cell) for cell in line)]
        for side, line in zip(published.SIDES, cells, strict=True)
    ]
    return table(_head(), rows)


def _pair(cell: Cell) -> str:
    if not cell.new.cases:
        return "no data"
    new, repaired = (spread(one, HUNDRED, 2) for one in (cell.new, cell.repaired))
    return f"{new} new; {repaired} repaired"


def _published_cells() -> str:
    rows = [
        [f"{side} base", *(f"{new:g} new; {repaired:g} repaired" for new, repaired in line)]
        for side, line in zip(published.SIDES, published.CHARACTERISTICS, strict=True)
    ]
    return table(_head(), rows)


def _head() -> list[str]:
    return ["", *(f"{side} inserting" for side in published.SIDES)]
