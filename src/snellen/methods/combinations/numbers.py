"""The numbers of label combinations beyond the failure rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.methods.combinations.cases import KINDS, Outcomes, outcomes, share_by_unit
from snellen.methods.combinations.dataset.baseline import baseline_answers
from snellen.methods.combinations.explanation.cause import INTERACTIONS, Cause
from snellen.methods.combinations.own_numbers import (
    Accuracies,
    BaselineNumbers,
    CombinationNumbers,
    CountedImages,
    Coverage,
    ErrorImages,
    JudgedPairs,
    LabelNumbers,
    PairDiscoveries,
    TrainedPair,
    UsedObjects,
    WorstPair,
)
from snellen.methods.combinations.pairs.overlap_rates import overlap_rates
from snellen.methods.combinations.pairs.pair_tests import LEVEL, chances, places
from snellen.methods.combinations.pairs.smallest_labels import extra_alone, smallest_labels
from snellen.methods.view import RunRecord
from snellen.store.estimate import Estimate
from snellen.vision.arrays import Bools, Ints
from snellen.vision.label_pairs import PairCounts, interaction_accuracy, present_accuracy
from snellen.vision.precision.label_precision import mean_average_precision, pairwise_coverage

TOP = 10
"""Combinations listed for each kind."""


def combination_numbers(record: RunRecord) -> CombinationNumbers | None:
    """Errors, causes, accuracy, coverage, worst pairs; None for a run of another method."""
    found = record.once(outcomes)
    if found is None:
        return None
    facts, everywhere = record.journal.get("facts"), np.ones(len(found.rows), dtype=bool)

    def struck(flags: Bools) -> CountedImages:
        shares = found.by_row(flags, everywhere)
        return CountedImages(images=int(flags.sum()), rate=shares)

    causes, failing = np.array(found.causes, dtype=object), struck(found.failing)
    return CombinationNumbers(
        images=len(found.failing),
        error_images=ErrorImages(
            images=failing.images,
            rate=failing.rate,
            as_published=struck((found.truth != found.said).any(axis=1)),
        ),
        causes={
            name: struck(causes == name)
            for name in Cause
            if name != Cause.INTERACTION or (causes == name).any()
        },
        interaction=struck(np.isin(causes.astype(str), sorted(INTERACTIONS))),
        interaction_accuracy=_accuracy(found, facts["array"]["strength"]),
        coverage=_coverage(facts, found),
        pairs=_pairs(found.counts),
        discoveries=PairDiscoveries(
            tested=found.tests.tested, standing_out=found.tests.standing_out, level=LEVEL
        ),
        top={kind: top(found, kind, training_pairs(facts)) for kind in KINDS},
        smallest=smallest_labels(found),
        baseline=_baseline(record, found),
        by_overlap=overlap_rates(found),
        alone=extra_alone(facts, found.classes, training_pairs(facts)),
        by_label=_by_label(found, facts),
    )


def _baseline(record: RunRecord, found: Outcomes) -> BaselineNumbers | None:
    """Random photographs beside the compositions; None where none were asked about."""
    other = record.once(baseline_answers)
    if other is None or found.scores is None:
        return None
    score = np.float32(record.journal.get("subject")["score"])
    said = other.scores >= score
    every = np.ones(len(said), dtype=bool)

    def struck(flags: Bools) -> CountedImages:
        share = share_by_unit(other.places, flags, every)
        return CountedImages(images=int(flags.sum()), rate=share)

    def restricted(truth: Bools, said: Bools) -> float | None:
        strength = record.journal.get("facts")["array"]["strength"]
        if truth.shape[1] < strength:
            return None
        known = present_accuracy(truth, said, strength)
        return None if np.isnan(known).all() else float(np.nanmean(known))

    return BaselineNumbers(
        images=len(said),
        failing=struck(other.failing),
        as_published=struck(np.asarray((other.truth != said).any(axis=1))),
        precision=(
            mean_average_precision(other.truth, other.scores),
            mean_average_precision(found.truth, found.scores),
        ),
        accuracy=(restricted(other.truth, said), restricted(found.truth, found.said)),
        covered=(pairwise_coverage(other.truth), pairwise_coverage(found.truth)),
    )


def _accuracy(found: Outcomes, strength: int) -> Accuracies:
    if not len(found.truth) or len(found.classes) < strength:
        return Accuracies(mean=None, restricted=None)
    present = present_accuracy(found.truth, found.said, strength)
    shown = present[~np.isnan(present)]
    return Accuracies(
        mean=float(interaction_accuracy(found.truth, found.said, strength).mean()),
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
    rule counts. images: those in which it could occur. `extra` and `mismatch` have a direction: the
    first label is present without the second, which is output.
    """
    where = places(kind, len(found.classes))
    errors, attributed = np.zeros((2, *found.counts.both.shape), np.int64)
    errors[where] = _errors(found.counts, kind)[where]
    attributed[where] = found.attributed_pairs[kind][where]
    firsts, seconds = np.nonzero(errors + attributed)
    order = np.lexsort((seconds, firsts, -errors[firsts, seconds], -attributed[firsts, seconds]))
    chance = chances(found.counts, kind)
    wrong = directed(found.counts, kind)
    adjusted, standing = found.tests.adjusted[kind], found.tests.stands_out(kind)
    names = found.classes
    return tuple(
        WorstPair(
            labels=(names[a], names[b]),
            attributed=int(attributed[a, b]),
            errors=int(errors[a, b]),
            images=int(chance[a, b]),
            rate=_pair_rate(found, kind, int(a), int(b)),
            adjusted_p=_known(adjusted[a, b]),
            stands_out=bool(standing[a, b]),
            wrong=(
                {names[a]: int(wrong[b, a]), names[b]: int(wrong[a, b])}
                if kind == "missing"
                else {names[b]: int(wrong[a, b])}
            ),
            training=_trained(training, a, b),
        )
        for a, b in zip(firsts[order][:TOP], seconds[order][:TOP], strict=True)
    )


def _errors(counts: PairCounts, kind: str) -> Ints:
    """(n, n): images with an error of the kind, for `missing` of either label of the pair."""
    return counts.missing if kind == "missing" else directed(counts, kind)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _pair_rate(found: Outcomes, kind: str, first: int, second: int) -> Estimate:
    """The rate of an error of a pair among the images in which it could occur, by row."""
    one, other = found.truth[:, first], found.truth[:, second]
    said, also = found.said[:, first], found.said[:, second]
    if kind == "missing":
        return found.by_row(~(said & also), one & other)
    return found.by_row(also & (said if kind == "extra" else ~said), one & ~other)


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
    singles = (facts.get("training") or {}).get("singles")
    numbers = {}
    for place, name in enumerate(found.classes):
        shown, said = found.truth[:, place], found.said[:, place]
        if shown.any() or said.any():
            numbers[name] = LabelNumbers(
                images=int(shown.sum()),
                missing=int((shown & ~said).sum()),
                missing_rate=found.by_row(~said, shown),
                extra=int((said & ~shown).sum()),
                extra_rate=found.by_row(said, ~shown),
                training=None if singles is None else singles[place],
            )
    return numbers
