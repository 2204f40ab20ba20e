"""The plot of one subtask: its metrics over visual change, with bands, people and thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from snellen.methods.requirements.own_numbers import Curve, CurveBin, OpenEstimate
from snellen.methods.requirements.specification.requirement import People
from snellen.pages.markup import Markup, joined, tag

WIDTH, HEIGHT = 400, 290
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 36, 46
ROW = 14
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
LOOKS = {"recall": "recall", "precision": "precision", "accuracy": "recall",
         "average precision": "average"}  # fmt: skip
"""The CSS class of each metric."""


@dataclass(frozen=True)
class CurveMark:
    """A vertical line at a visual change. name: its label; look: its CSS class.

    row: the row of the label above the plot, so that neighbours don't collide.
    """

    at: float
    name: str
    look: str
    row: int = 0


@dataclass(frozen=True)
class Plane:
    """The area of a plot: visual change from 0 to `reach`, shares from 0 to 1."""

    reach: float

    def x(self, change: float) -> float:
        """Pixels of a visual change."""
        share = min(max(change / self.reach, 0.0), 1.0)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        """Pixels of a share."""
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(max(value, 0.0), 1.0)), 1)

    def path(self, points: Sequence[tuple[float, float]]) -> str:
        """A line through points, given as visual change and share."""
        return "M" + " L".join(f"{self.x(x)},{self.y(y)}" for x, y in points)


def reach_of(most: float, people: Sequence[People] = ()) -> float:
    """Where the axis ends: all that is drawn, rounded up to a tenth.

    >>> people = People(metric="recall", delta_v=(0.1, 0.95), share=(1, 0.5), answers=(9, 9))
    >>> reach_of(0.62), reach_of(0.3, [people])
    (0.7, 1.0)
    """
    farthest = max([most, *(change for one in people for change in one.delta_v)])
    return min(1.0, math.ceil(round(10 * farthest, 6)) / 10) or 0.1


def curve_plot(
    title: str,
    curves: Mapping[str, Curve],
    marks: Sequence[CurveMark],
    broken: Sequence[tuple[float, float]],
    reach: float,
    below: str,
) -> Markup:
    """The plot; broken: ranges of visual change where a requirement breaks; below: axis label."""
    plane = Plane(reach)
    shapes: list[Markup | None] = [_grid(plane), *(_broken(plane, *one) for one in broken)]
    shapes += [_band(plane, name, one.bins) for name, one in curves.items()]
    shapes += [_clean(plane, name, one.clean) for name, one in curves.items()]
    shapes += [_upright(plane, one) for one in marks] + [_word(plane, one) for one in marks]
    shapes += [_people(plane, one.people) for one in curves.values() if one.people]
    shapes += [_line(plane, name, one.bins) for name, one in curves.items()]
    axis = tag("text", below, x=plane.x(reach / 2), y=HEIGHT - 6, class_="tick middle")
    return tag(
        "svg",
        shapes,
        axis,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"{title}. {_description(curves, marks, broken)}",
        class_="plot over-change",
    )


def _description(
    curves: Mapping[str, Curve],
    marks: Sequence[CurveMark],
    broken: Sequence[tuple[float, float]],
) -> str:
    """The plot in words, for screen readers."""
    lines = []
    for name, one in curves.items():
        values = ", ".join(
            f"{each.middle:.2f}: {100 * value:.0f}%" for each, value in _with_value(one.bins)
        )
        clean = one.clean.value
        start = "" if clean is None else f" ({100 * clean:.0f}% unchanged)"
        lines.append(f"{name}{start} by visual change: {values or 'no cases'}")
    lines += [f"{one.name} at visual change {one.at:g}" for one in marks]
    lines += [f"breaks from visual change {low:g} to {high:g}" for low, high in broken]
    return "; ".join(lines)


def _grid(plane: Plane) -> Markup:
    across = [
        joined(
            tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=plane.y(y), y2=plane.y(y), class_="grid"),
            tag("text", f"{100 * y:.0f}%", x=LEFT - 6, y=plane.y(y) + 4, class_="tick end"),
        )
        for y in STEPS
    ]
    count = round(10 * plane.reach)
    step = 2 if count > 5 else 1
    under = [
        joined(
            tag("line", x1=plane.x(n / 10), x2=plane.x(n / 10), y1=plane.y(0), y2=plane.y(0) + 4,
                class_="grid"),
            tag("text", f"{n / 10:g}", x=plane.x(n / 10), y=plane.y(0) + 17, class_="tick middle"),
        )
        for n in range(0, count + 1, step)
    ]  # fmt: skip
    return tag("g", across, under, aria_hidden="true")


def _broken(plane: Plane, low: float, high: float) -> Markup:
    left, right = plane.x(low), plane.x(high)
    height = round(plane.y(0) - plane.y(1), 1)
    word = tag(
        "text", "breaks", x=(left + right) / 2, y=plane.y(0) - 6, class_="broken-word middle"
    )
    area = tag("rect", x=left, y=plane.y(1), width=round(right - left, 1), height=height,
               class_="broken")  # fmt: skip
    return joined(area, word if right - left > 44 else None)


def _with_value(bins: Sequence[CurveBin]) -> list[tuple[CurveBin, float]]:
    """The bins with a value, each with it."""
    return [(one, one.value.value) for one in bins if one.value.value is not None]


def _band(plane: Plane, name: str, bins: Sequence[CurveBin]) -> Markup | None:
    ends = [(one.middle, one.value.ends) for one, _ in _with_value(bins)]
    drawn = [(middle, *both) for middle, both in ends if both is not None]
    if len(drawn) < 2:
        return None
    top = [(middle, high) for middle, _, high in drawn]
    bottom = [(middle, low) for middle, low, _ in reversed(drawn)]
    return tag("path", d=f"{plane.path([*top, *bottom])} Z", class_=f"spread {LOOKS[name]}")


def _clean(plane: Plane, name: str, clean: OpenEstimate) -> Markup | None:
    if clean.value is None:
        return None
    y = plane.y(clean.value)
    title = tag("title", f"{name} before: {100 * clean.value:.1f}%")
    ends = {"x1": LEFT, "x2": WIDTH - RIGHT, "y1": y, "y2": y}
    return tag("line", title, class_=f"clean {LOOKS[name]}", **ends)


def _upright(plane: Plane, mark: CurveMark) -> Markup:
    x, top = plane.x(mark.at), TOP - 5 - ROW * mark.row
    return tag("line", x1=x, x2=x, y1=top, y2=plane.y(0), class_=f"threshold {mark.look}")


def _word(plane: Plane, mark: CurveMark) -> Markup:
    look = "mark-word end" if mark.at > plane.reach / 2 else "mark-word"
    return tag("text", mark.name, x=plane.x(mark.at), y=TOP - 8 - ROW * mark.row, class_=look)


def _people(plane: Plane, people: People) -> Markup:
    points = list(zip(people.delta_v, people.share, strict=True))
    title = tag("title", f"people, {people.metric}, {sum(people.answers):,} answers")
    return tag("path", title, d=plane.path(points), class_="people")


def _line(plane: Plane, name: str, bins: Sequence[CurveBin]) -> Markup | None:
    drawn = _with_value(bins)
    if not drawn:
        return None
    points = [(one.middle, value) for one, value in drawn]
    look = LOOKS[name]
    dots = [
        tag("circle", tag("title", _bin_words(name, one, y)), cx=plane.x(x), cy=plane.y(y), r=4,
            class_=f"spot {look}")
        for (one, _), (x, y) in zip(drawn, points, strict=True)
    ]  # fmt: skip
    return joined(tag("path", d=plane.path(points), class_=f"line {look}"), dots)


def _bin_words(name: str, one: CurveBin, value: float) -> str:
    both = one.value.ends
    ends = "" if both is None else f" ({100 * both[0]:.0f} to {100 * both[1]:.0f})"
    return (
        f"{name} {100 * value:.1f}%{ends} for visual change {one.low:.2g} to "
        f"{one.high:.2g}, {one.cases} cases"
    )
