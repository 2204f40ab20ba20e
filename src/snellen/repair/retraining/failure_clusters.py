"""The failing places of a scene in the order in which a retraining set uses them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from snellen.repair.retraining.insertion_places import InsertionPlace
from snellen.repair.retraining.options import PlaceChoice, RetrainingOptions
from snellen.statistics.clustering import SHARE, dbscan

Ranked = list[tuple[InsertionPlace, int | None]]
"""Places with the number of their cluster (0 is the scene's largest), None for no cluster."""


def ranked_places(
    places: Sequence[InsertionPlace], options: RetrainingOptions, rng: Generator
) -> Ranked:
    """All places in order of use.

    With `at: clusters`, the medoid of each cluster, largest cluster first, then the next place of
    each around its medoid, and finally those outside clusters, shuffled. Else all shuffled.
    """
    shuffled = [places[place] for place in rng.permutation(len(places)).tolist()]
    if options.at == PlaceChoice.FAILING:
        return [(place, None) for place in shuffled]
    groups = clusters_of(places, options)
    turns = range(max(map(len, groups), default=0))
    central: Ranked = [
        (group[turn], number)
        for turn in turns
        for number, group in enumerate(groups)
        if turn < len(group)
    ]
    taken = {place.case for place, _ in central}
    return central + [(place, None) for place in shuffled if place.case not in taken]


def clusters_of(
    places: Sequence[InsertionPlace], options: RetrainingOptions
) -> list[list[InsertionPlace]]:
    """Clusters of failing places, the largest first, each ordered from its medoid outwards.

    They are computed for one instance at a time, in units of its diagonal, and kept only if one
    cluster holds half of that instance's failures; otherwise its failures are scattered.
    """
    instances: dict[int, list[InsertionPlace]] = defaultdict(list)
    for place in places:
        instances[-1 if place.instance is None else place.instance].append(place)
    found = [group for one in instances.values() for group in _around_one(one, options)]
    return sorted(found, key=len, reverse=True)


def _around_one(
    places: Sequence[InsertionPlace], options: RetrainingOptions
) -> list[list[InsertionPlace]]:
    points = np.array([np.array(place.centre) / place.diagonal for place in places])
    labels = dbscan(points, options.radius, options.neighbours)
    sizes = np.bincount(labels[labels >= 0])
    if not len(sizes) or sizes.max() < SHARE * len(places):
        return []
    return [
        _from_medoid(places, points, np.flatnonzero(labels == one)) for one in range(len(sizes))
    ]


def _from_medoid(
    places: Sequence[InsertionPlace], points: np.ndarray, members: np.ndarray
) -> list[InsertionPlace]:
    """The members by distance from their medoid, ties in their order."""
    own = points[members]
    total = np.hypot(*(own[:, None] - own[None]).transpose(2, 0, 1)).sum(axis=1)
    medoid = own[int(total.round(9).argmin())]
    away = np.hypot(*(own - medoid).T).round(9)
    return [places[members[one]] for one in np.argsort(away, kind="stable").tolist()]
