"""Late fusion: LiDAR and camera candidates joined by geometric consistency and their scores."""

from __future__ import annotations

import numpy as np

from snellen.subjects.fusion.class_belief import membership
from snellen.subjects.fusion.frustums import AGREEMENT
from snellen.subjects.fusion.lidar_candidates import LidarCandidates
from snellen.vision.arrays import F64, Scores
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections

FULL_SUPPORT = 0.5
"""Support from which on a candidate loses nothing."""

UNSUPPORTED = 0.4
"""What is left of a LiDAR score where the camera should have seen the thing, and did not."""

UNSUPPORTED_SMALL = 0.8
"""Likewise where the thing is too small in the image to be expected of a camera."""

EXPECTED_HEIGHT = 25.0
"""Pixels of height from which on a camera is expected to see a thing."""


def fused_scores(candidates: LidarCandidates, detections: Detections) -> Scores:
    """(N,) the score of each LiDAR candidate once the camera has spoken.

    A camera box supports that candidate of its class which agrees best with it, by its own score as
    far as the candidate's projection agrees. The support counts as evidence of its own,
    1 - (1 - LiDAR) (1 - support), and gives a candidate back what it loses of its LiDAR score where
    the camera says nothing.
    """
    left = _unsupported_factor(candidates)
    if not len(detections) or not len(candidates.boxes):
        return (candidates.scores * left).astype(np.float32)
    support = (_best_only(_agreement(candidates, detections), candidates) * detections.scores).max(
        axis=1
    )
    lidar = candidates.scores * (left + (1 - left) * np.minimum(support / FULL_SUPPORT, 1))
    return np.asarray(1 - (1 - lidar) * (1 - support), dtype=np.float32)


def _agreement(candidates: LidarCandidates, detections: Detections) -> F64:
    """(N, M) 0 to 1: how well each candidate's projection agrees with each camera box."""
    same = candidates.labels[:, None] == detections.labels[None]
    overlaps = iou(candidates.image_boxes, detections.boxes)
    shares = np.vectorize(lambda one: membership(one, AGREEMENT), otypes=[float])(overlaps)
    return np.asarray(shares * same)


def _best_only(agreement: F64, candidates: LidarCandidates) -> F64:
    """(N, M) the agreement with each camera box of one candidate, 0 for the others.

    Of candidates that agree alike, that counts for more which the LiDAR believes more.
    """
    best = np.argmax(agreement * (1 + candidates.scores[:, None]), axis=0)
    chosen = np.zeros_like(agreement, dtype=bool)
    chosen[best, np.arange(agreement.shape[1])] = True
    return np.where(chosen, agreement, 0.0)


def _unsupported_factor(candidates: LidarCandidates) -> F64:
    """(N,) the part of its score that each candidate keeps without the camera."""
    heights = candidates.image_boxes[:, 3] - candidates.image_boxes[:, 1]
    return np.where(heights >= EXPECTED_HEIGHT, UNSUPPORTED, UNSUPPORTED_SMALL)
