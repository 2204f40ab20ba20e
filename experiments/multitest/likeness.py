"""Similarity of a pipeline's inserted cars to real ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from experiments.multitest.frame_objects import Floats, FrameObject
from experiments.multitest.realism import (
    BANDS,
    frechet_distance,
    jensen_shannon,
    profile_of,
    scaled_by,
)

PATCHES = 16
"""Most patches per object, evenly sampled, so that near objects do not dominate."""
FEWEST = 2
"""Least objects of either kind in a range to be compared."""
DRAWS = 200

Spread = tuple[float, float, float]
"""A value with the ends of its 95% interval."""


@dataclass(frozen=True)
class Likeness:
    """The row of one pipeline in Table 2.

    things: number inserted; shown: number detectable. image, lidar: squared Frechet distances to
    real cars. consistency: mean MC; gap: mean visibility gap, None if not measured. density: of
    inserted returns relative to real ones in the same range. profile: Jensen-Shannon distance of
    the depth profiles in the same range; nan if no range has both.
    """

    things: int
    shown: int
    image: Spread
    lidar: Spread
    consistency: Spread
    gap: float | None
    density: float
    profile: float


def likeness(real: Sequence[FrameObject], inserted: Sequence[FrameObject]) -> Likeness:
    """The figures of the objects a pipeline inserted; intervals by bootstrap over objects."""
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


def consistency(things: Sequence[FrameObject]) -> float:
    """The mean modality consistency; nan without objects."""
    return float(np.mean([thing.consistency for thing in things])) if things else float("nan")


def distance(real: Sequence[FrameObject], inserted: Sequence[FrameObject], of: str) -> float:
    """The squared Frechet distance of patches, in standard deviations of real objects' patches.

    of: "image" or "ranges". nan if one has no patches.
    """
    known, new = patches(real, of), patches(inserted, of)
    if not len(known) or not len(new):
        return float("nan")
    return frechet_distance(scaled_by(known, known), scaled_by(known, new))


def halves(real: Sequence[FrameObject], of: str, seed: int = 1) -> Spread:
    """The distance between two halves of the real objects: the noise floor."""
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(DRAWS):
        order = rng.permutation(len(real)).tolist()
        one, two = order[::2], order[1::2]
        values.append(distance([real[k] for k in one], [real[k] for k in two], of))
    low, high = np.nanquantile(values, [0.025, 0.975]) if len(real) > 1 else (np.nan, np.nan)
    return float(np.mean(values)), float(low), float(high)


def patches(things: Sequence[FrameObject], of: str) -> Floats:
    """(P, D) the patches of all objects, at most 16 of each."""
    found: list[Floats] = [_few(getattr(thing, of)) for thing in things]
    return np.concatenate(found) if found else np.zeros((0, 1))


def _few(rows: Floats) -> Floats:
    if len(rows) <= PATCHES:
        return rows
    return np.asarray(rows[np.linspace(0, len(rows) - 1, PATCHES).round().astype(int)])


def _spread(things: Sequence[FrameObject], measure: Callable[[list[FrameObject]], float]) -> Spread:
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
    real: Sequence[FrameObject],
    inserted: Sequence[FrameObject],
    measure: Callable[[list[FrameObject], list[FrameObject]], float],
) -> float:
    """The mean of a measure over ranges with objects of both kinds, weighted by inserted ones."""
    values, weights = [], []
    for band in range(len(BANDS) - 1):
        known = [thing for thing in real if thing.band == band]
        new = [thing for thing in inserted if thing.band == band]
        if min(len(known), len(new)) >= FEWEST:
            values.append(measure(known, new))
            weights.append(len(new))
    return float(np.average(values, weights=weights)) if values else float("nan")


def _density_ratio(real: list[FrameObject], inserted: list[FrameObject]) -> float:
    means = [np.mean([thing.density for thing in things]) for things in (inserted, real)]
    return float(means[0] / means[1])


def _profile_distance(real: list[FrameObject], inserted: list[FrameObject]) -> float:
    one, two = ([thing.returns for thing in things] for things in (real, inserted))
    return jensen_shannon(profile_of(one), profile_of(two))
