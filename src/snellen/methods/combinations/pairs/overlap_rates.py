"""How often compositions fail by interaction, by how much their objects overlap."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.cases import Outcomes
from snellen.methods.combinations.explanation.cause import INTERACTIONS, Cause
from snellen.methods.combinations.own_numbers import CountedImages, OverlapNumbers
from snellen.vision.arrays import F64

BINS = 4


def overlap_rates(found: Outcomes) -> tuple[OverlapNumbers, ...]:
    """Equal ranges of the largest overlap, from 0 to the largest of the run.

    Only compositions of two objects or more count; none where nothing overlaps.
    """
    overlaps = found.overlaps
    several = found.truth.sum(axis=1) > 1
    if overlaps is None or not several.any() or not overlaps[several].any():
        return ()
    edges: F64 = np.linspace(0, float(overlaps[several].max()), BINS + 1)
    places = np.clip(np.searchsorted(edges, overlaps, side="right") - 1, 0, BINS - 1)
    causes = np.array(found.causes, dtype=str)
    together = np.isin(causes, sorted(INTERACTIONS))
    made = []
    for place in range(BINS):
        among = several & (places == place)
        struck = among & together
        made.append(
            OverlapNumbers(
                low=float(edges[place]),
                high=float(edges[place + 1]),
                images=int(among.sum()),
                interaction=CountedImages(
                    images=int(struck.sum()), rate=found.by_row(struck, among)
                ),
                by_cause={
                    cause: int((struck & (causes == cause)).sum())
                    for cause in Cause
                    if (struck & (causes == cause)).any()
                },
            )
        )
    return tuple(made)
