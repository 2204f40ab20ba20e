"""The sections that compare failures and errors with uncertainty and score."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.robustness.own_numbers import (
    CalibrationNumbers,
    LevelCell,
    LevelRow,
    RobustnessNumbers,
)
from snellen.methods.robustness.words import correlation_words, passes_words
from snellen.pages.markup import Child, Markup, tag
from snellen.pages.tables import figure, section, table
from snellen.store.estimate import Estimate


def by_uncertainty(found: RobustnessNumbers) -> Markup | None:
    """The failure rate by five levels of uncertainty and score, and the rank correlations."""
    lines = correlation_words(found.correlations)
    if found.table is None or found.uncertainty_levels is None:
        alone = one_by_one("score", found.score_levels) if found.tested else None
        return section("By score", tag("p", lines), alone, id="levels") if alone else None
    columns, levels = shown(found.score_levels), shown(found.uncertainty_levels)
    heads = ["uncertainty \\ score", *(_range(one) for one in columns)]
    body = [
        tag(
            "tr",
            tag("th", _range(level), tag("small", _counted(level.instances)), scope="row"),
            [_cell(one) for one in row[: len(columns)]],
        )
        for level, row in zip(levels, found.table, strict=False)
    ]
    caption = (
        "Failure rate by uncertainty (rows) and score (columns), each in bins of equal width; "
        "small: 95% interval by scene · number of instances"
    )
    grid = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", [tag("th", head, scope="col") for head in heads])),
        tag("tbody", body),
        class_="numbers level-table",
    )
    return section(
        "Did the subject know?",
        tag(
            "p",
            f"Uncertainty from {passes_words(found.uncertainty)}: the entropy of an "
            "instance's box plus that of its class, in nats. ",
            lines,
        ),
        tag("div", grid, class_="scroll", tabindex=0, role="region", aria_label=caption),
        one_by_one("uncertainty", found.uncertainty_levels),
        one_by_one("score", found.score_levels),
        id="levels",
    )


def one_by_one(name: str, levels: Sequence[LevelRow]) -> Markup:
    """Each level of one quantity with its mean, instances and failure rate."""
    rows: list[list[Child]] = [
        [_range(one), "no data" if one.mean is None else f"{one.mean:.3f}",
         one.instances, figure(one.rate, "{:.1f}%") or "no data"]
        for one in shown(levels)
    ]  # fmt: skip
    parts = "five bins of equal width" if len(rows) > 1 else "which is the same for all"
    heads = [name, f"mean {name}", "instances", "failure rate"]
    caption = f"Failure rate by {name}, {parts}, with 95% intervals by scene"
    return table(heads, rows, caption, stacked=True)


def shown(levels: Sequence[LevelRow]) -> Sequence[LevelRow]:
    """All levels; for a quantity with a single value, the one that holds everything."""
    return levels if levels[0].low < levels[-1].high else levels[:1]


def _range(level: LevelRow) -> str:
    low, high = f"{level.low:.2f}", f"{level.high:.2f}"
    return low if level.low == level.high else f"{low}–{high}"


def _counted(instances: int) -> str:
    return f"{instances} instance{'' if instances == 1 else 's'}"


def _cell(one: LevelCell) -> Markup:
    if one.rate.value is None:
        return tag("td", "no data", class_="none")
    value = one.rate.value
    low, high = (f"{100 * end:.0f}" for end in (one.rate.low, one.rate.high))
    title = f"{one.failing} of {one.tests} tests, {one.instances} instances"
    return tag(
        "td", f"{100 * value:.1f}%", tag("small", f"{low}–{high}% · {one.instances}"),
        style=f"--heat:{value:.3f}", title=title,
    )  # fmt: skip


def calibration(found: CalibrationNumbers | None) -> Markup | None:
    """Whether uncertain boxes err more, against annotations."""
    if found is None:
        return None
    rows: list[list[Child]] = [
        [f"{one.low:.2f}–{one.high:.2f}", one.objects,
         "no data" if not one.objects else f"{one.wrong} of {one.objects}",
         figure(one.rate, "{:.0f}%") if one.objects else None,
         "·" if one.mean_iou is None else f"{one.mean_iou:.3f}"]
        for one in found.levels
    ]  # fmt: skip
    heads = ["uncertainty", "objects", "wrong", "share wrong", "mean IoU of correct ones"]
    pairs = (
        ("Uncertainty", found.correlation),
        ("The box entropy relative to the box's size", found.relative_correlation),
        ("The score", found.score_correlation),
    )
    correlations = " ".join(
        f"{name} and error (1 - IoU): rank correlation {_interval(one)}."
        for name, one in pairs
        if one is not None and one.value is not None
    )
    return section(
        "Do uncertain boxes err more?",
        tag("p", f"Of {found.objects} detections in scenes with annotations; wrong: no "
            f"annotation of its label reaches IoU 0.5. {correlations}"),
        table(
            heads, rows, "Errors by uncertainty, with 95% intervals by scene", stacked=True
        ),
        id="calibration",
    )  # fmt: skip


def _interval(value: Estimate) -> str:
    return f"{value.value:+.2f} ({value.low:+.2f} to {value.high:+.2f})"
