"""Plots of distance: the failure rate by distance, and how far failures can be moved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.methods.insertion.numbers import GapBin
from snellen.pages.markup import Markup, tag
from snellen.pages.plots import LEFT, RIGHT, TOP, WIDTH, PlotFrame, ceiling
from snellen.store.estimate import Estimate


def rates_by_distance(bins: Sequence[GapBin], noise: Estimate | None) -> Markup:
    """The failure rate in each bin with its interval; noise: the control rate, as a band."""
    drawn = (*(one.rate for one in bins), noise)
    known = [one.high for one in drawn if one is not None and one.value is not None]
    frame = PlotFrame(ceiling(max(known, default=0.0)))
    shapes = _band(frame, noise)
    for place, one in enumerate(bins):
        shapes += _whisker(frame, (place + 0.5) / len(bins), one)
    values = "; ".join(f"{span(one)} px: {_share(one.rate)}" for one in bins)
    label = f"Failure rate by distance to the nearest object. {values}"
    return frame.drawn(label, "distance to the nearest object in pixels (cases)", *shapes)


def span(one: GapBin) -> str:
    """The range of a bin in pixels, such as `4–8`."""
    return f"{one.low:g}–{one.high:g}"


def how_far(progress: Sequence[float]) -> Markup:
    """The share of relocations that still fail at each fraction of the way to the target."""
    values = np.sort(np.asarray(progress, dtype=np.float64))
    at = np.linspace(0, 1, 101)
    share = 1 - np.searchsorted(values, at - 1e-9, side="left") / len(values)
    frame = PlotFrame(1.0)
    points = [(frame.x(x), frame.y(y)) for x, y in zip(at.tolist(), share.tolist(), strict=True)]
    path = "M" + " L".join(f"{x},{y}" for x, y in points)
    floor = frame.y(0)
    shapes = [
        tag("path", d=f"{path} L{frame.x(1)},{floor} L{frame.x(0)},{floor} Z", class_="area"),
        tag("path", d=path, class_="curve"),
    ]
    shapes += [
        tag("text", f"{100 * x:g}%", x=frame.x(x), y=floor + 22, class_="tick middle")
        for x in (0, 0.25, 0.5, 0.75, 1)
    ]
    half, whole = (int((values >= x - 1e-9).sum()) for x in (0.5, 1.0))
    label = (
        f"Of {len(values)} relocations, {half} still fail half of the way to the target or "
        f"further, and {whole} at the target."
    )
    return frame.drawn(label, "fraction of the way to the target", *shapes)


def _share(rate: Estimate) -> str:
    return "no cases" if rate.value is None else f"{100 * rate.value:.1f}%"


def _band(frame: PlotFrame, noise: Estimate | None) -> list[Markup]:
    if noise is None or noise.value is None:
        return []
    top, bottom, y = (frame.y(one) for one in (noise.high, noise.low, noise.value))
    ends = {"x1": LEFT, "x2": WIDTH - RIGHT, "y1": y, "y2": y}
    return [
        tag("rect", x=LEFT, y=top, width=WIDTH - LEFT - RIGHT, height=bottom - top, class_="band"),
        tag("line", class_="band-line", **ends),
        tag("text", "controls", x=LEFT + 6, y=max(top + 18, TOP + 14), class_="tick"),
    ]


def _whisker(frame: PlotFrame, share: float, one: GapBin) -> list[Markup]:
    x, floor, rate = frame.x(share), frame.y(0), one.rate
    under = [
        tag("text", span(one), x=x, y=floor + 22, class_="tick middle"),
        tag("text", f"({one.cases})", x=x, y=floor + 40, class_="tick middle faint"),
    ]
    if rate.value is None:
        return under
    low, high, y = (frame.y(end) for end in (rate.low, rate.high, rate.value))
    title = tag("title", f"{one.failing} of {one.cases} cases")
    return [
        *under,
        tag("line", x1=x, x2=x, y1=low, y2=high, class_="whisker"),
        tag("circle", title, cx=x, cy=y, r=7, class_="dot"),
    ]
