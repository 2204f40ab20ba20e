"""The numbers of label combinations beyond the failure rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.methods.combinations.cases import CAUSES, KINDS, Outcomes, outcomes
from snellen.methods.view import RunRecord
from snellen.statistics.intervals import wilson_rate
from snellen.vision.arrays import Bools, Ints
from snellen.vision.label_pairs import PairCounts, interaction_accuracy, present_accuracy

TOP = 10
"""Combinations listed for each kind."""


def combination_numbers(record: RunRecord) -> dict[str, Any]:
    """Errors, causes, accuracy, coverage, and the worst pairs of labels."""
    found = record.once(outcomes)
    if found is None:
        return {}
    facts, scenes = record.journal.get("facts"), record.rates.cases(TEST).scenes

    def struck(flags: Bools) -> dict[str, Any]:
        rate = record.rates.among(scenes, flags).to_json()
        return {"images": int(flags.sum()), "rate": rate}

    causes = np.array(found.causes, dtype=object)
    return {
        "images": len(found.failing),
        "error_images": {
            **struck(found.failing),
            "as_published": struck((found.truth != found.said).any(axis=1)),
        },
        "causes": {name: struck(causes == name) for name in CAUSES},
        "interaction_accuracy": _accuracy(found),
        "coverage": _coverage(facts, found),
        "pairs": {
            name: int(np.triu(getattr(found.counts, attribute), 1).sum())
            for name, attribute in PAIRS.items()
        },
        "top": {kind: top(found, kind, training_pairs(facts)) for kind in KINDS},
        "by_label": _by_label(found, facts),
    }


PAIRS = {"tested": "tested", "pass": "passed", **{kind: kind for kind in KINDS}}


def _accuracy(found: Outcomes) -> dict[str, float | None]:
    if not len(found.truth) or len(found.classes) < 2:
        return {"mean": None, "restricted": None}
    present = present_accuracy(found.truth, found.said)
    shown = present[~np.isnan(present)]
    return {
        "mean": float(interaction_accuracy(found.truth, found.said).mean()),
        "restricted": float(shown.mean()) if len(shown) else None,
    }


def _coverage(facts: Mapping[str, Any], found: Outcomes) -> dict[str, Any]:
    """The coverage of the array, and what lacks a usable object."""
    return {
        **facts["array"],
        "labels": len(found.classes),
        "usable": len(facts.get("usable") or ()),
        "unusable": dict(facts.get("unusable") or {}),
        "objects": dict(facts.get("objects") or {}),
        "pairs_shown": int(np.triu(found.counts.both > 0, 1).sum()),
    }


def top(found: Outcomes, kind: str, training: Ints | None) -> list[dict[str, Any]]:
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
    return [
        {
            "labels": [names[a], names[b]],
            "attributed": int(attributed[a, b]),
            "errors": int(errors[a, b]),
            "images": int(chance[a, b]),
            "rate": wilson_rate(float(errors[a, b]), float(chance[a, b])).to_json(),
            "wrong": {names[a]: int(wrong[b, a]), names[b]: int(wrong[a, b])},
            "training": _trained(training, a, b),
        }
        for a, b in zip(firsts[order][:TOP], seconds[order][:TOP], strict=True)
    ]


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


def _trained(training: Ints | None, first: int, second: int) -> dict[str, Any] | None:
    if training is None:
        return None
    both, singles = training[first, second], training[[first, second], [first, second]]
    return {"both": int(both), "singles": singles.tolist()}


def _by_label(found: Outcomes, facts: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """For each label shown or output: how often it was missing, and extra."""
    images = len(found.truth)
    shown = found.truth.sum(axis=0).tolist()
    missed = (found.truth & ~found.said).sum(axis=0).tolist()
    added = (found.said & ~found.truth).sum(axis=0).tolist()
    singles = (facts.get("training") or {}).get("singles")
    return {
        name: {
            "images": shown[place],
            "missing": missed[place],
            "missing_rate": wilson_rate(missed[place], shown[place]).to_json(),
            "extra": added[place],
            "extra_rate": wilson_rate(added[place], images - shown[place]).to_json(),
            "training": None if singles is None else singles[place],
        }
        for place, name in enumerate(found.classes)
        if shown[place] or added[place]
    }
