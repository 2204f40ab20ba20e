"""The smallest sets of labels that are enough for an error, by size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from snellen.methods.combinations.cases import Outcomes
from snellen.methods.combinations.own_numbers import ExtraAlone, SmallestLabels, TrainedPair
from snellen.objects.label_names import plain_name
from snellen.vision.arrays import Bools, Ints

LISTED = 10
"""Sets listed for each size."""
Error = tuple[tuple[str, ...], str, str, str | None]
"""Sorted labels, kind, label and new label of an error."""


def smallest_labels(found: Outcomes) -> dict[int, tuple[SmallestLabels, ...]]:
    """By size, the sets of labels that most smallest failing parts show, most frequent first."""
    images: dict[Error, set[int]] = defaultdict(set)
    for image, parts in enumerate(found.parts):
        for one in parts:
            images[tuple(sorted(set(one.labels))), one.kind, one.label, one.new_label].add(image)
    ordered = sorted(images, key=lambda one: (-len(images[one]), str(one)))
    by_size: dict[int, list[SmallestLabels]] = defaultdict(list)
    for error in ordered:
        if len(by_size[len(error[0])]) < LISTED:
            by_size[len(error[0])].append(_counted(found, error, images[error]))
    return {size: tuple(by_size[size]) for size in sorted(by_size)}


def _counted(found: Outcomes, error: Error, images: set[int]) -> SmallestLabels:
    labels, kind, label, new_label = error
    ids = [found.classes.index(name) for name in labels]
    shown: Bools = np.asarray(found.truth[:, ids].all(axis=1))
    struck = np.zeros(len(shown), dtype=bool)
    struck[sorted(images)] = True
    return SmallestLabels(
        labels=labels,
        kind=kind,
        label=label,
        new_label=new_label,
        images=len(images),
        shown=int(shown.sum()),
        rate=found.by_row(struck, shown),
    )


def extra_alone(
    facts: Mapping[str, Any], classes: Sequence[str], training: Ints | None
) -> tuple[ExtraAlone, ...]:
    """The labels whose objects get another one alone, with training counts if there are any."""
    ids = {plain_name(name): id for id, name in enumerate(classes)}

    def trained(label: str, also: str) -> TrainedPair | None:
        if training is None:
            return None
        a, b = ids[plain_name(label)], ids[plain_name(also)]
        return TrainedPair(
            both=int(training[a, b]), singles=(int(training[a, a]), int(training[b, b]))
        )

    return tuple(
        ExtraAlone(**one, training=trained(one["label"], one["also"]))
        for one in facts.get("alone") or ()
    )
