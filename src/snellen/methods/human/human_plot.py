"""A plot of human performance against visual change with its threshold, as SVG or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.methods.human.estimate import HumanEstimate
from snellen.methods.human.procedures.threshold_scan import ALPHA, AnswerCurve
from snellen.methods.human.threshold import Threshold
from snellen.pages.markup import Markup, tag

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 46, 46
SPACE = "http://www.w3.org/2000/svg"
STYLE = (
    "text{font:13px sans-serif;fill:#222}.title{font-weight:bold}.tick{fill:#555;font-size:11px}"
    ".middle{text-anchor:middle}.end{text-anchor:end}.grid{stroke:#ddd}"
    ".p0{stroke:#555;stroke-dasharray:4 3}.dot{fill:#3b6ea8;fill-opacity:.65}"
    ".failing{fill:#c0392b}.fit{fill:none;stroke:#1f3a5f;stroke-width:2}"
    ".threshold{stroke:#c0392b;stroke-width:2}.band{fill:#c0392b;fill-opacity:.12}"
)


def write_human_plot(path: Path, estimates: Sequence[HumanEstimate]) -> None:
    """Write the plot of all estimates, one below the other; the suffix selects the format."""
    drawn = human_plot(estimates)
    if path.suffix == ".html":
        head = tag("head", tag("meta", charset="utf-8"), tag("title", "Human performance"))
        body = tag("body", drawn, *(_own_estimator(one) for one in estimates if one.reasons))
        text = f'<!doctype html>\n<html lang="en">{head}{body}</html>\n'
    elif path.suffix == ".svg":
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n{drawn}\n'
    else:
        raise UserError(f"--plot {path}: found suffix '{path.suffix}'; use .svg or .html.")
    write_atomically(path, text.encode())


def human_plot(estimates: Sequence[HumanEstimate]) -> Markup:
    """The share of right answers in each bin, its fit, the rate tested against, the threshold."""
    panels = [panel for one in estimates for panel in _panels(one)]
    drawn = [
        tag("g", shapes, transform=f"translate(0 {HEIGHT * place})")
        for place, shapes in enumerate(panels)
    ]
    words = "; ".join(f"{_title(one)}: {one.composed.words()}" for one in estimates)
    return tag(
        "svg",
        tag("style", Markup(STYLE)),
        *drawn,
        xmlns=SPACE,
        viewBox=f"0 0 {WIDTH} {HEIGHT * len(panels)}",
        width=WIDTH,
        role="img",
        aria_label=f"Human performance against visual change. {words}",
    )


def _own_estimator(one: HumanEstimate) -> Markup:
    """What our own estimator says beside a published threshold, and why."""
    if one.own is None:
        rows: list[Markup] = []
    else:
        parts = one.own.subtasks.items()
        rows = [tag("li", f"{name}: {part.words()}") for name, part in parts]
    return tag(
        "section",
        tag("h2", f"{_title(one)}: by our own estimator"),
        tag("ul", *rows),
        tag("p", "Why the two differ:"),
        tag("ul", *(tag("li", reason) for reason in one.reasons)),
        style="max-width:42rem;font:14px/1.5 sans-serif",
    )


def _title(one: HumanEstimate) -> str:
    label = "" if one.request.label == "any" else f"{one.request.label}, "
    return f"{label}{one.transformation}, {one.kind}"


def _panels(one: HumanEstimate) -> list[list[Markup]]:
    parts: dict[str, Threshold] = {str(name): part for name, part in one.subtasks.items()}
    if one.direct is not None:
        parts["whole task, estimated directly"] = one.direct
    return [
        _panel(f"{_title(one)}: {name}, {curve.what}", curve, part, one.measure)
        for name, part in parts.items()
        for curve in part.curves
    ]


def _panel(title: str, curve: AnswerCurve, threshold: Threshold, measure: str) -> list[Markup]:
    under = f"visual change ({measure}); dashed: tested against; red dots: failing bins"
    return [
        tag("text", title, x=LEFT, y=18, class_="title"),
        tag("text", f"threshold {threshold.words()}", x=LEFT, y=36, class_="tick"),
        *_axes(),
        *_mark(threshold),
        _level(curve.p0),
        *_dots(curve),
        *([_line(curve)] if curve.fit is not None else []),
        tag("text", under, x=_x(0.5), y=HEIGHT - 8, class_="tick middle"),
    ]


def _axes() -> list[Markup]:
    shapes = []
    for value in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = _x(value), _y(value)
        shapes += [
            tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"),
            tag("text", f"{100 * value:g}%", x=LEFT - 6, y=y + 4, class_="tick end"),
            tag("text", f"{value:g}", x=x, y=_y(0) + 16, class_="tick middle"),
        ]
    return shapes


def _mark(threshold: Threshold) -> list[Markup]:
    if threshold.value is None or threshold.low is None or threshold.high is None:
        return []
    low, high, x = _x(threshold.low), _x(threshold.high), _x(threshold.value)
    width, height = round(high - low, 1), round(_y(0) - _y(1), 1)
    return [
        tag("rect", x=low, y=_y(1), width=width, height=height, class_="band"),
        tag("line", x1=x, x2=x, y1=_y(1), y2=_y(0), class_="threshold"),
    ]


def _level(p0: float) -> Markup:
    y = _y(p0)
    return tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="p0")


def _dots(curve: AnswerCurve) -> list[Markup]:
    most = curve.asked.max(initial=1.0)
    rows = zip(curve.edges, curve.share, curve.asked, curve.p_value, strict=True)
    return [
        tag(
            "circle",
            tag("title", f"up to {edge:.2f}: {share:.3f} of {asked:g}, p = {p_value:.3g}"),
            cx=_x(edge),
            cy=_y(share),
            r=round(1.5 + 3.5 * (asked / most) ** 0.5, 1),
            class_="dot failing" if p_value <= ALPHA else "dot",
        )
        for edge, share, asked, p_value in rows
    ]


def _line(curve: AnswerCurve) -> Markup:
    fit = curve.share if curve.fit is None else curve.fit
    points = zip(curve.edges, fit, strict=True)
    return tag(
        "path",
        d="M" + " L".join(f"{_x(edge)},{_y(value)}" for edge, value in points),
        class_="fit",
    )


def _x(change: float) -> float:
    return round(LEFT + float(change) * (WIDTH - LEFT - RIGHT), 1)


def _y(share: float) -> float:
    inside = min(max(float(share), 0.0), 1.0)
    return round(TOP + (1 - inside) * (HEIGHT - TOP - BOTTOM), 1)
