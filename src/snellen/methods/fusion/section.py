"""The parts of the page that are numbers of a camera+LiDAR run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snellen.methods.fusion.words import search_words
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.tables import figure, section, table

Numbers = Mapping[str, Any]
CLASS_WORDS = {
    "missing": "lost, or put in and not found",
    "false": "appeared: a phantom",
    "location": "moved: found, but elsewhere",
    "class": "relabelled; none of the published classes",
}

ERRORS = ("missing", "false", "location")
VIEWS = {"3d": "in 3D", "2d": "in the image"}


def fusion_sections(found: Numbers) -> Markup:
    """What went wrong in both sensors, where, with what, and how the search went."""
    return joined(errors(found), precision(found.get("precision")), where(found), search(found))


def errors(found: Numbers) -> Markup | None:
    """Errors by MultiTest's classes and by kind of event, in 3D and in the image."""
    if not found["events"]:
        return None
    classes: list[list[Child]] = [
        [tag("span", name, tag("small", CLASS_WORDS[name])), one["3d"], one["image"]]
        for name, one in found["errors"].items()
        if name in ERRORS or one["3d"] or one["image"]
    ]
    kinds: list[list[Child]] = [
        [tag("span", tag("span", class_=f"key {kind}"), kind), one["3d"], one["image"]]
        for kind, one in found["events"].items()
    ]
    heads = ["in 3D", "in the image"]
    return section(
        "What went wrong in space and in the image",
        table(["error", *heads], classes, "Hard events of failing cases as MultiTest's classes"),
        table(["event", *heads], kinds, "The same by kind of event"),
        tag(
            "p",
            "Events set an answer against the one about the frame as it was; the paper sets it "
            "against the labels. An object that is lost in 3D and in the image counts in both.",
            class_="facts",
        ),
        id="solid-errors",
    )


def precision(found: Numbers | None) -> Markup | None:
    """Average precision and errors against the labels, before and with insertions; or nothing."""
    if not found or not found["classes"]:
        return None
    rows: list[list[Child]] = [
        [f"{name}, {VIEWS[view]}", f"{one['objects']['before']}, then {one['objects']['after']}",
         *(_percent(one["ap"][side]) for side in ("before", "after", "drop")),
         *(f"{kind['before']}, then {kind['after']}" for kind in one["errors"].values())]
        for name, views in found["classes"].items()
        for view, one in views.items()
    ]  # fmt: skip
    heads = ["class", "objects", "AP before", "with insertions", "drop", *ERRORS]
    return section(
        "Against the labels",
        table(heads, rows, "KITTI's average precision, moderate, and MultiTest's errors"),
        tag(
            "p",
            f"Of {found['cases']} cases, those that chains of insertions ended with, and of their "
            "frames as they were. A drop says that the system does worse; insertions may also be "
            "easier to find than what was there, and then AP rises. Overlaps are KITTI's (cars "
            "0.7, others 0.5). Where either side has 40 objects or fewer, every score is a "
            "threshold, as the benchmark's own procedure needs more.",
            class_="facts",
        ),
        id="solid-precision",
    )


def where(found: Numbers) -> Markup | None:
    """The failure rate by distance and by kind of what was put in last."""
    bands: list[list[Child]] = [
        [f"{one['low']} to {one['high']} m", *_rated(one)] for one in found["by_distance"]
    ]
    kinds: list[list[Child]] = [[name, *_rated(one)] for name, one in found["by_kind"].items()]
    if not bands and not kinds:
        return None
    heads = ["failing", "rate"]
    return section(
        "Where, and with what",
        table(["distance", *heads], bands, "By distance of what was put in last")
        if bands
        else None,
        table(["put in", *heads], kinds, "By kind of what was put in last, the worst first"),
        id="solid-where",
    )


def _rated(one: Numbers) -> list[Child]:
    return [f"{one['failing']} of {one['cases']}", figure(one["rate"], "{:.1f}%")]


def search(found: Numbers) -> Markup:
    """How the search went: chains, what was kept, and the fitness along them."""
    rows: list[list[Child]] = [
        [one["objects"], *_rated(one), one["kept"], _number(one["fitness"]),
         _number(one["highest_fitness"])]
        for one in found["by_objects"]
    ]  # fmt: skip
    heads = ["things put in", "failing", "rate", "kept", "mean fitness of kept", "highest"]
    agreement = found["agreement"]
    told = None
    if agreement["modality_consistency"] is not None:
        told = (
            "How far camera and LiDAR agree on what was put in: modality consistency "
            f"{agreement['modality_consistency']:.3f} in the mean (1 is full), and the shares "
            f"of it that the two see differ by {agreement['visibility_gap']:.3f}."
        )
    return section(
        "The search",
        tag("p", f"{search_words(found['search'])}."),
        table(heads, rows, "Along the chains, by how much was put in") if rows else None,
        tag(
            "p",
            "The fitness measures how badly the subject does on a frame, near things first: what "
            "it misses, makes up and displaces. A search that is not random keeps an insertion, "
            "and builds on it, if it raises it.",
            class_="facts",
        ),
        tag("p", told, class_="facts") if told else None,
        id="solid-search",
    )


def _percent(value: float | None) -> str:
    return "·" if value is None else f"{value:.1f}"


def _number(value: float | None) -> str:
    return "·" if value is None else f"{value:.3f}"
