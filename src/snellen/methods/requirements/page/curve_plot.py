"""The plot of one subtask: what its metrics lose over visual change, with bands and thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from snellen.methods.human.people import People
from snellen.methods.requirements.own_numbers import Curve, CurveBin
from snellen.pages.markup import Markup, joined, tag

WIDTH, HEIGHT = 400, 290
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 36, 46
ROW = 14
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Losses at which there is a line, as shares."""
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
    """The area of a plot: visual change from 0 to `reach`, losses from 0 at the top to 1."""

    reach: float

    def x(self, change: float) -> float:
        """Pixels of a visual change."""
        share = min(max(change / self.reach, 0.0), 1.0)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, loss: float) -> float:
        """Pixels of a loss, as a share; a gain is drawn as no loss."""
        return round(TOP + (HEIGHT - TOP - BOTTOM) * min(max(loss, 0.0), 1.0), 1)

    def path(self, points: Sequence[tuple[float, float]]) -> str:
        """A line through points, given as visual change and loss."""
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
    tolerated: float | None = None,
) -> Markup:
    """The plot. broken: ranges of visual change where tests show that a requirement breaks.

    below: the label of the axis. tolerated: the loss that a requirement tolerates.
    """
    plane = Plane(reach)
    shapes: list[Markup | None] = [_grid(plane), *(_broken(plane, *one) for one in broken)]
    shapes += [_band(plane, name, one.bins) for name, one in curves.items()]
    shapes += [_tolerated(plane, tolerated)]
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
            f"{each.middle:.2f}: {100 * loss:.0f}" for each, loss in _with_loss(one.bins)
        )
        clean = one.clean.value
        start = "" if clean is None else f" ({100 * clean:.0f}% unchanged)"
        lines.append(f"points of {name}{start} lost by visual change: {values or 'no cases'}")
    lines += [f"{one.name} at visual change {one.at:g}" for one in marks]
    lines += [f"breaks from visual change {low:g} to {high:g}" for low, high in broken]
    return "; ".join(lines)


def _grid(plane: Plane) -> Markup:
    across = [
        joined(
            tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=plane.y(y), y2=plane.y(y), class_="grid"),
            tag(
                "text",
                f"−{100 * y:.0f}" if y else "0",
                x=LEFT - 6,
                y=plane.y(y) + 4,
                class_="tick end",
            ),
        )
        for y in STEPS
    ]
    count = round(10 * plane.reach)
    step = 2 if count > 5 else 1
    under = [
        joined(
            tag("line", x1=plane.x(n / 10), x2=plane.x(n / 10), y1=plane.y(1), y2=plane.y(1) + 4,
                class_="grid"),
            tag("text", f"{n / 10:g}", x=plane.x(n / 10), y=plane.y(1) + 17, class_="tick middle"),
        )
        for n in range(0, count + 1, step)
    ]  # fmt: skip
    return tag("g", across, under, aria_hidden="true")


def _tick(loss: float) -> str:
    return f"−{100 * loss:.0f}" if loss else "0"


def _broken(plane: Plane, low: float, high: float) -> Markup:
    left, right = plane.x(low), plane.x(high)
    height = round(plane.y(1) - plane.y(0), 1)
    word = tag(
        "text", "breaks", x=(left + right) / 2, y=plane.y(1) - 6, class_="broken-word middle"
    )
    area = tag("rect", x=left, y=plane.y(0), width=round(right - left, 1), height=height,
               class_="broken")  # fmt: skip
    return joined(area, word if right - left > 44 else None)


def _with_loss(bins: Sequence[CurveBin]) -> list[tuple[CurveBin, float]]:
    """The bins whose loss is known, each with it."""
    return [
        (one, one.loss.value) for one in bins if one.loss is not None and one.loss.value is not None
    ]


def _band(plane: Plane, name: str, bins: Sequence[CurveBin]) -> Markup | None:
    ends = [(one.middle, one.loss.ends) for one, _ in _with_loss(bins) if one.loss]
    drawn = [(middle, *both) for middle, both in ends if both is not None]
    if len(drawn) < 2:
        return None
    top = [(middle, high) for middle, _, high in drawn]
    bottom = [(middle, low) for middle, low, _ in reversed(drawn)]
    return tag("path", d=f"{plane.path([*top, *bottom])} Z", class_=f"spread {LOOKS[name]}")


def _tolerated(plane: Plane, loss: float | None) -> Markup | None:
    if loss is None:
        return None
    title = tag("title", f"tolerated: {100 * loss:.3g} points")
    ends = {"x1": LEFT, "x2": WIDTH - RIGHT, "y1": plane.y(loss), "y2": plane.y(loss)}
    return tag("line", title, class_="tolerated", **ends)


def _upright(plane: Plane, mark: CurveMark) -> Markup:
    x, top = plane.x(mark.at), TOP - 5 - ROW * mark.row
    return tag("line", x1=x, x2=x, y1=top, y2=plane.y(1), class_=f"threshold {mark.look}")


def _word(plane: Plane, mark: CurveMark) -> Markup:
    look = "mark-word end" if mark.at > plane.reach / 2 else "mark-word"
    return tag("text", mark.name, x=plane.x(mark.at), y=TOP - 8 - ROW * mark.row, class_=look)


def _people(plane: Plane, people: People) -> Markup:
    best = max(people.share)
    losses = [best - share for share in people.share]
    points = list(zip(people.delta_v, losses, strict=True))
    title = tag("title", f"people, {people.metric}, {sum(people.answers):,} answers")
    return tag("path", title, d=plane.path(points), class_="people")


def _line(plane: Plane, name: str, bins: Sequence[CurveBin]) -> Markup | None:
    drawn = _with_loss(bins)
    if not drawn:
        return None
    points = [(one.middle, loss) for one, loss in drawn]
    look = LOOKS[name]
    dots = [
        tag("circle", tag("title", _bin_words(name, one, y)), cx=plane.x(x), cy=plane.y(y), r=4,
            class_=f"spot {look}")
        for (one, _), (x, y) in zip(drawn, points, strict=True)
    ]  # fmt: skip
    return joined(tag("path", d=plane.path(points), class_=f"line {look}"), dots)


def _bin_words(name: str, one: CurveBin, loss: float) -> str:
    both = one.loss.ends if one.loss else None
    ends = "" if both is None else f" ({100 * both[0]:.1f} to {100 * both[1]:.1f})"
    return (
        f"{name} loses {100 * loss:.1f} points{ends} at visual change {one.middle:.2f}, "
        f"{one.cases} cases"
    )
