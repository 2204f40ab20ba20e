"""A run over label combinations in words, the same on a terminal and on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snellen.methods.combinations.explanation.cause import INTERACTIONS, Cause
from snellen.methods.combinations.own_numbers import (
    CombinationNumbers,
    SmallestLabels,
    WorstPair,
)
from snellen.pages.page_section import RateRow, Tile
from snellen.store.estimate import percent

NAMED = 3
"""Combinations per kind on the terminal."""
BLAMED = {
    Cause.LIKENESS: "with an object that gets the extra label alone",
    Cause.SINGLE: "with an object that is missed alone",
    Cause.BACKGROUND: "because of the background",
    Cause.ANY_CHANGE: "undone by a shift of a pixel or two",
    Cause.UNEXPLAINED: "unexplained",
}
MEAN = "of all label pairs are answered correctly (mean interaction accuracy)"
RESTRICTED = "of the pairs with a label in the image"


def composed_verdict(found: CombinationNumbers) -> str:
    """How many compositions fail, and how many of them only by interaction."""
    failing, together = found.error_images.images, found.interaction
    text = f"{failing:,} of {found.images:,} compositions fail"
    if found.unexplained == failing:
        return f"{text}. No failure was explained, so the share of interaction errors is unknown."
    kinds = _counted(found, {name: f"by {name}" for name in Cause if name in INTERACTIONS})
    text += f"; in {together.images:,} of them no object alone shows the error: interaction errors"
    text += f"{f' ({kinds})' if kinds else ''}, {percent(together.rate)}."
    others = _counted(found, BLAMED)
    rest = f" The others: {others}." if others else ""
    return f"{text}{rest} {pairs_line(found)}"


def _counted(found: CombinationNumbers, words: Mapping[Cause, str]) -> str:
    """How many compositions have each of some causes."""
    counts = {name: found.causes[name].images for name in words if name in found.causes}
    return ", ".join(f"{count:,} {words[name]}" for name, count in counts.items() if count)


def pairs_line(found: CombinationNumbers) -> str:
    """How many pairs of labels stand out."""
    pairs = found.discoveries
    return (
        f"{pairs.standing_out:,} of {pairs.tested:,} pairs of labels stand out after controlling "
        f"the false discovery rate at {pairs.level:.0%}."
    )


def composed_rates(found: CombinationNumbers) -> list[RateRow]:
    """All failing compositions, and those that fail by interaction."""
    struck = {"compositions": found.error_images, "by interaction": found.interaction}
    return [RateRow(name, one.rate, one.images, found.images) for name, one in struck.items()]


def accuracy_tiles(found: CombinationNumbers) -> list[Tile]:
    """The interaction accuracies."""
    accuracy = found.interaction_accuracy
    known = ((accuracy.mean, MEAN), (accuracy.restricted, RESTRICTED))
    return [Tile(f"{100 * value:.1f}%", words) for value, words in known if value is not None]


def combination_rows(found: CombinationNumbers) -> dict[str, str]:
    """Rows of the terminal table: causes, the worst pairs, accuracy and coverage."""
    covered, accuracy = found.coverage, found.interaction_accuracy
    causes = [f"{one.images} {name}" for name, one in found.causes.items() if one.images]
    rows = {"causes": ", ".join(causes) or "none"}
    rows["pairs"] = pairs_line(found).removesuffix(".")
    for kind, pairs in found.top.items():
        rows[f"  {kind}"] = _named_pairs(kind, pairs)
    strength = found.coverage.strength
    if strength > 2 and strength in found.smallest:
        largest = found.smallest[strength][:NAMED]
        rows[f"  of {strength} labels"] = ", ".join(
            f"{' + '.join(one.labels)} ({one.images})" for one in largest
        )
    if found.alone:
        rows["alone"] = ", ".join(
            f"{one.label} brings {one.also} ({one.failing} of {one.objects})"
            for one in found.alone[:NAMED]
        )
    if accuracy.mean is not None:
        rows["accuracy"] = f"{100 * accuracy.mean:.1f}% of pairs" + (
            f", {100 * accuracy.restricted:.1f}% of those with a label present"
            if accuracy.restricted is not None
            else ""
        )
    if found.baseline is not None:
        published = (one.as_published.rate for one in (found.baseline, found.error_images))
        shares = ["unknown" if one.value is None else f"{one.value:.1%}" for one in published]
        photographs = f"{shares[0]} of {found.baseline.images} random photographs"
        rows["as published"] = f"{shares[1]} of compositions differ, {photographs}"
    rows["coverage"] = (
        f"{covered.covered} of {covered.combinations} combinations, "
        f"{covered.usable} of {covered.labels} labels"
    )
    return rows


def pair_name(kind: str, labels: Sequence[str]) -> str:
    """A pair of labels; with an arrow from the present one to the other if there is a direction.

    >>> pair_name("missing", ("cat", "dog")), pair_name("extra", ("cat", "dog"))
    ('cat + dog', 'cat \u2192 dog')
    """
    return (" + " if kind == "missing" else " \u2192 ").join(labels)


def smallest_words(one: SmallestLabels) -> str:
    """What goes wrong with a smallest set of labels."""
    if one.kind == "mismatch":
        return f"{one.label} is labelled {one.new_label}"
    return f"{one.label} is {'missed' if one.kind == 'missing' else 'added'}"


def _named_pairs(kind: str, pairs: Sequence[WorstPair]) -> str:
    """The worst pairs: those that smallest failing parts show; all if none does."""
    shown = any(one.attributed for one in pairs)
    counted = [(one.labels, one.attributed if shown else one.errors) for one in pairs]
    named = [f"{pair_name(kind, labels)} ({count})" for labels, count in counted if count]
    return ", ".join(named[:NAMED]) or "none"


def combination_steps(found: CombinationNumbers) -> list[str]:
    """What to do about labels that were never shown."""
    unusable = found.coverage.unusable
    if not unusable:
        return []
    skipped = "1 label was" if len(unusable) == 1 else f"{len(unusable)} labels were"
    return [
        f"{skipped} skipped because no usable object was available; the report gives the reasons. "
        "Add objects to cover all labels"
    ]
