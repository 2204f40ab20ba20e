"""Strain: what a place promises before anything is asked."""

from __future__ import annotations

import numpy as np

from snellen.methods.fusion.search.difficulty import FEATURES, difficulty_features

CAR = (4.0, 1.7, 1.5)
OTHER = np.array([[20.0, 0.0, -0.9, *CAR, 0.0]])


def strain(x: float, y: float, feature: str, others: np.ndarray = OTHER) -> float:
    return float(
        difficulty_features(np.array([[x, y, -0.9, *CAR, 0.0]]), others)[0, FEATURES.index(feature)]
    )


def test_a_car_in_the_next_lane_is_beside_and_one_far_off_is_not() -> None:
    assert strain(20, 2.5, "beside") > 0.5
    assert strain(20, 30, "beside") < 0.01


def test_only_a_nearer_car_hides_and_only_a_farther_one_is_hidden() -> None:
    assert strain(12, 0.8, "hiding") > 0.3
    assert strain(12, 0.8, "hidden") == 0
    assert strain(30, 0.8, "hidden") > 0.3
    assert strain(30, 0.8, "hiding") == 0


def test_hiding_all_of_another_is_worth_nothing_since_it_would_be_excused() -> None:
    wall = np.array([[10.0, 0.0, -0.9, 1.0, 12.0, 1.5, 0.0]])
    assert difficulty_features(wall, OTHER)[0, FEATURES.index("hiding")] == 0


def test_returns_thin_out_with_distance() -> None:
    values = [strain(x, 0, "sparse", np.zeros((0, 7))) for x in (8, 15, 30, 50)]
    assert values == sorted(values)
    assert 0 < values[0] < values[-1] < 1


def test_near_edge_and_oblique_are_what_their_names_say() -> None:
    alone = np.zeros((0, 7))
    assert strain(8, 0, "near", alone) > 0.6 > 0.2 > strain(45, 0, "near", alone)
    assert strain(20, 0, "edge", alone) == 0
    assert strain(10, 10, "edge", alone) == 1
    assert 0.4 < strain(20, 20 * np.tan(np.radians(20)), "edge", alone) < 0.6
    assert strain(20, 0, "oblique", alone) < 1e-9
    turned = np.array([[20.0, 0.0, -0.9, *CAR, np.pi / 4]])
    assert difficulty_features(turned, alone)[0, FEATURES.index("oblique")] > 0.99


def test_every_strain_lies_between_0_and_1() -> None:
    rng = np.random.default_rng(0)
    boxes = np.column_stack(
        [rng.uniform(5, 60, 200), rng.uniform(-20, 20, 200), np.zeros(200), np.tile(CAR, (200, 1)),
         rng.uniform(-3, 3, 200)]
    )  # fmt: skip
    made = difficulty_features(boxes[:100], boxes[100:])
    assert made.shape == (100, len(FEATURES))
    assert made.min() >= 0
    assert made.max() <= 1
