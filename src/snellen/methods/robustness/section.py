"""The sections of a run of robustness."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.robustness.instance_item import instance_item, legend
from snellen.methods.robustness.instance_pictures import InstancePicture
from snellen.methods.robustness.level_sections import by_uncertainty, calibration
from snellen.methods.robustness.own_numbers import (
    ClusterNumbers,
    DistanceLevel,
    InstanceLine,
    RobustnessNumbers,
)
from snellen.methods.robustness.words import CONTOURS
from snellen.pages.embedded_pictures import Album
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.plots import PlotFrame, ceiling
from snellen.pages.tables import figure, section, table
from snellen.store.estimate import Estimate

ROWS = 12
CAPTION = (
    "Failure rate of each base instance, with Wilson's 95% interval, least robust first; the "
    "range of failing distances in pixels; whether half of its failures are in one cluster"
)


def robustness_sections(
    found: RobustnessNumbers, pictures: Sequence[InstancePicture], album: Album
) -> Markup:
    """At what distance insertions break instances, which, where, and the uncertainty of these."""
    return joined(
        how_near(found),
        shown(pictures, album),
        instances(found),
        by_uncertainty(found),
        calibration(found.calibration),
        clusters(found.clusters),
    )


def how_near(found: RobustnessNumbers) -> Markup | None:
    """The failure rate at each level of distance, with that of controls."""
    if not found.by_level:
        return None
    rows: list[list[Child]] = [
        [f"{one.level}: {100 * one.share:g}% of the start", f"{one.distance:g} px",
         f"{one.failing} of {one.cases}", figure(one.rate, "{:.1f}%"),
         figure(one.control, "{:.1f}%")]
        for one in found.by_level
    ]  # fmt: skip
    heads = ["level", "median distance", "failing", "failure rate", "controls"]
    contour = CONTOURS.get(found.contour or "", "the contour")
    text = (
        f"{found.tested} instances were tested; {found.never_failing} never broke. Distances "
        f"are in pixels from the inserted object to {contour}"
        ", from the start distance (100%: an instance's diagonal, or as far as the scene allows) "
        "to touching (0%). Counting every change as a failure, however small, as published: "
        f"{100 * (found.as_published.rate.value or 0):.1f}%."
    )
    return section(
        "Failure rate by distance",
        tag("p", text),
        tag("div", _level_figure(found.by_level), class_="plots"),
        table(
            heads,
            rows,
            "Failure rate by distance to the instance, with 95% intervals by scene",
            stacked=True,
        ),
        id="near",
    )


def _level_figure(levels: Sequence[DistanceLevel]) -> Markup:
    keys = [
        tag("li", tag("span", class_=f"key {look}"), word)
        for look, word in (("tests", "tests"), ("checks", "controls"))
    ]
    return tag(
        "figure",
        tag("figcaption", tag("h3", "Failure rate by distance")),
        level_plot(levels),
        tag("ul", keys, tag("li", "bars: 95% intervals by scene"), class_="legend"),
    )


def level_plot(levels: Sequence[DistanceLevel]) -> Markup:
    """The failure rate of tests and of controls at each level, with intervals."""
    rates = [rate for one in levels for rate in (one.rate, one.control)]
    ends = [rate.high for rate in rates if rate.value is not None]
    frame = PlotFrame(ceiling(max(ends, default=1.0)))
    places = [(n + 0.5) / len(levels) for n in range(len(levels))]
    line = " L".join(
        f"{frame.x(x)},{frame.y(one.rate.value or 0)}"
        for x, one in zip(places, levels, strict=True)
    )
    shapes = [tag("path", d=f"M{line}", class_="joined")]
    for x, one in zip(places, levels, strict=True):
        shapes += _whisker(frame, x + 0.035, one.control, "noise", "noise-dot")
        shapes += _whisker(frame, x, one.rate, "whisker", "dot")
        floor = frame.y(0)
        shapes += [
            tag("text", f"{100 * one.share:g}%", x=frame.x(x), y=floor + 22,
                class_="tick middle"),
            tag("text", f"({one.cases})", x=frame.x(x), y=floor + 40,
                class_="tick middle faint"),
        ]  # fmt: skip
    text = "; ".join(f"{100 * one.share:g}%: {100 * (one.rate.value or 0):.1f}%" for one in levels)
    drawn = frame.drawn(
        f"Failure rate by share of the start distance. {text}",
        "share of the start distance (number of tests)",
        *shapes,
    )
    return tag("div", drawn, class_="level-plot")


def _whisker(frame: PlotFrame, x: float, rate: Estimate, line: str, dot: str) -> list[Markup]:
    if rate.value is None:
        return []
    at, low, high, y = (frame.x(x), *(frame.y(end) for end in (rate.low, rate.high, rate.value)))
    return [
        tag("line", x1=at, x2=at, y1=low, y2=high, class_=line),
        tag("circle", cx=at, cy=y, r=6, class_=dot),
    ]


def shown(pictures: Sequence[InstancePicture], album: Album) -> Markup | None:
    """The least robust instances in their scenes."""
    if not pictures:
        return None
    text = (
        "The least robust instances. White: the contour that distances are measured to; dashed: "
        "the instance's box. Each mark is the centre of one inserted object; its tooltip names "
        "the object and its distance."
    )
    heat = any(one.note.heat for one in pictures)
    return section(
        "Where it breaks",
        tag(
            "p",
            text + (" Colours: the region that the subject's answer depends on." if heat else ""),
        ),
        legend(),
        tag("ul", [instance_item(one, album) for one in pictures], class_="instances"),
        id="instances",
    )


def instances(found: RobustnessNumbers) -> Markup | None:
    """Every instance with its failure rate, least robust first."""
    if not found.by_instance:
        return None
    heads = ["instance", "failing", "failure rate", "breaks at, px", "score", "uncertainty",
             "clustered"]  # fmt: skip
    rows = [_row(one) for one in found.by_instance]
    rest = rows[ROWS:]
    left = len(found.not_tested)
    return section(
        "Every instance",
        table(heads, rows[:ROWS], CAPTION, stacked=True),
        tag(
            "details",
            tag("summary", f"{len(rest)} more"),
            table(heads, rest, "Further instances", stacked=True),
        )
        if rest
        else None,
        tag("p", f"{left} more were not tested: no room nearby, or no object that fits.",
            class_="facts")
        if left
        else None,
        id="every",
    )  # fmt: skip


def _row(one: InstanceLine) -> list[Child]:
    near, far = one.smallest_failing_distance, one.largest_failing_distance
    unsure = one.uncertainty
    return [
        tag("span", one.name, tag("small", f"{one.scene}, {one.base}")),
        f"{one.failing} of {one.tests}",
        figure(one.rate, "{:.0f}%"),
        "·" if near is None else f"{near:g} to {far:g}",
        f"{one.score:.2f}",
        "·" if unsure is None else f"{unsure:.2f}",
        "yes" if one.clusterable else "no" if one.failing else "·",
    ]


def clusters(found: ClusterNumbers) -> Markup | None:
    """How many instances have clustered failures."""
    if not found.with_failures:
        return None
    sure = found.significant
    text = (
        f"Of {found.with_failures} instances with failures {found.clusterable} are "
        "clusterable: at least half of their failing places are in one cluster. "
        f"{found.judged} had enough failures to test this against random spread, and "
        f"{sure} of them "
        f"{'is' if sure == 1 else 'are'} significant after correction for multiple tests."
    )
    rows: list[list[Child]] = [
        ["clusterable", figure(found.rate_clusterable, "{:.1f}%")],
        ["others", figure(found.rate_others, "{:.1f}%")],
    ]
    return section(
        "Clusters of failures",
        tag("p", text),
        table(
            ["instances", "failure rate"],
            rows,
            "Failure rate by whether failures cluster, with 95% intervals by scene",
        ),
        id="clusters",
    )
