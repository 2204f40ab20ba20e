"""`repair.html` put together."""

from __future__ import annotations

import time
from collections.abc import Sequence

from snellen.pages.embedded_pictures import Album
from snellen.pages.html_page import html_page, resource
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.tables import section, table
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.held_out_check import HeldOut
from snellen.repair.page import repair_plots as plots
from snellen.repair.page import repair_tables as tables
from snellen.repair.page.headline import top
from snellen.repair.page.named_evaluation import NamedEvaluation
from snellen.repair.page.picture_pairs import PicturePair, gallery
from snellen.repair.page.words import headline

SHOWN = 10
CHOSEN = (
    "{count} configurations were compared on the same scenes. Of those that change nothing, one in "
    "40 would be called robuster by chance, and the best of several looks a little better than it "
    "is: confirm it on scenes that chose nothing."
)


def document(
    named: Sequence[NamedEvaluation],
    chosen: NamedEvaluation,
    pairs: Sequence[PicturePair],
    notes: Sequence[str] = (),
) -> str:
    """The whole page. chosen: what the headline is about, one of `named`. notes: sentences."""
    album, one = Album(), chosen.evaluation
    body = joined(
        tag("header", tag("p", _facts(one), class_="facts"), tag("h1", headline(chosen.name, one))),
        tag(
            "main",
            top(one),
            _table(named, notes),
            _pictures(pairs, album),
            _levels(one),
            _curves(named),
            section("Instances", _INSTANCES, tables.instance_table(named), id="instances"),
            section("Single tests", tables.single_tests(named), id="tests"),
            _held_out(one.held),
            _measured(one),
        ),
    )
    style = resource("snellen.pages", "page.css") + resource(__package__, "repair.css")
    return html_page(f"repair of {one.before.name}", body, style=f"{style}\n{album.css()}")


def _facts(one: Evaluation) -> Markup:
    told = [f"repair of {one.before.name}", one.method, f"seed {one.seed}"]
    if one.after.asked is not None:
        told.append(time.strftime("%Y-%m-%d %H:%M", time.localtime(one.after.asked)))
    return joined(tag("b", "Snellen"), *(f" · {fact}" for fact in told))


def _table(named: Sequence[NamedEvaluation], notes: Sequence[str]) -> Markup:
    note = [tag("li", line) for line in notes]
    note += [tag("li", f"{one.name}: {line}.") for one in named for line in one.evaluation.warnings]
    if len(named) > 1:
        note.append(tag("li", CHOSEN.format(count=len(named))))
    return section(
        "Before and after",
        tables.main_table(named),
        tables.equal_table(named),
        tag("ul", note, class_="facts") if note else None,
        id="numbers",
    )


def _pictures(pairs: Sequence[PicturePair], album: Album) -> Markup | None:
    if not pairs:
        return None
    return section(
        "The same cases, before and after",
        tag("p", "Each pair is one test: the same picture, with what each subject found in it."),
        gallery(pairs, album),
        id="pictures",
    )


def _levels(one: Evaluation) -> Markup | None:
    by_class = tables.class_table(one)
    if not (one.by_level or by_class):
        return None
    keys = [
        tag("li", tag("span", class_=f"key {look}"), word)
        for look, word in (("was", "before repair"), ("is", "after repair"))
    ]
    plot = tag(
        "figure",
        tag("figcaption", tag("h3", "Failure rate by distance")),
        plots.levels_plot(one.by_level),
        tag("ul", keys, tag("li", "bars: 95% intervals by scene"), class_="legend"),
    )
    return section(
        "Where it changed",
        tag("div", plot, class_="plots") if one.by_level else None,
        by_class,
        id="where",
    )


def _curves(named: Sequence[NamedEvaluation]) -> Markup | None:
    drawn = [
        tag("figure", tag("figcaption", tag("h3", title)), plot)
        for title, plot in plots.training_plots(named)
    ]
    if not drawn:
        return None
    return section(
        "Training",
        plots.legend(named),
        tag("div", drawn, class_="plots"),
        tag("p", "Epoch 0 is the subject as it was given.", class_="facts"),
        id="training",
    )


_INSTANCES = tag(
    "p",
    "Pr1: fewer failures than before, and at most one of 10 or more tests, or at most 2% of them. "
    "Pr2: fewer, but not so few. Pr3: more. The four shares sum to 1. Of instances that were "
    "chosen because they failed, some fail less by chance alone; among all instances, fewer and "
    "more are even by chance.",
    class_="facts",
)


def _held_out(held: HeldOut) -> Markup:
    word = {
        True: "Nothing that the subject was repaired with is in what it is judged on.",
        False: f"It was not held out: {held.why}",
        None: f"Nothing can be shown: {held.why}.",
    }[held.held_out]
    parts = [("judged on", held.judged_on), *(("trained on", one) for one in held.trained_on)]
    rows: list[list[Child]] = [[one.name, use, one.scenes, one.objects] for use, one in parts]
    alike = [
        tag("li", f"{one.scene} ({one.part}) and {one.other_scene} ({one.other_part}): "
            f"{one.bits} of 64 bits differ")
        for one in held.alike[:SHOWN]
    ]  # fmt: skip
    told = f"{len(held.alike)} pairs of pictures look alike, though they are not the same:"
    return section(
        "What was held out",
        tag("p", word),
        table(
            ["set", "use", "scenes", "objects"],
            rows,
            "Scenes and inserted objects of each set",
            stacked=True,
        ),
        joined(tag("p", told), tag("ul", alike)) if alike else None,
        id="held-out",
    )


def _measured(one: Evaluation) -> Markup:
    fresh = (
        ""
        if one.fresh is None
        else " Its own run tests the objects that it finds itself, at new places."
    )
    over = ""
    if one.precision is not None:
        over = f" Clean AP is COCO's, over {one.precision.scenes} annotated scenes"
        missing = one.precision.of - one.precision.scenes
        over += f"; {missing} more have no answer of both." if missing else "."
    return section(
        "How it was measured",
        tag(
            "p",
            "The cases that were made for the subject before repair are put to the repaired one: "
            "same scenes, same objects, same places. Each is compared with its own answer on the "
            f"unchanged scene; a test fails where the relation is broken by a hard event.{fresh}"
            f"{over} Intervals are by scene, both sides drawn alike.",
        ),
        table(
            ["subject", "name", "threshold", "fingerprint"],
            [
                [when, side.name, f"{side.score:g}", side.fingerprint]
                for when, side in (("before", one.before), ("after", one.after))
            ],
            "The two subjects",
            stacked=True,
        ),
        tag("p", "All figures are in evaluation.json.", class_="facts"),
        id="measured",
    )
