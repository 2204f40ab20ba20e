"""Table 2: what retraining with failing and random places did."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.kyushu import published
from experiments.kyushu.before_after import Figures
from experiments.kyushu.characteristics import JUDGES, PUBLISHED
from experiments.kyushu.number_format import (
    HELD_OUT,
    HUNDRED,
    NOTHING,
    OWN,
    number,
    relative,
    signed,
    spread,
)
from experiments.kyushu.retraining_rows import Row
from experiments.metaod.tables import table


def grid(rows: Mapping[str, Row]) -> str:
    """Table 2, on the paper's terms and held out."""
    told = {name: row.figures() for name, row in rows.items()}
    own = {name: one[0] for name, one in told.items()}
    held = {name: one[1] for name, one in told.items()}
    parts = [
        f"## RQ2, Table 2, {OWN}",
        _about(own),
        *(_grid(own, judge, published_too=judge == PUBLISHED) for judge in JUDGES),
        f"## RQ2, Table 2, {HELD_OUT}",
        _about(held),
        *(_grid(held, judge) for judge in JUDGES),
        "## RQ2: clean AP and verdicts, held out",
        _verdicts(rows),
    ]
    return "\n\n".join(parts)


Judged = Mapping[str, Mapping[str, Figures]]


def _about(rows: Judged) -> str:
    one = next(iter(rows.values()))[PUBLISHED]
    tests = int(one.failures.before.cases)  # type: ignore[attr-defined]
    return f"{one.instances} instances of {one.scenes} scenes, {tests} tests."


def _grid(rows: Judged, judge: str, *, published_too: bool = False) -> str:
    head = ["retrained with", "Unc", "F_r", "F_r: change, points", "F_r: relative"]
    head += ["Pr1", "Pr2", "Pr3", "unchanged", "repaired of 100", "new of 100", "gone"]
    theirs = ["published Unc", "published F_r", "Pr1", "Pr2", "Pr3"] if published_too else []
    first = next(iter(rows.values()))[judge]
    lines = [_before(first, len(theirs))]
    for name, by_judge in rows.items():
        line = _after(name, by_judge[judge])
        known = published.GRID.get(name)
        line += [NOTHING if known is None else f"{known[n]:g}" for n in range(len(theirs))]
        lines.append(line)
    return f"Judged by {judge}:\n\n{table(head + theirs, lines)}"


def _before(one: Figures, theirs: int) -> list[str]:
    unsure = None if one.uncertainty is None else one.uncertainty.before
    cells = ["nothing (baseline)", spread(unsure), spread(one.failures.before)]
    cells += [NOTHING] * 8 + [spread(one.undetected.before)]
    known = [f"{value:g}" for value in published.BASELINE]
    return cells + [*known, NOTHING, NOTHING, NOTHING][:theirs]


def _after(name: str, one: Figures) -> list[str]:
    shares, change = one.shares, one.failures
    unsure = None if one.uncertainty is None else one.uncertainty.after
    four = (shares.almost_none, shares.fewer, shares.more, shares.unchanged)
    return [
        name,
        spread(unsure),
        spread(change.after),
        signed(change.difference, HUNDRED),
        relative(change.before.value, change.after.value),
        *(number(share.value) for share in four),
        spread(one.repaired, HUNDRED, 2),
        spread(one.new, HUNDRED, 2),
        spread(one.undetected.after),
    ]


def _verdicts(rows: Mapping[str, Row]) -> str:
    head = ["retrained with", "pictures", "steps", "Unc: change", "clean AP before"]
    head += ["clean AP: change, points", "verdict (any change)"]
    lines = []
    for name, row in rows.items():
        one = row.evaluation
        clean = None if one.precision is None else one.precision.change
        unsure = one.uncertainty
        lines.append(
            [
                name,
                row.pictures,
                row.steps,
                NOTHING if unsure is None else signed(unsure.difference, digits=3),
                NOTHING if clean is None else number(HUNDRED * clean.before.value, 1),
                NOTHING if clean is None else signed(clean.difference, HUNDRED),
                str(one.verdict),
            ]
        )
    return table(head, lines)
