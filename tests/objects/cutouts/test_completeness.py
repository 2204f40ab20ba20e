"""What a person would call cut off is, and what is whole is not."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.objects.cutouts.completeness import looks_cut_off
from snellen.objects.cutouts.occlusion import hidden_by_masks, in_front


def standing(height: int = 200, width: int = 80) -> np.ndarray:
    """A head, a body and two feet."""
    alpha = np.zeros((height, width), np.uint8)
    alpha[: height // 6, width // 3 : 2 * width // 3] = 255
    alpha[height // 6 : height // 2, :] = 255
    alpha[height // 6 : height // 2, [0, 1, 2, -1, -2, -3]] = 0
    alpha[height // 3, :] = 255
    for foot in (width // 4, 3 * width // 4):
        alpha[height // 2 :, foot - 6 : foot + 6] = 255
    return alpha


def test_a_standing_person_is_whole() -> None:
    assert not looks_cut_off("person", standing(), 0.5)


@pytest.mark.parametrize(
    ("alpha", "what"),
    [
        (standing()[:90], "the lower half is hidden by a table"),
        (standing()[33:], "headless"),
        (standing()[:, :24], "all but an arm and a leg is hidden by a wall"),
        (standing().T, "lying"),
    ],
)
def test_half_a_person_is_cut_off(alpha: np.ndarray, what: str) -> None:
    assert looks_cut_off("Person", alpha, 0.5), what


@pytest.mark.parametrize(
    ("height", "width", "base", "cut"),
    [
        (240, 80, 0.7, False),
        (160, 90, 0.7, True),
        (160, 90, 0.4, False),
        (150, 100, 0.4, True),
        (150, 100, 0.2, False),
        (120, 100, 0.2, True),
    ],
)
def test_the_more_slender_a_person_the_wider_may_be_the_feet(
    height: int, width: int, base: float, cut: bool
) -> None:
    """A slender person seen from the side stands on feet as wide as the body."""
    alpha = np.zeros((height, width), np.uint8)
    alpha[: height // 5, : width // 3] = 255
    alpha[height // 5 : height - height // 5] = 255
    alpha[height // 5 : height - height // 5 : 2, : width // 4] = 0
    alpha[height // 5 : height - height // 5 : 2, -(width // 4) :] = 0
    alpha[height - height // 5 :, : round(base * width)] = 255
    alpha[:, :3] = 0
    assert looks_cut_off("person", alpha, 0.6) is cut


def test_a_box_shaped_thing_may_have_straight_sides() -> None:
    full = np.full((100, 60), 255, np.uint8)
    assert not looks_cut_off("bus", full, 0.5)
    assert looks_cut_off("horse", full, 0.5)


def test_a_horse_and_its_rider_hide_each_other() -> None:
    """Their boxes overlap, and neither is within the other: either may be in front."""
    horse, rider = [0.0, 40, 100, 120], [30.0, 0, 60, 80]
    assert in_front([horse, rider])[1, 0], "the horse hides a leg of the rider"


def test_masks_with_an_unlabelled_line_between_them_touch() -> None:
    """VOC leaves such a line around each object."""
    left, right = np.zeros((60, 100), bool), np.zeros((60, 100), bool)
    left[10:50, 10:48], right[10:50, 52:90] = True, True
    found = hidden_by_masks([left, right], [(10, 10, 48, 50), (52, 10, 90, 50)])
    assert (found > 0.05).all()
    right = np.roll(right, 8, axis=1)
    far = hidden_by_masks([left, right], [(10, 10, 48, 50), (60, 10, 98, 50)])
    assert (far == 0).all()
