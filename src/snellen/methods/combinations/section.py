"""The parts of the page that only a run over label combinations has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from snellen.methods.combinations.composites import CAUSE_WORDS
from snellen.methods.combinations.heatmap import heatmap
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.tables import SHOWN, figure, section, table

KIND_WORDS = {
    "missing": "both are there, and not both are said",
    "extra": "one is there and said, and the other is said with it",
    "mismatch": "one is there, and the other is said in its place",
}
WRONG_WORDS = {"missing": "missed", "extra": "added", "mismatch": "said instead"}


def causes_and_pairs(found: Mapping[str, Any], map: Mapping[str, Any] | None) -> Markup:
    """Why compositions fail and on which labels; map: as of `map_data`."""
    drawn = heatmap(map) if map else None
    shown = section("Which labels go wrong together", drawn, id="labels-map") if drawn else None
    return joined(causes(found), shown, worst_pairs(found))


def labels_and_coverage(found: Mapping[str, Any]) -> Markup:
    """Each label by itself, and what was covered."""
    return joined(labels(found), coverage(found))


def causes(found: Mapping[str, Any]) -> Markup | None:
    """Why compositions fail, as far as their parts show."""
    if not found["error_images"]["images"]:
        return None
    rows: list[list[Child]] = [
        [
            tag("span", name, tag("small", _cause(name))),
            one["images"],
            figure(one["rate"], "{:.1f}%"),
        ]
        for name, one in found["causes"].items()
        if one["images"] or name == "interaction"
    ]
    published = found["error_images"]["as_published"]
    rows.append(
        [
            tag(
                "span",
                "any difference",
                tag(
                    "small", "as the published method counts errors: no margin, whatever the cause"
                ),
            ),
            published["images"],
            figure(published["rate"], "{:.1f}%"),
        ]
    )
    heads = ["cause", "compositions", "of all"]
    caption = "Failing compositions by cause, with 95% intervals by row"
    return section("Why they fail", table(heads, rows, caption), id="causes")


def _cause(name: str) -> str:
    return CAUSE_WORDS[name].partition(": ")[2] or CAUSE_WORDS[name]


def worst_pairs(found: Mapping[str, Any]) -> Markup | None:
    """The combinations of labels with most errors, kind by kind."""
    tables = [_top(kind, rows) for kind, rows in found["top"].items() if rows]
    if not tables:
        return None
    counts = found["pairs"]
    told = ", ".join(f"{counts[kind]:,} {kind}" for kind in KIND_WORDS)
    return section(
        "The worst combinations",
        tag(
            "p",
            "Ranked by how many failing compositions still show it when every object that it "
            "does not need is taken away; then by all images in which it happens.",
        ),
        tables,
        tag(
            "p",
            f"Of {counts['tested']:,} pairs of labels judged in all images, {counts['pass']:,} "
            f"pass; {told}. Pairs are counted by the published rules: those with neither label "
            "there don't count, nor those where a single label is missed and nothing else said.",
            class_="facts",
        ),
        id="pairs",
    )


def _top(kind: str, rows: Sequence[Mapping[str, Any]]) -> Markup:
    trained = any(one["training"] for one in rows)
    heads = ["labels", "smallest parts", "images", "rate"]
    heads += ["training images with both", "with each"] if trained else []
    made = [
        [
            tag("span", " + ".join(one["labels"]), tag("small", _wrong(kind, one["wrong"]))),
            one["attributed"],
            f"{one['errors']} of {one['images']}",
            figure(one["rate"], "{:.1f}%"),
            *(_training(one["training"]) if trained else ()),
        ]
        for one in rows
    ]
    return table(heads, made, f"{kind.capitalize()}: {KIND_WORDS[kind]}")


def _wrong(kind: str, wrong: Mapping[str, int]) -> str:
    counted = sorted(wrong.items(), key=lambda one: -one[1])
    told = ", ".join(f"{name} in {count}" for name, count in counted if count)
    return f"{WRONG_WORDS[kind]}: {told}" if told else ""


def _training(training: Mapping[str, Any] | None) -> list[Child]:
    if training is None:
        return ["", ""]
    return [f"{training['both']:,}", ", ".join(f"{one:,}" for one in training["singles"])]


def labels(found: Mapping[str, Any]) -> Markup | None:
    """Each label by itself, the most missed first."""
    trained = any(one["training"] is not None for one in found["by_label"].values())
    ordered = sorted(
        found["by_label"].items(), key=lambda one: (-one[1]["missing"] - one[1]["extra"], one[0])
    )
    rows = [
        [
            name,
            one["images"] or "never",
            one["missing"],
            figure(one["missing_rate"], "{:.1f}%"),
            one["extra"],
            figure(one["extra_rate"], "{:.1f}%"),
            *([f"{one['training']:,}"] if trained else ()),
        ]
        for name, one in ordered
    ]
    if not rows:
        return None
    heads = ["label", "shown in", "missing", "of those", "extra", "of the others"]
    heads += ["training images"] if trained else []
    first, rest = rows[:SHOWN], rows[SHOWN:]
    return section(
        "Labels one by one",
        table(heads, first, "Labels by errors, at the threshold, the most first"),
        tag(
            "details",
            tag("summary", f"{len(rest)} more"),
            table(heads, rest, "Further labels"),
        )
        if rest
        else None,
        id="labels",
    )


def coverage(found: Mapping[str, Any]) -> Markup:
    """What the rows cover, and which labels could not be shown, and why."""
    told = found["coverage"]
    share = told["covered"] / told["combinations"] if told["combinations"] else 0
    bound = f" (no array has fewer than {told['bound']:,})" if told.get("bound") else ""
    lines = [
        f"{told['rows']:,} rows{bound} show {told['covered']:,} of {told['combinations']:,} "
        f"combinations of values of {told['strength']} labels, {100 * share:.1f}%, with at most "
        f"{told['max_present']} labels in an image. {told['pairs_shown']:,} pairs of labels were "
        "seen together.",
    ]
    if told["uncovered"]:
        lines.append(
            f"{told['uncovered']:,} combinations are not covered, so nothing is known of them."
        )
    return section(
        "What was covered",
        [tag("p", line) for line in lines],
        _unusable(told["unusable"], told["labels"]),
        _objects(told["objects"]),
        id="coverage",
    )


def _unusable(unusable: Mapping[str, str], labels: int) -> Markup | None:
    if not unusable:
        return None
    rows = [[name, why] for name, why in unusable.items()]
    shown = table(["label", "why"], rows, "Labels that could not be shown")
    lead = f"{len(unusable)} of {labels} labels have no usable object and were never shown."
    if len(rows) <= SHOWN:
        return joined(tag("p", tag("strong", lead)), shown)
    which = tag("summary", "Which, and why")
    return joined(tag("p", tag("strong", lead)), tag("details", which, shown))


def _objects(objects: Mapping[str, Any]) -> Markup | None:
    kept, rejected = objects.get("kept") or {}, objects.get("rejected") or {}
    if not kept and not rejected:
        return None
    told = f"{sum(kept.values()):,} objects of {len(kept)} labels were used"
    if rejected:
        reasons = sorted(rejected.items(), key=lambda one: -one[1])
        listed = ", ".join(f"{count:,} {why}" for why, count in reasons[:SHOWN])
        more = f", and {len(reasons) - SHOWN} other reasons" if len(reasons) > SHOWN else ""
        told += f"; {sum(rejected.values()):,} were refused: {listed}{more}"
    return tag("p", f"{told}.", class_="facts")
