"""Small plots as inline SVG: they take the page's colours and scale with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.pages.markup import Markup, tag

WIDTH, HEIGHT = 480, 320
LEFT, RIGHT, TOP, BOTTOM = 58, 28, 16, 76


@dataclass(frozen=True)
class Frame:
    """The area of a plot whose y axis goes from 0 to `top`, a share."""

    top: float

    def x(self, share: float) -> float:
        """Pixels of a place between 0 (left) and 1 (right)."""
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        """Pixels of a value between 0 and `top`."""
        high = HEIGHT - TOP - BOTTOM
        return round(TOP + high * (1 - min(value, self.top) / self.top), 1)

    def drawn(self, label: str, below: str, *shapes: Markup) -> Markup:
        """The plot with its grid, its axis and what is below it; label: for those who can't see."""
        lines = [self._grid(value) for value in ticks(self.top)]
        under = tag("text", below, x=self.x(0.5), y=HEIGHT - 10, class_="axis middle")
        box = f"0 0 {WIDTH} {HEIGHT}"
        return tag(
            "svg", *lines, *shapes, under, viewBox=box, role="img", aria_label=label, class_="plot"
        )

    def _grid(self, value: float) -> Markup:
        y = self.y(value)
        line = tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
        return tag(
            "g", line, tag("text", f"{100 * value:g}%", x=LEFT - 8, y=y + 5, class_="tick end")
        )


def ticks(top: float) -> list[float]:
    """Four to six round values from 0 to `top`, which is one of them.

    >>> ticks(0.5)
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    """
    step = next(s for s in STEPS if top / s <= 5.001)
    return [round(step * n, 6) for n in range(round(top / step) + 1)]


STEPS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)


def ceiling(highest: float) -> float:
    """The round value that a plot reaching `highest` ends with.

    >>> ceiling(0.43), ceiling(0.0)
    (0.5, 0.01)
    """
    for step in STEPS:
        count = int(np.ceil(highest / step - 1e-9))
        if count <= 5:
            return round(max(count, 1) * step, 6) if highest > 0.002 else 0.01
    return 1.0


def rates_by_distance(bins: Sequence[dict[str, Any]], noise: dict[str, Any] | None) -> Markup:
    """The failure rate in each bin with its interval; noise: the controls' rate, as a band."""
    shown = [one["rate"] for one in bins]
    highest = max(_high(rate) for rate in shown)
    frame = Frame(ceiling(max(highest, _high(noise) if noise else 0)))
    shapes = _band(frame, noise) if noise and noise["value"] is not None else []
    for place, one in enumerate(bins):
        shapes += _whisker(frame, (place + 0.5) / len(bins), one)
    told = "; ".join(f"{span(one)} px: {_told(one['rate'])}" for one in bins)
    label = f"Failure rate by distance to the nearest object. {told}"
    return frame.drawn(label, "pixels to the nearest object (cases)", *shapes)


def span(one: dict[str, Any]) -> str:
    """The range of a bin in pixels.

    >>> span({"low": 4.0, "high": 8.0})
    '4–8'
    """
    return f"{one['low']:g}–{one['high']:g}"


def how_far(progress: Sequence[float]) -> Markup:
    """The share of relocations that were still failing at each part of the way to the target."""
    values = np.sort(np.asarray(progress, dtype=np.float64))
    at = np.linspace(0, 1, 101)
    share = 1 - np.searchsorted(values, at - 1e-9, side="left") / len(values)
    frame = Frame(1.0)
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
        f"Of {len(values)} relocations, {half} kept failing half of the way to the target or "
        f"further, and {whole} at the target itself."
    )
    return frame.drawn(label, "of the way from the start to the target", *shapes)


def _high(rate: dict[str, Any]) -> float:
    return float(rate["high"]) if rate["value"] is not None else 0.0


def _told(rate: dict[str, Any]) -> str:
    return "no cases" if rate["value"] is None else f"{100 * rate['value']:.1f}%"


def _band(frame: Frame, noise: dict[str, Any]) -> list[Markup]:
    top, bottom, y = (frame.y(noise[key]) for key in ("high", "low", "value"))
    ends = {"x1": LEFT, "x2": WIDTH - RIGHT, "y1": y, "y2": y}
    return [
        tag("rect", x=LEFT, y=top, width=WIDTH - LEFT - RIGHT, height=bottom - top, class_="band"),
        tag("line", class_="band-line", **ends),
        tag("text", "controls", x=LEFT + 6, y=max(top + 18, TOP + 14), class_="tick"),
    ]


def _whisker(frame: Frame, share: float, one: dict[str, Any]) -> list[Markup]:
    x, rate = frame.x(share), one["rate"]
    floor = frame.y(0)
    under = [
        tag("text", span(one), x=x, y=floor + 22, class_="tick middle"),
        tag("text", f"({one['cases']})", x=x, y=floor + 40, class_="tick middle faint"),
    ]
    if rate["value"] is None:
        return under
    low, high, y = (frame.y(rate[key]) for key in ("low", "high", "value"))
    title = tag("title", f"{one['failing']} of {one['cases']} cases")
    return [
        *under,
        tag("line", x1=x, x2=x, y1=low, y2=high, class_="whisker"),
        tag("circle", title, cx=x, cy=y, r=7, class_="dot"),
    ]
