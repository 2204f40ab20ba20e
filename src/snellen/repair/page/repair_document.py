"""The content of `repair.html`."""

from __future__ import annotations

import time
from collections.abc import Sequence

from snellen.pages.embedded_pictures import Album
from snellen.pages.gallery import WORDS_SCRIPT
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
    "{count} configurations were compared on the same scenes. One in 40 without any effect would "
    "be called more robust by chance, and the best of several looks slightly better than it is: "
    "confirm it on other scenes."
)


def document(
    named: Sequence[NamedEvaluation],
    chosen: NamedEvaluation,
    pairs: Sequence[PicturePair],
    notes: Sequence[str] = (),
) -> str:
    """The whole page. chosen: the evaluation of the headline, one of `named`. notes: sentences."""
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
    style += f"\n{album.css()}"
    title = f"repair of {one.before.name}"
    return html_page(title, body, style=style, script=WORDS_SCRIPT.text())


def _facts(one: Evaluation) -> Markup:
    facts = [f"repair of {one.before.name}", one.method, f"seed {one.seed}"]
    if one.after.asked_at is not None:
        facts.append(time.strftime("%Y-%m-%d %H:%M", time.localtime(one.after.asked_at)))
    return joined(tag("b", "Snellen"), *(f" · {fact}" for fact in facts))


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
        tag("p", "Each pair is one test: the same picture with each subject's detections."),
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
        "Change by distance and class",
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
        tag("p", "Epoch 0 is the original subject.", class_="facts"),
        id="training",
    )


_INSTANCES = tag(
    "p",
    "Pr1: fewer failures than before, and at most one in 10 or more tests, or at most 2%. "
    "Pr2: fewer, but not Pr1. Pr3: more. The four shares sum to 1. Instances selected for "
    "failing fail less often the next time by chance; among all instances, chance gives as many "
    "with fewer failures as with more.",
    class_="facts",
)


def _held_out(held: HeldOut) -> Markup:
    word = {
        True: "The evaluation shares no scene and no object with training and repair.",
        False: f"The evaluation was not held out: {held.why}",
        None: f"Not checked: {held.why}.",
    }[held.held_out]
    parts = [("evaluation", held.judged_on), *(("training", one) for one in held.trained_on)]
    rows: list[list[Child]] = [[one.name, use, one.scenes, one.objects] for use, one in parts]
    alike = [
        tag("li", f"{one.scene} ({one.part}) and {one.other_scene} ({one.other_part}): "
            f"{one.bits} of 64 bits differ")
        for one in held.alike[:SHOWN]
    ]  # fmt: skip
    similar = f"{len(held.alike)} pairs of pictures are near-duplicates:"
    return section(
        "Held-out data",
        tag("p", word),
        table(
            ["set", "use", "scenes", "objects"],
            rows,
            "Scenes and inserted objects of each set",
            stacked=True,
        ),
        joined(tag("p", similar), tag("ul", alike)) if alike else None,
        id="held-out",
    )


def _measured(one: Evaluation) -> Markup:
    fresh = (
        ""
        if one.fresh is None
        else " The new run tests the objects that the repaired subject detects, at new places."
    )
    over = ""
    if one.precision is not None:
        over = f" Clean AP is COCO's AP on {one.precision.scenes} annotated scenes"
        missing = one.precision.of - one.precision.scenes
        over += f"; {missing} more lack an answer." if missing else "."
    return section(
        "How it was measured",
        tag(
            "p",
            "The cases generated for the original subject are put to the repaired one: same "
            "scenes, objects and places. Each subject is compared with its own answer on the "
            f"unchanged scene; a test fails if a hard event violates the relation.{fresh}{over} "
            "Intervals are by scene, paired.",
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
