"""Occlusion by bearing, against rays cast at the boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.solids.bearing_occlusion import BearingSpans, hidden_shares
from snellen.vision.solids.boxes3d import corners

RAYS = 4001


@st.composite
def box(draw: st.DrawFn) -> list[float]:
    distance, bearing = draw(st.floats(8, 60)), draw(st.floats(-3.1, 3.1))
    return [
        distance * np.cos(bearing),
        distance * np.sin(bearing),
        0.0,
        draw(st.floats(0.5, 6)),
        draw(st.floats(0.5, 3)),
        1.5,
        draw(st.floats(-3.1, 3.1)),
    ]


def met(angles: np.ndarray, row: list[float]) -> np.ndarray:
    """Whether each ray from the origin hits the footprint of the box, edge by edge."""
    ring = corners(np.array([row]))[0, :4, :2]
    hit = np.zeros(len(angles), dtype=bool)
    along = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        side = along[:, 0] * start[1] - along[:, 1] * start[0]
        other = along[:, 0] * end[1] - along[:, 1] * end[0]
        ahead = (along @ start > 0) | (along @ end > 0)
        hit |= (side * other <= 0) & ahead
    return hit


@given(box(), box())
def test_the_share_hidden_is_that_of_the_rays_that_meet_both(
    a: list[float], b: list[float]
) -> None:
    far, near = (a, b) if math.hypot(*a[:2]) > math.hypot(*b[:2]) else (b, a)
    if math.hypot(*far[:2]) - math.hypot(*near[:2]) < 1e-6:
        return
    seen = BearingSpans.of(np.array([far]))
    angles = seen.bearings[0] + np.linspace(-1, 1, RAYS) * seen.halves[0]
    expected = met(angles, near).mean()
    assert hidden_shares(np.array([far]), np.array([near]))[0, 0] == pytest.approx(
        expected, abs=3e-3
    )
    assert hidden_shares(np.array([near]), np.array([far]))[0, 0] == 0


@given(box())
def test_the_angle_seen_is_the_one_that_rays_meet(row: list[float]) -> None:
    seen = BearingSpans.of(np.array([row]))
    angles = np.linspace(-np.pi, np.pi, 20001)
    assert met(angles, row).mean() * 2 * np.pi == pytest.approx(2 * seen.halves[0], abs=2e-3)


def test_no_boxes_hide_nothing() -> None:
    assert hidden_shares(np.zeros((0, 7)), np.zeros((0, 7))).shape == (0, 0)
