"""The sections of a camera+LiDAR run."""

from __future__ import annotations

from snellen.methods.fusion.own_numbers import (
    CountChange,
    FusionNumbers,
    PrecisionNumbers,
    RatedCases,
)
from snellen.methods.fusion.words import band_words, search_words
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.tables import figure, section, table
from snellen.vision.kitti.evaluation_pairs import OverlapMetric

CLASS_WORDS = {
    "missing": "lost, or inserted and not found",
    "false": "appeared: a phantom",
    "location": "moved: found, but elsewhere",
    "class": "relabelled; not one of the published classes",
}

ERRORS = ("missing", "false", "location")
VIEWS = {OverlapMetric.SOLID: "in 3D", OverlapMetric.IMAGE: "in the image"}


def fusion_sections(found: FusionNumbers) -> Markup:
    """Errors in both sensors, where and with what, and the search."""
    return joined(errors(found), precision(found.precision), where(found), search(found))


def errors(found: FusionNumbers) -> Markup | None:
    """Errors by MultiTest's classes and by kind of event, in 3D and in the image."""
    if not found.events:
        return None
    classes: list[list[Child]] = [
        [tag("span", name, tag("small", CLASS_WORDS[name])), one.solid, one.image]
        for name, one in found.errors.items()
        if name in ERRORS or one.solid or one.image
    ]
    kinds: list[list[Child]] = [
        [tag("span", tag("span", class_=f"key {kind}"), kind), one.solid, one.image]
        for kind, one in found.events.items()
    ]
    heads = ["in 3D", "in the image"]
    return section(
        "Errors in 3D and in the image",
        table(["error", *heads], classes, "Hard events of failing cases as MultiTest's classes"),
        table(["event", *heads], kinds, "The same by kind of event"),
        tag(
            "p",
            "Events compare an answer with the one about the original frame; the paper compares it "
            "with the labels. An object that is lost in 3D and in the image counts in both.",
            class_="facts",
        ),
        id="solid-errors",
    )


def precision(found: PrecisionNumbers | None) -> Markup | None:
    """Average precision and errors against the labels, before and with insertions; or nothing."""
    if not found or not found.classes:
        return None
    rows: list[list[Child]] = [
        [f"{name}, {VIEWS[view]}", _change(one.objects),
         *(_percent(share) for share in (one.ap.before, one.ap.after, one.ap.drop)),
         *map(_change, one.errors.values())]
        for name, views in found.classes.items()
        for view, one in views.items()
    ]  # fmt: skip
    heads = ["class", "objects", "AP before", "with insertions", "drop", *ERRORS]
    return section(
        "Against the labels",
        table(heads, rows, "KITTI's average precision, moderate, and MultiTest's errors"),
        tag(
            "p",
            f"For {found.cases} cases at the ends of chains of insertions, and their original "
            "frames. A drop means that the system does worse; AP rises where insertions are "
            "easier to detect than the existing objects. Overlaps are KITTI's (cars "
            "0.7, others 0.5). Where either side has 40 objects or fewer, every score is a "
            "threshold, because the benchmark's own procedure needs more.",
            class_="facts",
        ),
        id="solid-precision",
    )


def where(found: FusionNumbers) -> Markup | None:
    """The failure rate by distance and by kind of the last insertion."""
    bands: list[list[Child]] = [[band_words(one), *_rated(one)] for one in found.by_distance]
    kinds: list[list[Child]] = [[name, *_rated(one)] for name, one in found.by_kind.items()]
    if not bands and not kinds:
        return None
    heads = ["failing", "rate"]
    return section(
        "Where, and with what",
        table(["distance", *heads], bands, "By distance of the last insertion") if bands else None,
        table(["inserted", *heads], kinds, "By kind of the last insertion, worst first"),
        id="solid-where",
    )


def _rated(one: RatedCases) -> list[Child]:
    return [f"{one.failing} of {one.cases}", figure(one.rate, "{:.1f}%")]


def search(found: FusionNumbers) -> Markup:
    """The search: chains, accepted insertions, and the fitness along them."""
    rows: list[list[Child]] = [
        [one.objects, *_rated(one), one.kept, _number(one.fitness), _number(one.highest_fitness)]
        for one in found.by_objects
    ]
    heads = ["insertions", "failing", "rate", "accepted", "mean fitness of accepted", "highest"]
    agreement = found.agreement
    agreement_text = None
    if agreement.modality_consistency is not None:
        agreement_text = (
            "Agreement of camera and LiDAR on inserted objects: mean modality consistency "
            f"{agreement.modality_consistency:.3f} (1 is perfect); their visible shares "
            f"differ by {agreement.visibility_gap:.3f}."
        )
    return section(
        "The search",
        tag("p", f"{search_words(found.search)}."),
        table(heads, rows, "Along the chains, by number of insertions") if rows else None,
        tag(
            "p",
            "The fitness measures how badly the subject does on a frame, weighted by nearness: "
            "missed, false and displaced objects. A search that is not random accepts an "
            "insertion, and builds on it, if it raises the fitness.",
            class_="facts",
        ),
        tag("p", agreement_text, class_="facts") if agreement_text else None,
        id="solid-search",
    )


def _change(count: CountChange) -> str:
    return f"{count.before}, then {count.after}"


def _percent(value: float | None) -> str:
    return "·" if value is None else f"{value:.1f}"


def _number(value: float | None) -> str:
    return "·" if value is None else f"{value:.3f}"
