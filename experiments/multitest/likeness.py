"""How like real cars the inserted ones of a pipeline are, in figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from experiments.multitest.frame_objects import Floats, Thing
from experiments.multitest.realism import (
    BANDS,
    frechet_distance,
    jensen_shannon,
    profile_of,
    scaled_by,
)

PATCHES = 16
"""Of one thing, at most, evenly taken: so that near ones do not outweigh others."""
FEWEST = 2
"""Things of either kind that a range must have to be compared."""
DRAWS = 200

Spread = tuple[float, float, float]
"""A value with the ends of its 95% interval."""


@dataclass(frozen=True)
class Likeness:
    """What Table 2 says of one pipeline.

    things: how many were inserted; shown: so that they could be found. image, lidar: squared
    Frechet distances to real cars. consistency: mean MC; gap: mean visibility gap, None where not
    measured. density: of inserted returns by that of real ones, in the same range. profile:
    Jensen-Shannon distance of the depth profiles, in the same range; nan where no range has both.
    """

    things: int
    shown: int
    image: Spread
    lidar: Spread
    consistency: Spread
    gap: float | None
    density: float
    profile: float


def likeness(real: Sequence[Thing], inserted: Sequence[Thing]) -> Likeness:
    """The figures of things that a pipeline inserted; intervals by drawing things again."""
    shown = [thing for thing in inserted if thing.shown]
    gaps = [thing.gap for thing in shown if thing.gap is not None]
    return Likeness(
        len(inserted),
        len(shown),
        _spread(shown, lambda chosen: distance(real, chosen, "image")),
        _spread(shown, lambda chosen: distance(real, chosen, "ranges")),
        _spread(shown, consistency),
        float(np.mean(gaps)) if gaps else None,
        _by_band(real, shown, _density_ratio),
        _by_band(real, shown, _profile_distance),
    )


def consistency(things: Sequence[Thing]) -> float:
    """The mean modality consistency; nan without things."""
    return float(np.mean([thing.consistency for thing in things])) if things else float("nan")


def distance(real: Sequence[Thing], inserted: Sequence[Thing], of: str) -> float:
    """The squared Frechet distance of patches, in standard deviations of those of real things.

    of: "image" or "ranges". nan where one has no patches.
    """
    known, new = patches(real, of), patches(inserted, of)
    if not len(known) or not len(new):
        return float("nan")
    return frechet_distance(scaled_by(known, known), scaled_by(known, new))


def halves(real: Sequence[Thing], of: str, seed: int = 1) -> Spread:
    """The distance of one half of the real things to the other: what is left by chance alone."""
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(DRAWS):
        order = rng.permutation(len(real)).tolist()
        one, two = order[::2], order[1::2]
        values.append(distance([real[k] for k in one], [real[k] for k in two], of))
    low, high = np.nanquantile(values, [0.025, 0.975]) if len(real) > 1 else (np.nan, np.nan)
    return float(np.mean(values)), float(low), float(high)


def patches(things: Sequence[Thing], of: str) -> Floats:
    """(P, D) the patches of all things, at most 16 of each."""
    found: list[Floats] = [_few(getattr(thing, of)) for thing in things]
    return np.concatenate(found) if found else np.zeros((0, 1))


def _few(rows: Floats) -> Floats:
    if len(rows) <= PATCHES:
        return rows
    return np.asarray(rows[np.linspace(0, len(rows) - 1, PATCHES).round().astype(int)])


def _spread(things: Sequence[Thing], measure: Callable[[list[Thing]], float]) -> Spread:
    value = measure(list(things))
    if not things:
        return value, float("nan"), float("nan")
    rng = np.random.default_rng(1)
    drawn = [
        measure([things[k] for k in rng.integers(len(things), size=len(things))])
        for _ in range(DRAWS)
    ]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return value, float(low), float(high)


def _by_band(
    real: Sequence[Thing],
    inserted: Sequence[Thing],
    measure: Callable[[list[Thing], list[Thing]], float],
) -> float:
    """The mean of a measure over ranges that have things of both kinds, by those inserted."""
    values, weights = [], []
    for band in range(len(BANDS) - 1):
        known = [thing for thing in real if thing.band == band]
        new = [thing for thing in inserted if thing.band == band]
        if min(len(known), len(new)) >= FEWEST:
            values.append(measure(known, new))
            weights.append(len(new))
    return float(np.average(values, weights=weights)) if values else float("nan")


def _density_ratio(real: list[Thing], inserted: list[Thing]) -> float:
    means = [np.mean([thing.density for thing in things]) for things in (inserted, real)]
    return float(means[0] / means[1])


def _profile_distance(real: list[Thing], inserted: list[Thing]) -> float:
    one, two = ([thing.returns for thing in things] for things in (real, inserted))
    return jensen_shannon(profile_of(one), profile_of(two))
