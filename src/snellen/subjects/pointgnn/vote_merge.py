"""Merging of votes with overlapping boxes into cars, with a score that grows with agreement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.subjects.pointgnn.box_codes import (
    ACROSS,
    ALONG,
    box_coordinates,
    decode_boxes,
    upright,
)
from snellen.subjects.pointgnn.graph_network import Votes
from snellen.vision.arrays import F64, Ints
from snellen.vision.solids.overlap3d import overlap3d


@dataclass(frozen=True, eq=False)
class CarVotes:
    """N votes for cars. boxes: (N, 7), see `box_codes`. shares: (N,). places: (N, 3) of voters."""

    boxes: F64
    shares: F64
    places: F64

    def __getitem__(self, chosen: Ints) -> CarVotes:
        return CarVotes(self.boxes[chosen], self.shares[chosen], self.places[chosen])


def car_votes(votes: Votes) -> CarVotes:
    """The votes for cars with a probability above chance, highest first."""
    cars = votes.shares[:, [ALONG, ACROSS]]
    voter, label = np.nonzero(cars > 1 / votes.shares.shape[1])
    places = votes.places[voter]
    codes = votes.codes[voter, label + ALONG].astype(np.float64)
    shares = cars[voter, label].astype(np.float64)
    found = CarVotes(decode_boxes(codes, places, label + ALONG), shares, places)
    return found[np.argsort(-shares, kind="stable")]


def merge_votes(votes: CarVotes, overlap: float) -> tuple[F64, F64]:
    """(B, 7) boxes of cars and (B,) their weights, which are positive and unbounded.

    The most probable remaining vote is merged with all that overlap it by more than `overlap`
    (IoU): the box is the median; the weight is the sum of their probabilities, each times its IoU
    with the median, times 1 to 2 by how much of the box its voters span.
    """
    boxes, weights = [], []
    left = np.arange(len(votes.shares))
    table = overlap3d(upright(votes.boxes), upright(votes.boxes))
    while len(left):
        first, rest = left[0], left[1:]
        same = table[first, rest] > overlap
        box, weight = _agreed(votes, first, rest[same])
        boxes.append(box)
        weights.append(weight)
        left = rest[~same]
    cars = np.array(boxes).reshape(-1, 7)
    return cars, np.array(weights) * (1 + _spans(cars, votes.places))


def scores_of(weights: F64) -> F64:
    """Scores from 0 to 1, monotonic in the weights.

    >>> scores_of(np.array([0.25, 1.0, 9.0])).tolist()
    [0.2, 0.5, 0.9]
    """
    return np.asarray(weights / (1 + weights))


def _agreed(votes: CarVotes, first: np.int64, others: Ints) -> tuple[F64, float]:
    together = votes.boxes[np.append(others, first)]
    box = np.median(together, axis=0)
    agreement = overlap3d(upright(box[None]), upright(votes.boxes[others]))[0]
    return box, float(votes.shares[first] + votes.shares[others] @ agreement)


def _spans(boxes: F64, places: F64) -> F64:
    """(B,) share of each box's volume between the outermost voters in it, 0 without voters."""
    inside = box_coordinates(boxes, places)
    counted = np.asarray((np.abs(inside) < 0.5).all(axis=-1, keepdims=True))
    high = np.where(counted, inside, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(counted, inside, np.inf).min(axis=1, initial=np.inf)
    return np.asarray(np.maximum(high - low, 0).prod(axis=1))
