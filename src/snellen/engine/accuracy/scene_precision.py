"""Average precision scene by scene, and the test that one reading is better than another."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints32
from snellen.vision.precision.matched_set import IGNORED, TRUE, MatchedSet

PERMUTATIONS = 99_999


def scene_precisions(matched: MatchedSet) -> F64:
    """The average precision in each scene, (images,): all classes ranked together.

    It is the mean, over IoU thresholds and over objects, of the precision at which an object is
    found (0 if it is not). NaN for scenes without objects. Per scene, because a test by scene on
    these sees smaller differences than one on the AP of the set, which rare classes make noisy.
    """
    place = matched.range("all")
    counted = np.bincount(matched.truths.image[matched.counts[:, place]], minlength=matched.images)
    order = np.lexsort((-matched.detections.score, matched.detections.image))
    image, outcome = matched.detections.image[order], matched.outcome[order, place]
    total = np.zeros(matched.images)
    for hits in outcome.T:
        used = hits != IGNORED
        total += _summed_precisions(image[used], hits[used] == TRUE, matched.images)
    means = total / outcome.shape[1]
    return np.asarray(np.where(counted > 0, means / np.maximum(counted, 1), np.nan))


def _summed_precisions(image: Ints32, hit: Bools, images: int) -> F64:
    """For each image, the sum of precision at its hits; rows sorted by image, best first."""
    starts = np.searchsorted(image, np.arange(images))
    before = np.concatenate([[0], np.cumsum(hit)])[starts]
    rank = np.arange(len(image)) - starts[image] + 1
    precision = (np.cumsum(hit) - before[image]) / rank
    return np.asarray(np.bincount(image, weights=precision * hit, minlength=images), np.float64)


def better_by_chance(
    before: MatchedSet,
    after: MatchedSet,
    rng: np.random.Generator,
    permutations: int = PERMUTATIONS,
) -> float:
    """The one-sided p-value that `after` is better, by swapping the two scene by scene."""
    gain = scene_precisions(after) - scene_precisions(before)
    gain = gain[np.isfinite(gain) & (gain != 0)]
    if gain.sum() <= 0:
        return 1.0
    signs = 2.0 * rng.integers(0, 2, (permutations, len(gain)), dtype=np.int8) - 1
    reached = np.count_nonzero(signs @ gain >= gain.sum() * (1 - 1e-9))
    return (1 + int(reached)) / (1 + permutations)
