"""Late fusion of scores, by the geometric consistency of LiDAR candidates and camera boxes."""

from __future__ import annotations

import numpy as np

from snellen.subjects.fusion.class_belief import membership
from snellen.subjects.fusion.frustums import AGREEMENT
from snellen.subjects.fusion.lidar_candidates import LidarCandidates
from snellen.vision.arrays import F64, Scores
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections

FULL_SUPPORT = 0.5
"""Support at which a candidate keeps its full LiDAR score."""

UNSUPPORTED = 0.4
"""Factor of a LiDAR score without support of the camera."""

UNSUPPORTED_SMALL = 0.8
"""The same for an object too small in the image for the camera."""

EXPECTED_HEIGHT = 25.0
"""Height in pixels from which the camera is expected to detect an object."""


def fused_scores(candidates: LidarCandidates, detections: Detections) -> Scores:
    """(N,) the fused score of each LiDAR candidate.

    A camera box supports the candidate of its class that agrees best with it, by its score times
    the agreement. The support is independent evidence, 1 - (1 - LiDAR) (1 - support), and restores
    the LiDAR score, which is reduced without support.
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
    """(N, M) the agreement of the best candidate with each camera box, 0 for other candidates.

    With similar agreement, the candidate with the higher LiDAR score is preferred.
    """
    best = np.argmax(agreement * (1 + candidates.scores[:, None]), axis=0)
    chosen = np.zeros_like(agreement, dtype=bool)
    chosen[best, np.arange(agreement.shape[1])] = True
    return np.where(chosen, agreement, 0.0)


def _unsupported_factor(candidates: LidarCandidates) -> F64:
    """(N,) the factor of each candidate's score without support of the camera."""
    heights = candidates.image_boxes[:, 3] - candidates.image_boxes[:, 1]
    return np.where(heights >= EXPECTED_HEIGHT, UNSUPPORTED, UNSUPPORTED_SMALL)
