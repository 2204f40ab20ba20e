"""The top of the page: the verdict, both failure rates, and key figures."""

from __future__ import annotations

import math

from snellen.pages.markup import Markup, joined, tag
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.page.words import share, verdict_sentence
from snellen.statistics.intervals import Rate


def top(one: Evaluation) -> Markup:
    """The verdict in a sentence, the two failure rates, and key figures."""
    first, second = one.failures.before, one.failures.after
    assert isinstance(first, Rate)
    assert isinstance(second, Rate)
    rows = [("before", first, "noise"), ("after", second, "tested")]
    scale = max([row[1].high for row in rows if row[1].cases], default=1.0) or 1.0
    return joined(
        tag("p", verdict_sentence(one), class_="verdict"),
        tag("div", [_row(*row, scale) for row in rows], class_="rates"),
        tag("p", _note(one), class_="facts"),
        _tiles(one),
    )


def _note(one: Evaluation) -> str:
    rate = one.failures.difference
    return (
        f"Dots are failure rates on the same {_tests(one)} tests on {one.scenes} scenes; bars are "
        f"{100 * rate.confidence:.0f}% intervals, by scene. An instance that is not detected in "
        "the unchanged scene counts as failing in all its tests."
    )


def _tests(one: Evaluation) -> int:
    assert isinstance(one.failures.before, Rate)
    return int(one.failures.before.cases)


def _row(name: str, rate: Rate, look: str, scale: float) -> Markup:
    if not rate.cases:
        return tag("div", tag("span", name, class_="name"), "no cases", class_="rate")
    low, high, value = (2 + 96 * x / scale for x in (rate.low, rate.high, rate.value))
    counts = tag("small", f"{rate.failing:g} of {rate.cases:g}")
    return tag(
        "div",
        tag("span", name, counts, class_="name"),
        tag(
            "span",
            tag("span", class_="range", style=f"left:{low:.2f}%;width:{high - low:.2f}%"),
            tag("span", class_="point", style=f"left:{value:.2f}%"),
            class_="track",
            aria_hidden="true",
        ),
        tag(
            "span",
            tag("strong", share(rate)),
            tag("small", f"{100 * rate.low:.1f} to {100 * rate.high:.1f}%"),
            class_="figure",
        ),
        class_=f"rate {look}",
    )


def _tiles(one: Evaluation) -> Markup:
    facts = [
        (_of_hundred(one.repaired), "failures repaired per 100 tests"),
        (_of_hundred(one.new), "new failures per 100 tests"),
        (share(one.shares.almost_none), "of failing instances have almost no failure left (Pr1)"),
        (
            share(one.undetected.after),
            f"of {one.instances} instances are not detected in the unchanged scene",
        ),
    ]
    if one.fresh is not None:
        facts.append((share(one.fresh.rate), "failure rate in a new run, at new places"))
    if not math.isnan(one.failures.difference.p):
        facts.append((f"{one.failures.difference.p:.2g}", "p-value of the change"))
    items = [tag("li", tag("strong", value), tag("span", what)) for value, what in facts]
    return tag("ul", items, class_="tiles")


def _of_hundred(rate: Rate) -> str:
    return f"{100 * rate.value:.1f}" if rate.cases else "no cases"
