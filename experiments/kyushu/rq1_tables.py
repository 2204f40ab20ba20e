"""Table 1 and Fig. 6: failures of instances by level of uncertainty and score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.kyushu import published
from experiments.kyushu.characteristics import SURE, Characteristics, JudgedRates
from experiments.kyushu.number_format import NOTHING, number, spread
from experiments.kyushu.scale import THRESHOLD
from experiments.metaod.tables import table
from snellen.methods.robustness.instance_notes import InstanceCounts
from snellen.methods.robustness.own_numbers import LevelCell, LevelRow, RankCorrelation

NO_DATA = "no data"
CORRELATED = {
    "uncertainty (box + class)": "uncertainty",
    "box entropy": "box_entropy",
    "box entropy relative to size": "relative_box_entropy",
    "class entropy": "class_entropy",
    "score": "score",
}


def rq1(found: Characteristics) -> str:
    """All of RQ1 as Markdown."""
    parts = [
        "## RQ1, Table 1: instances by level",
        f"{len(found.instances)} base instances of {found.scenes} scenes, with a score of "
        f"{THRESHOLD} or more (published: {SURE}); {found.examined} of {found.given} scenes were "
        "examined. F_r of a level is over all its tests.",
        _levels(found, "uncertainty", published.UNCERTAINTY, published.UNCERTAINTY_OF_ALL),
        _levels(found, "score", published.SCORES, published.SCORES_OF_ALL),
        *(_table(judge, one) for judge, one in found.judged.items()),
        f"Published:\n\n{_published()}",
        _overall(found.judged),
        _distances(found.judged),
        _correlations(found.judged),
        _line("Rank correlations between", found.between),
        _line(
            "Rank correlations of how wrong a box is (1 less its IoU with the annotation; all "
            "detections) with",
            found.calibration,
        ),
    ]
    return "\n\n".join(parts)


def _levels(
    found: Characteristics,
    name: str,
    theirs: Sequence[tuple[float, int] | None],
    theirs_of_all: tuple[float, int],
) -> str:
    """Means and numbers of five levels; our F_r by each criterion."""
    head = ["level", f"mean {name}", "instances", *(f"F_r, {judge}" for judge in found.judged)]
    head += [f"published mean {name}", "published instances"]
    ours = [_column(one, name) for one in found.judged.values()]
    values = [_value(one, name) for one in found.instances]
    mean = sum(values) / max(1, len(values))
    rates = [spread(one.rate) for one in found.judged.values()]
    first = ["all instances", number(mean), len(values), *rates, *_theirs(theirs_of_all)]
    rows: list[list[object]] = [[*first]]
    for place, level in enumerate(published.LEVELS):
        one = ours[0][place]
        rates = [spread(judged[place].rate) for judged in ours]
        rows.append([level, number(one.mean), one.instances, *rates, *_theirs(theirs[place])])
    return table(head, rows)


def _column(one: JudgedRates, name: str) -> Sequence[LevelRow]:
    levels = one.levels.score_levels if name == "score" else one.levels.uncertainty_levels
    assert levels is not None
    return levels


def _value(instance: InstanceCounts, name: str) -> float:
    if name == "score":
        return instance.score
    assert instance.uncertainty is not None
    return instance.uncertainty.total


def _theirs(one: tuple[float, int] | None) -> list[str]:
    return [NOTHING, NOTHING] if one is None else [f"{one[0]:g}", f"{one[1]:,}"]


def _table(judge: str, one: JudgedRates) -> str:
    """F_r of 25 pairs of levels."""
    rows = [
        [published.LEVELS[place], *(_cell(cell) for cell in line)]
        for place, line in enumerate(one.levels.table or ())
    ]
    title = f"## RQ1, Fig. 6: F_r by uncertainty (down) and score (across), judged by {judge}"
    return f"{title}\n\n{_crossed(rows)}"


def _cell(cell: LevelCell) -> str:
    """The rate with its counts."""
    if not cell.tests:
        return NO_DATA
    counts = f"{cell.failing} of {cell.tests}, {cell.instances} inst."
    return f"{spread(cell.rate)}; {counts}"


def _published() -> str:
    rows = [
        [published.LEVELS[place], *(NO_DATA if rate is None else rate for rate in line)]
        for place, line in enumerate(published.RATES)
    ]
    return _crossed(rows)


def _crossed(rows: Sequence[Sequence[object]]) -> str:
    return table(["uncertainty \\ score", *published.LEVELS], rows)


def _overall(judged: Mapping[str, JudgedRates]) -> str:
    head = ["judged by", "F_r", f"F_r of instances with a score of {SURE} or more", "controls"]
    rows = [
        [judge, _counted(one.rate), _counted(one.sure), _counted(one.control)]
        for judge, one in judged.items()
    ]
    return f"## RQ1: all tests, and controls (not in the paper)\n\n{table(head, rows)}"


def _counted(rate: Any) -> str:
    return f"{spread(rate)}; {rate.failing:.0f} of {rate.cases:.0f}"


def _distances(judged: Mapping[str, JudgedRates]) -> str:
    """F_r at each level of distance; 1 touches the contour, or is as near as possible."""
    head = ["level of distance", *(f"F_r, {judge}" for judge in judged)]
    levels = zip(*(one.distances for one in judged.values()), strict=True)
    rows = [[place, *(_counted(rate) for rate in rates)] for place, rates in enumerate(levels, 1)]
    return f"## RQ1: F_r by distance (not in the paper)\n\n{table(head, rows)}"


def _line(words: str, found: Mapping[str, RankCorrelation | None]) -> str:
    return f"{words} {', '.join(f'{name}: {spread(one)}' for name, one in found.items())}."


def _correlations(judged: Mapping[str, JudgedRates]) -> str:
    head = ["Spearman's correlation of F_r with", *judged, "published"]
    rows: list[list[object]] = [
        [
            f"{name} of the base instance",
            *(spread(getattr(one.levels.correlations, key)) for one in judged.values()),
            {"score": "negative", "uncertainty": "negative"}.get(key, NOTHING),
        ]
        for name, key in CORRELATED.items()
    ]
    rows.append(["size of the base instance", *(spread(o.area) for o in judged.values()), NOTHING])
    rows += [
        [
            f"{name} of the inserting instance, alone",
            *(spread(one.inserted[name]) for one in judged.values()),
            "below 0.005 in size",
        ]
        for name in ("uncertainty", "score")
    ]
    note = (
        "Of base instances one value each; of inserting instances one for each base instance and "
        "object around it. Intervals by scene."
    )
    return f"## RQ1: correlations\n\n{table(head, rows)}\n\n{note}"
