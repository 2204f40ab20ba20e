"""The numbers of label combinations beyond the failure rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.methods.combinations.cases import KINDS, Outcomes, outcomes
from snellen.methods.combinations.cause import Cause
from snellen.methods.combinations.own_numbers import (
    Accuracies,
    CombinationNumbers,
    CountedImages,
    Coverage,
    ErrorImages,
    JudgedPairs,
    LabelNumbers,
    TrainedPair,
    UsedObjects,
    WorstPair,
)
from snellen.methods.view import RunRecord
from snellen.statistics.intervals import wilson_rate
from snellen.store.estimate import Estimate
from snellen.vision.arrays import Bools, Ints
from snellen.vision.label_pairs import PairCounts, interaction_accuracy, present_accuracy

TOP = 10
"""Combinations listed for each kind."""


def combination_numbers(record: RunRecord) -> CombinationNumbers | None:
    """Errors, causes, accuracy, coverage, worst pairs; None for a run of another method."""
    found = record.once(outcomes)
    if found is None:
        return None
    facts, scenes = record.journal.get("facts"), record.rates.cases(TEST).scenes

    def struck(flags: Bools) -> CountedImages:
        rate = Estimate.of(record.rates.among(scenes, flags))
        return CountedImages(images=int(flags.sum()), rate=rate)

    causes, failing = np.array(found.causes, dtype=object), struck(found.failing)
    return CombinationNumbers(
        images=len(found.failing),
        error_images=ErrorImages(
            images=failing.images,
            rate=failing.rate,
            as_published=struck((found.truth != found.said).any(axis=1)),
        ),
        causes={name: struck(causes == name) for name in Cause},
        interaction_accuracy=_accuracy(found),
        coverage=_coverage(facts, found),
        pairs=_pairs(found.counts),
        top={kind: top(found, kind, training_pairs(facts)) for kind in KINDS},
        by_label=_by_label(found, facts),
    )


def _accuracy(found: Outcomes) -> Accuracies:
    if not len(found.truth) or len(found.classes) < 2:
        return Accuracies(mean=None, restricted=None)
    present = present_accuracy(found.truth, found.said)
    shown = present[~np.isnan(present)]
    return Accuracies(
        mean=float(interaction_accuracy(found.truth, found.said).mean()),
        restricted=float(shown.mean()) if len(shown) else None,
    )


def _coverage(facts: Mapping[str, Any], found: Outcomes) -> Coverage:
    """The coverage of the array, and what lacks a usable object."""
    return Coverage(
        **facts["array"],
        labels=len(found.classes),
        usable=len(facts.get("usable") or ()),
        unusable=facts.get("unusable") or {},
        objects=UsedObjects.model_validate(facts.get("objects") or {}),
        pairs_shown=int(np.triu(found.counts.both > 0, 1).sum()),
    )


def _pairs(counts: PairCounts) -> JudgedPairs:
    def total(table: Ints) -> int:
        return int(np.triu(table, 1).sum())

    return JudgedPairs(
        tested=total(counts.tested),
        passed=total(counts.passed),
        missing=total(counts.missing),
        extra=total(counts.extra),
        mismatch=total(counts.mismatch),
    )


def top(found: Outcomes, kind: str, training: Ints | None) -> tuple[WorstPair, ...]:
    """The label pairs with the most errors of a kind, worst first.

    Ranked by the images whose smallest failing part shows the error, then by all that the published
    rule counts. images: those in which it could occur: with both labels for `missing`, with one of
    them for the others.
    """
    errors = np.triu(getattr(found.counts, kind), 1)
    attributed = found.attributed_pairs[kind]
    firsts, seconds = np.nonzero(errors + np.triu(attributed, 1))
    order = np.lexsort((seconds, firsts, -errors[firsts, seconds], -attributed[firsts, seconds]))
    chance = chances(found.counts, kind)
    wrong = directed(found.counts, kind)
    names = found.classes
    return tuple(
        WorstPair(
            labels=(names[a], names[b]),
            attributed=int(attributed[a, b]),
            errors=int(errors[a, b]),
            images=int(chance[a, b]),
            rate=Estimate.of(wilson_rate(float(errors[a, b]), float(chance[a, b]))),
            wrong={names[a]: int(wrong[b, a]), names[b]: int(wrong[a, b])},
            training=_trained(training, a, b),
        )
        for a, b in zip(firsts[order][:TOP], seconds[order][:TOP], strict=True)
    )


def chances(counts: PairCounts, kind: str) -> Ints:
    """(n, n): images in which an error of the kind could occur for a pair of labels."""
    return counts.both if kind == "missing" else counts.only + counts.only.T


def directed(counts: PairCounts, kind: str) -> Ints:
    """(n, n): images with the row's label present and an error of the kind on the column's."""
    return {"missing": counts.missed, "extra": counts.added, "mismatch": counts.swapped}[kind]


def training_pairs(facts: Mapping[str, Any]) -> Ints | None:
    """(n, n): training images with both labels, on the diagonal with one; None if unknown."""
    training = facts.get("training")
    if training is None:
        return None
    found = np.diag(np.asarray(training["singles"], dtype=np.int64))
    for first, second, count in training["pairs"]:
        found[first, second] = found[second, first] = count
    return found


def _trained(training: Ints | None, first: int, second: int) -> TrainedPair | None:
    if training is None:
        return None
    return TrainedPair(
        both=int(training[first, second]),
        singles=(int(training[first, first]), int(training[second, second])),
    )


def _by_label(found: Outcomes, facts: Mapping[str, Any]) -> dict[str, LabelNumbers]:
    """For each label shown or output: how often it was missing, and extra."""
    images = len(found.truth)
    shown = found.truth.sum(axis=0).tolist()
    missed = (found.truth & ~found.said).sum(axis=0).tolist()
    added = (found.said & ~found.truth).sum(axis=0).tolist()
    singles = (facts.get("training") or {}).get("singles")
    return {
        name: LabelNumbers(
            images=shown[place],
            missing=missed[place],
            missing_rate=Estimate.of(wilson_rate(missed[place], shown[place])),
            extra=added[place],
            extra_rate=Estimate.of(wilson_rate(added[place], images - shown[place])),
            training=None if singles is None else singles[place],
        )
        for place, name in enumerate(found.classes)
        if shown[place] or added[place]
    }
