"""The tables of the experiment, in the form of the paper's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from experiments.metaod.tables import table
from experiments.multitest.fusion_runs import Run
from experiments.multitest.likeness import Likeness, Spread, consistency, halves
from experiments.multitest.object_counts import MOST, Count
from experiments.multitest.pipelines import PipelineResults
from experiments.multitest.published import COUNTS, REALISM, SEARCHES, SEEDS
from experiments.multitest.search_comparison import COUNTED, by_frame, versus
from experiments.multitest.search_precision import METRICS, READINGS, SearchResult, errors
from snellen.statistics.intervals import Interval
from snellen.store.estimate import p_words
from snellen.vision.kitti.multitest_errors import ErrorClass

Named = tuple[str, str]
"""A system, and the frames it was tested on."""


def results_page(parts: Sequence[str], made: str) -> str:
    """All tables as one Markdown page."""
    return "\n\n".join(["# MultiTest again: measured", made, *parts]) + "\n"


def realism(name: str, made: PipelineResults, found: Mapping[str, Likeness], frames: int) -> str:
    """Table 2 on one set of frames."""
    head = [
        "pipeline", "inserted", "shown", "FD image", "FD LiDAR", "MC", "visibility gap",
        "density, to real", "depth profile, JS", "published FID", "FRD", "MC",
    ]  # fmt: skip
    rows: list[list[object]] = [
        [
            pipeline,
            one.things,
            one.shown,
            _spread(one.image),
            _spread(one.lidar),
            _spread(one.consistency),
            "-" if one.gap is None else _number(one.gap),
            _number(one.density),
            _number(one.profile),
            *REALISM[pipeline],
        ]
        for pipeline, one in found.items()
    ]
    chance: list[object] = ["real, halves", len(made.real), len(made.real)]
    chance += [_spread(halves(made.real, of)) for of in ("image", "ranges")]
    rows.append([*chance, _number(consistency(made.real)), *"------"])
    refused = ", ".join(f"{pipeline} {count}" for pipeline, count in made.refused.items() if count)
    notes = f"{frames} frames, {len(made.real)} real cars. Skipped without a free place: " + (
        f"{refused}." if refused else "none."
    )
    return f"## Table 2: realism, {name}\n\n{table(head, rows)}\n\n{notes}"


def searches(found: Mapping[Named, Mapping[str, SearchResult]]) -> str:
    """Table 3: the effect of the searches on each system."""
    head = ["frames", "system", "search", "insertions asked", "failing (hard)", "controls failing"]
    head += ["tests"]
    head += [f"AP drop, {name}" for name in READINGS]
    head += [f"{kind.value} {metric}" for metric in METRICS for kind in ErrorClass]
    rows = [
        [frames, system, search, *_searched(one)]
        for (system, frames), by_search in found.items()
        for search, one in by_search.items()
    ]
    return f"## Table 3: random, guided and informed search\n\n{table(head, rows)}"


def _searched(one: SearchResult) -> list[object]:
    failing = sum(run.summary["failing_cases"] for run in one.runs)
    controls = [run.summary["control"] for run in one.runs]
    failed = sum(control["failing"] for control in controls)
    score, classes = one.runs[0].score, one.classes
    before, after = errors(one.seeds, classes, score), errors(one.tests, classes, score)
    kinds = [(metric, kind) for metric in METRICS for kind in ErrorClass]
    share = f"{failing} ({failing / max(one.questions, 1):.0%})"
    return [
        one.questions,
        share,
        f"{failed} of {sum(control['cases'] for control in controls)}",
        one.count,
        *(_number(drop, 1) for drop in one.drops().values()),
        *(_per_test(after.get(key, 0), before.get(key, 0), one.count) for key in kinds),
    ]


def kinds(found: Mapping[Named, Mapping[str, Sequence[Run]]]) -> str:
    """The findings of each search at the same number of questions, and differences to informed."""
    head = ["frames", "system", "search", "runs", "insertions asked", *COUNTED]
    head += [f"informed less this: {name}" for name in COUNTED]
    rows: list[list[object]] = []
    for (system, frames), by_search in found.items():
        for search, runs in by_search.items():
            asked = sum(run.questions for run in runs)
            counts = [int(by_frame(runs, counted)[0].sum()) for counted in COUNTED.values()]
            shares = [f"{count} ({count / max(asked, 1):.0%})" for count in counts]
            ahead = [
                "-" if search == "informed" else _ahead(versus(by_search["informed"], runs, one))
                for one in COUNTED.values()
            ]
            rows.append([frames, system, search, len(runs), asked, *shares, *ahead])
    note = "Differences in points with 95% intervals and their p-values, frames as units."
    title = "## Searches with every kind of object, at the same number of questions"
    return f"{title}\n\n{table(head, rows)}\n\n{note}"


def _ahead(one: Interval) -> str:
    value, low, high = (100 * end for end in (one.value, one.low, one.high))
    return f"{value:+.0f} ({low:+.0f} to {high:+.0f}), {p_words(one.p)}"


def published_searches() -> str:
    """The paper's figures, and its errors per seed."""
    head = ["search", "AP drop 3D", "AP drop 2D", "missing", "false", "location"]
    rows: list[list[object]] = []
    for search, figures in SEARCHES.items():
        drops = [figures["AP 3D"], figures["AP 2D"]]
        counted = [figures[kind] for kind in ("missing", "false", "location")]
        rows.append([search, *drops, *(f"{n:g} ({n / SEEDS:.2f} a seed)" for n in counted)])
    return f"Published, means over four systems, errors in 3D:\n\n{table(head, rows)}"


def numbers(found: Mapping[Named, Sequence[Count]]) -> str:
    """Table 5: the number of objects per frame."""
    head = ["frames", "system", "", *(f"N = {objects}" for objects in range(1, MOST + 1))]
    rows: list[list[object]] = []
    for (system, frames), one in found.items():
        rows += [
            [frames, system, "seeds", *(_number(count.seeds) for count in one)],
            [frames, system, "iterations", *(_number(count.iterations) for count in one)],
            [frames, system, "MC", *(_number(count.consistency) for count in one)],
            [frames, system, "visibility gap", *(_number(count.gap) for count in one)],
        ]
    rows += [
        ["published", system, what, *(_number(value) for value in values)]
        for system, published in COUNTS.items()
        for what, values in published.items()
    ]
    return f"## Table 5: number of inserted objects\n\n{table(head, rows)}"


def _per_test(after: int, before: int, tests: int) -> str:
    return f"{after / max(tests, 1):.2f} ({before / max(tests, 1):.2f})"


def _spread(spread: Spread) -> str:
    value, low, high = spread
    if math.isnan(value):
        return "-"
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def _number(value: float, digits: int = 2) -> str:
    return "-" if math.isnan(value) else f"{value:.{digits}f}"
