"""Answers counted in bins of visual change, for the data and bootstrap draws.

Row 0 of the counts is the data; the other rows are draws with replacement, so that a procedure
applied to all rows gives a threshold and its bootstrap distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.statistics.bootstrap import scene_weights, weighted_sums
from snellen.vision.arrays import F64, Bools, Ints


@dataclass(frozen=True, eq=False)
class AnswerTally:
    """Counts in B bins, each from the edge before (excluded) to its own edge (included).

    edges: (B,) rising. largest: (B,) the largest visual change in each bin. right, asked:
    (R, B), how many answers were right and how many there were; row 0 is the data.
    """

    edges: F64
    largest: F64
    right: F64
    asked: F64

    def coarser(self, width: float) -> AnswerTally:
        """The same answers in wider bins; the first includes unchanged images."""
        place = np.maximum(bins_of(self.edges, width), 1)
        filled = np.unique(place)
        member = (place[:, None] == filled).astype(np.float64)
        largest = np.array([self.largest[place == one].max() for one in filled])
        edges = np.round(filled * width, 9)
        return AnswerTally(edges, largest, self.right @ member, self.asked @ member)

    def rate(self, most: float) -> F64:
        """(R,) the share of right answers up to a visual change; NaN without answers."""
        low = self.edges <= most + 1e-9
        with np.errstate(invalid="ignore"):
            return np.asarray(self.right[:, low].sum(axis=1) / self.asked[:, low].sum(axis=1))


@dataclass(frozen=True, eq=False)
class JudgedAnswers:
    """N answers: (N,) index of the image, visual change, whether it is right."""

    image: Ints
    delta_v: F64
    right: Bools


def bins_of(delta_v: F64, width: float) -> Ints:
    """(N,) the bin of each visual change: bin k ends at k * width.

    >>> bins_of(np.array([0.0, 0.01, 0.0101, 0.29]), 0.01).tolist()
    [0, 1, 2, 29]
    """
    return np.ceil(np.round(delta_v / width, 9)).astype(np.int64)


def drawn_within_bins(
    edges: F64, right: F64, asked: F64, replicates: int, rng: np.random.Generator
) -> AnswerTally:
    """Counts with unknown images: answers are resampled within each bin."""
    again = rng.binomial(asked.astype(np.int64), right / asked, (replicates, len(edges)))
    rows = np.concatenate([right[None], again.astype(np.float64)])
    return AnswerTally(edges, edges, rows, np.broadcast_to(asked, rows.shape))


def image_weights(images: int, replicates: int, rng: np.random.Generator) -> F64:
    """(1 + replicates, images): how often each image counts; row 0 is the data."""
    ones = np.ones((1, images))
    return np.concatenate([ones, scene_weights(images, replicates, rng)]) if replicates else ones


def tally_answers(units: JudgedAnswers, weights: F64, width: float) -> AnswerTally:
    """The answers in bins, under each row of image weights, (R, images)."""
    place = bins_of(units.delta_v, width)
    filled, column = np.unique(place, return_inverse=True)
    images, bins = weights.shape[1], len(filled)
    cell = units.image * bins + column
    right = np.bincount(cell, units.right, images * bins).reshape(images, bins)
    asked = np.bincount(cell, minlength=images * bins).reshape(images, bins)
    sums = weighted_sums(weights, np.concatenate([right, asked], axis=1))
    largest = np.array([units.delta_v[column == one].max() for one in range(len(filled))])
    return AnswerTally(np.round(filled * width, 9), largest, sums[:, :bins], sums[:, bins:])


def rate_of(units: JudgedAnswers, weights: F64) -> F64:
    """(R,) the share of right answers under each row of weights; NaN without answers."""
    images = weights.shape[1]
    right = np.bincount(units.image, units.right, images)
    asked = np.bincount(units.image, minlength=images).astype(np.float64)
    counts = np.stack([right, asked], axis=1)
    sums = weighted_sums(weights, counts)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[:, 0] / sums[:, 1])
