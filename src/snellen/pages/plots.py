"""Small plots as inline SVG: they take the page's colours and scale with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.pages.markup import Markup, tag

WIDTH, HEIGHT = 480, 320
LEFT, RIGHT, TOP, BOTTOM = 58, 28, 16, 76


@dataclass(frozen=True)
class PlotFrame:
    """The area of a plot with a y axis from 0 to `top`, a share."""

    top: float

    def x(self, share: float) -> float:
        """The x pixel of a position between 0 (left) and 1 (right)."""
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        """The y pixel of a value between 0 and `top`."""
        high = HEIGHT - TOP - BOTTOM
        return round(TOP + high * (1 - min(value, self.top) / self.top), 1)

    def drawn(self, label: str, below: str, *shapes: Markup) -> Markup:
        """The plot with its grid and axis; below: the axis title; label: for screen readers."""
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
    """The round upper end of an axis for values up to `highest`.

    >>> ceiling(0.43), ceiling(0.0)
    (0.5, 0.01)
    """
    for step in STEPS:
        count = int(np.ceil(highest / step - 1e-9))
        if count <= 5:
            return round(max(count, 1) * step, 6) if highest > 0.002 else 0.01
    return 1.0
