"""The page's plots: failure rates by level, and training curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from snellen.pages.markup import Markup, joined, tag
from snellen.pages.plots import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, PlotFrame, ceiling
from snellen.repair.evaluation.change import Change
from snellen.repair.page.named_evaluation import NamedEvaluation
from snellen.statistics.intervals import Interval

CURVES = {
    "training loss": "Training loss",
    "validation loss": "Validation loss",
    "repair validation loss": "Validation loss on repair scenes",
    "validation AP": "Validation AP",
    "repair validation AP": "Validation AP on repair scenes",
}
LOOKS = 6
"""The number of distinct line styles."""
Points = Sequence[tuple[int, float]]


def levels_plot(levels: Mapping[int, Change]) -> Markup:
    """The failure rate at each level before and after, with intervals."""
    sides = [side for one in levels.values() for side in (one.before, one.after)]
    frame = PlotFrame(
        ceiling(max((one.high for one in sides if one.value == one.value), default=0))
    )
    shapes: list[Markup] = []
    for place, (level, one) in enumerate(levels.items()):
        middle = (place + 0.5) / len(levels)
        aside = 0.12 / len(levels)
        shapes.append(_under(frame, middle, level))
        for side, x, look in ((one.before, middle - aside, "old"), (one.after, middle + aside, "")):
            shapes += _whisker(frame, x, side, look)
    description = "; ".join(
        f"level {level}: {_share(one.before)} before, {_share(one.after)} after"
        for level, one in levels.items()
    )
    return frame.drawn(
        f"Failure rate by level. {description}", "level of distance (1 is nearest)", *shapes
    )


def _under(frame: PlotFrame, x: float, level: int) -> Markup:
    return tag("text", str(level), x=frame.x(x), y=frame.y(0) + 22, class_="tick middle")


def _whisker(frame: PlotFrame, place: float, one: Interval, look: str) -> list[Markup]:
    if math.isnan(one.value):
        return []
    x, (low, high, y) = frame.x(place), (frame.y(v) for v in (one.low, one.high, one.value))
    title = tag("title", f"{'before' if look else 'after'}: {_share(one)}")
    return [
        tag("line", x1=x, x2=x, y1=low, y2=high, class_=f"whisker {look}".strip()),
        tag("circle", title, cx=x, cy=y, r=7, class_=f"dot {look}".strip()),
    ]


def _share(one: Interval) -> str:
    return "no cases" if math.isnan(one.value) else f"{100 * one.value:.1f}%"


def training_plots(named: Sequence[NamedEvaluation]) -> list[tuple[str, Markup]]:
    """A title and a plot for each measurement of training, with one line per arm."""
    found, looks = [], _looks(named)
    for key, title in CURVES.items():
        lines = {
            one.name: one.curves.epochs[key]
            for one in named
            if one.curves is not None and one.curves.epochs.get(key)
        }
        if lines:
            found.append((title, _lines(title, lines, looks)))
    return found


def _lines(title: str, lines: Mapping[str, Points], looks: Mapping[str, int]) -> Markup:
    values = [value for points in lines.values() for _, value in points]
    last = max(max(epoch for epoch, _ in points) for points in lines.values())
    marks = scale(min(values), max(values))
    low, high = marks[0], marks[-1]

    def place(epoch: int, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * epoch / max(last, 1)
        y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low))
        return round(x, 1), round(y, 1)

    drawn = [_grid(place(0, mark)[1], f"{mark:g}") for mark in marks]
    for name, points in lines.items():
        drawn.append(_line(name, [place(*point) for point in points], looks[name]))
    floor = place(0, low)[1]
    ends = [tag("text", str(x), x=place(x, low)[0], y=floor + 22, class_="tick middle")
            for x in dict.fromkeys((0, last))]  # fmt: skip
    axis = tag("text", "epoch", x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 10, class_="axis middle")
    description = "; ".join(
        f"{name}: {points[0][1]:.3g} at epoch {points[0][0]}, {points[-1][1]:.3g} at epoch "
        f"{points[-1][0]}"
        for name, points in lines.items()
    )
    box = f"0 0 {WIDTH} {HEIGHT}"
    label = f"{title} by epoch. {description}"
    return tag("svg", drawn, ends, axis, viewBox=box, role="img", aria_label=label, class_="plot")


def _looks(named: Sequence[NamedEvaluation]) -> dict[str, int]:
    """The line style of each arm that has curves."""
    shown = [one.name for one in named if one.curves is not None]
    return {name: place % LOOKS for place, name in enumerate(shown)}


def legend(named: Sequence[NamedEvaluation]) -> Markup:
    """The line style and name of each arm."""
    items = []
    for name, look in _looks(named).items():
        line = tag("line", x1=0, x2=28, y1=6, y2=6, class_=f"curve-line look-{look}")
        key = tag("svg", line, viewBox="0 0 28 12", class_="stroke", aria_hidden="true")
        items.append(tag("li", key, name))
    return tag("ul", items, class_="legend")


def _grid(y: float, word: str) -> Markup:
    line = tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
    return tag("g", line, tag("text", word, x=LEFT - 8, y=y + 5, class_="tick end"))


def _line(name: str, points: Sequence[tuple[float, float]], look: int) -> Markup:
    path = "M" + " L".join(f"{x},{y}" for x, y in points)
    dot = tag("circle", tag("title", name), cx=points[-1][0], cy=points[-1][1], r=4,
              class_=f"curve-end look-{look}")  # fmt: skip
    return joined(tag("path", d=path, class_=f"curve-line look-{look}"), dot)


def scale(low: float, high: float) -> list[float]:
    """Three to seven round values that span `low` to `high`.

    >>> scale(0.13, 0.47), scale(2.0, 2.0)
    ([0.1, 0.2, 0.3, 0.4, 0.5], [1.0, 1.5, 2.0, 2.5, 3.0])
    """
    if not high > low:
        low, high = low - abs(low) / 4 - 1e-3, high + abs(high) / 4 + 1e-3
    rough = (high - low) / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * number, 10) for number in range(first, last + 1)]
