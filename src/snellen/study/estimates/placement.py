"""Which samples to show next, so that the threshold is known with fewer answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.study.record import StudyRecord, StudySample


def next_samples(
    candidates: Sequence[StudySample],
    known: StudyRecord | None,
    count: int,
    rng: np.random.Generator,
) -> list[str]:
    """The ids of at most `count` candidates, each once, those worth most first.

    candidates: what may be shown next to whoever asks, unchanged pictures among them; leave out
    those that the participant has seen. known: the record so far, None before the first answer.
    The result depends on nothing but the arguments. A scene comes twice only if there are fewer
    scenes than `count`.
    """
    del known
    order = rng.permutation(len(candidates))
    first: dict[str, str] = {}
    rest: list[str] = []
    for place in order:
        one = candidates[int(place)]
        if one.scene in first:
            rest.append(one.sample)
        else:
            first[one.scene] = one.sample
    return [*first.values(), *rest][:count]
