"""Tables of labels that go wrong together: alone, in smallest parts, and in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snellen.methods.combinations.own_numbers import (
    CombinationNumbers,
    SmallestLabels,
    TrainedPair,
    WorstPair,
)
from snellen.methods.combinations.words import pair_name, pairs_line, smallest_words
from snellen.pages.markup import Child, Markup, tag
from snellen.pages.tables import figure, section, table
from snellen.store.estimate import p_words

KIND_WORDS = {
    "missing": "both are present, but not both are output",
    "extra": "the first is present and output, and the second is output too",
    "mismatch": "the first is present, and the second is output in its place",
}
WRONG_WORDS = {"missing": "missed", "extra": "added", "mismatch": "output instead"}
STANDS_OUT = (
    "A pair stands out if it has more errors of a kind than all pairs on average (exact binomial "
    "test of the compositions whose smallest failing part shows the pair, with Benjamini and "
    "Hochberg's correction over all pairs and kinds; p-values are corrected ones)."
)


def alone_table(found: CombinationNumbers) -> Markup | None:
    """Objects that get another label although nothing else is in the image."""
    if not found.alone:
        return None
    trained = any(one.training for one in found.alone)
    heads = ["label", "also gets", "objects alone"]
    heads += ["training images with both", "with each"] if trained else []
    rows: list[list[Child]] = [
        [
            one.label,
            one.also,
            f"{one.failing} of {one.objects}",
            *(_training(one.training) if trained else ()),
        ]
        for one in found.alone
    ]
    return section(
        "Labels that come without company",
        tag(
            "p",
            "These objects get a second label when they are shown alone on a plain canvas. They "
            "are in no composition. Some of each label are tests of their own, outside of the "
            "failure rate; those whose second label persists are among the faults.",
        ),
        table(heads, rows, "Objects alone, of those that get at least their own label"),
        id="alone",
    )


def smallest_tables(found: CombinationNumbers) -> Markup | None:
    """The smallest sets of labels that are enough for an error, those of the array's size first."""
    strength = found.coverage.strength
    sizes = sorted(found.smallest, key=lambda size: (size != strength, size))
    tables = [_smallest(size, found.smallest[size]) for size in sizes]
    if not tables:
        return None
    return section(
        "The smallest parts that fail",
        tag("p", "Without any one of these labels the error is gone."),
        tables,
        id="smallest",
    )


def _smallest(size: int, found: Sequence[SmallestLabels]) -> Markup:
    rows: list[list[Child]] = [
        [
            tag("span", " + ".join(one.labels) or "nothing", tag("small", smallest_words(one))),
            f"{one.images} of {one.shown}",
            figure(one.rate, "{:.1f}%"),
        ]
        for one in found
    ]
    what = {0: "The bare background", 1: "One label"}.get(size, f"{size} labels")
    return table(["labels", "compositions", "of those that show them"], rows, what)


def worst_pairs(found: CombinationNumbers) -> Markup | None:
    """The label pairs with the most errors, by kind."""
    tables = [_top(kind, rows) for kind, rows in found.top.items() if rows]
    if not tables:
        return None
    counts = found.pairs
    return section(
        "The worst combinations",
        tag("p", f"{pairs_line(found)} {STANDS_OUT}"),
        tag(
            "p",
            "Ranked by how many failing compositions still show the error with every unneeded "
            "object removed; then by all images with the error.",
        ),
        tables,
        tag(
            "p",
            f"Of {counts.tested:,} pairs of labels judged in all images, {counts.passed:,} "
            f"pass; {counts.missing:,} missing, {counts.extra:,} extra, {counts.mismatch:,} "
            "mismatch. Pairs are counted by the published rules: those with neither label "
            "present don't count, nor those where one label is missing and nothing else output.",
            class_="facts",
        ),
        id="pairs",
    )


def _top(kind: str, rows: Sequence[WorstPair]) -> Markup:
    trained = any(one.training for one in rows)
    heads = ["labels", "smallest parts", "images", "rate", "stands out"]
    heads += ["training images with both", "with each"] if trained else []
    made = [
        [
            tag("span", pair_name(kind, one.labels), tag("small", _wrong(kind, one.wrong))),
            one.attributed,
            f"{one.errors} of {one.images}",
            figure(one.rate, "{:.1f}%"),
            _standing(one),
            *(_training(one.training) if trained else ()),
        ]
        for one in rows
    ]
    return table(heads, made, f"{kind.capitalize()}: {KIND_WORDS[kind]}")


def _standing(one: WorstPair) -> str:
    """Whether a pair stands out, with the corrected p-value."""
    if one.adjusted_p is None:
        return ""
    p = p_words(one.adjusted_p)
    return f"{'yes' if one.stands_out else 'no'}, {p}"


def _wrong(kind: str, wrong: Mapping[str, int]) -> str:
    counted = sorted(wrong.items(), key=lambda one: -one[1])
    text = ", ".join(f"{name} in {count}" for name, count in counted if count)
    return f"{WRONG_WORDS[kind]}: {text}" if text else ""


def _training(training: TrainedPair | None) -> list[Child]:
    if training is None:
        return ["", ""]
    return [f"{training.both:,}", ", ".join(f"{one:,}" for one in training.singles)]
