"""Comparison of two answers up to the last digits."""

from __future__ import annotations

import numpy as np

from snellen.vision.detections import Detections


def assert_same(found: Detections, expected: Detections) -> None:
    """The detections are equal to 1e-4 in score and 0.01 pixels; the order may differ."""
    assert len(found) == len(expected) > 0
    left = np.ones(len(found), dtype=bool)
    for box, label, score in zip(expected.boxes, expected.labels, expected.scores, strict=True):
        near = np.abs(found.boxes - box).max(axis=1) <= 1e-2
        alike = near & (found.labels == label) & (np.abs(found.scores - score) <= 1e-4) & left
        assert alike.any(), (label, score, box)
        left[alike.argmax()] = False
