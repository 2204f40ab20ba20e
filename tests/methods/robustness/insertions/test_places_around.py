"""Places are free, at the distance asked for, equally likely, and in all directions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.robustness.base_contours import BaseContour
from snellen.methods.robustness.base_instances import RobustnessScene
from snellen.methods.robustness.insertions.places_around import (
    covered_pixels,
    distance_map,
    drawn_places,
    exact_distance,
    free_places,
    places_around,
)
from snellen.methods.robustness.options import RobustnessOptions
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.annotations import Annotations
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.saliency.contours import box_contour, contour_points, distance_to

HEIGHT, WIDTH = 120, 160
SHARES = (0.0, 0.125, 0.25, 0.5, 1.0)


def stage_of(boxes: list[list[float]], truth: Annotations | None = None) -> RobustnessScene:
    picture = PictureArray(np.zeros((HEIGHT, WIDTH, 3), np.uint8))
    seen = Detections(boxes, [0] * len(boxes), [0.9] * len(boxes))  # type: ignore[arg-type]
    return RobustnessScene(
        Scene("s", picture, (HEIGHT, WIDTH), truth), seen, 0.5, ("cat",), ("cat",)
    )


def boxes_at(places: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return np.concatenate([places, places + np.array(size)], axis=1)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 60), st.floats(0, 40)), min_size=1, max_size=12),
    st.integers(1, 30),
    st.integers(1, 25),
)
def test_the_map_of_distances_is_that_of_every_single_rectangle(
    points: list[tuple[float, float]], width: int, height: int
) -> None:
    table = distance_map(np.array(points), (40, 60), (width, height))
    assert table.shape == (40 - height + 1, 60 - width + 1)
    y, x = (one.ravel() for one in np.indices(table.shape))
    exact = distance_to(points, boxes_at(np.stack([x, y], axis=1), (width, height)))
    assert np.abs(table.ravel() - exact).max() < 1.5


def test_a_rectangle_within_the_warm_region_has_no_distance() -> None:
    warm = np.zeros((60, 60), bool)
    warm[10:50, 10:50] = True
    table = distance_map(contour_points(warm, 64), (60, 60), (4, 4), warm)
    assert table[28, 28] == 0
    assert table[0, 0] > 5


def test_covered_pixels_are_counted_for_every_corner() -> None:
    rng = np.random.default_rng(3)
    body = rng.random((20, 30)) < 0.3
    table = covered_pixels(body, (5, 7))
    assert table.shape == (14, 26)
    assert all(
        table[y, x] == body[y : y + 7, x : x + 5].sum() for y in range(14) for x in range(26)
    )


def test_nothing_is_put_over_an_object_an_annotation_or_the_border() -> None:
    truth = Annotations([[100, 20, 130, 60]], [0])  # type: ignore[arg-type]
    stage = stage_of([[20, 30, 60, 70], [70, 80, 90, 110]], truth)
    [base, _] = stage.bases(0.7, 5, np.random.default_rng(1))
    outline = BaseContour("box", box_contour(base.box))  # type: ignore[arg-type]
    found = places_around(stage, base, outline, (20, 16), RobustnessOptions())
    assert found is not None
    boxes = boxes_at(found.places, (20, 16))
    assert (iou(boxes, stage.obstacles) == 0).all()
    assert boxes[:, :2].min() >= 0
    assert boxes[:, 2].max() <= WIDTH
    assert boxes[:, 3].max() <= HEIGHT
    assert found.reach <= 1
    assert found.start == pytest.approx(np.hypot(40, 40))


def test_levels_are_at_their_shares_of_the_start_distance() -> None:
    stage = stage_of([[60, 40, 90, 70]])
    [base] = stage.bases(0.7, 5, np.random.default_rng(1))
    outline = BaseContour("box", box_contour(base.box))  # type: ignore[arg-type]
    found = places_around(stage, base, outline, (14, 12), RobustnessOptions())
    assert found is not None
    rng = np.random.default_rng(2)
    for share in SHARES:
        places = drawn_places(found, share, SHARES, 20, base, 0.02, rng)
        assert len({tuple(place) for place in places.tolist()}) == 20
        for box in boxes_at(places, (14, 12)):
            assert abs(exact_distance(outline, box) - share * base.diagonal) <= 2.5


def test_places_of_a_level_are_equally_likely_and_spread_over_directions() -> None:
    stage = stage_of([[60, 40, 90, 70]])
    [base] = stage.bases(0.7, 5, np.random.default_rng(1))
    outline = BaseContour("box", box_contour(base.box))  # type: ignore[arg-type]
    found = places_around(stage, base, outline, (14, 12), RobustnessOptions())
    assert found is not None
    rng, drawn = np.random.default_rng(2), []
    for _ in range(600):
        places = drawn_places(found, 0.25, SHARES, 6, base, 0.02, rng)
        centres = places + np.array([7, 6]) - np.array(base.centre)
        angles = np.sort(np.arctan2(centres[:, 1], centres[:, 0]))
        gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
        assert gaps.max() < np.pi, "no half of the surroundings is left out"
        drawn += [tuple(place) for place in places.tolist()]
    sides = np.array([x + 7 < base.centre[0] for x, _ in drawn])
    expected = np.abs(found.far - found.target(0.25)) <= max(1, 0.02 * found.start)
    lefts = found.places[expected][:, 0] + 7 < base.centre[0]
    assert sides.mean() == pytest.approx(lefts.mean(), abs=0.04)


def test_a_contour_deep_inside_is_approached_as_near_as_nothing_is_covered() -> None:
    stage = stage_of([[50, 30, 110, 90]])
    [base] = stage.bases(0.7, 5, np.random.default_rng(1))
    warm = np.zeros((HEIGHT, WIDTH), bool)
    warm[55:65, 75:85] = True
    outline = BaseContour("grad-cam", contour_points(warm), warm=warm)  # type: ignore[arg-type]
    found = places_around(stage, base, outline, (12, 12), RobustnessOptions())
    assert found is not None
    assert found.reach == pytest.approx(25, abs=1.5)
    rng = np.random.default_rng(2)
    targets = [found.target(share) for share in SHARES]
    assert targets == sorted(targets)
    assert targets[0] == found.reach
    assert targets[-1] == found.start
    for share in SHARES:
        for box in boxes_at(drawn_places(found, share, SHARES, 8, base, 0.02, rng), (12, 12)):
            assert iou([box], [base.box])[0, 0] == 0
            assert abs(exact_distance(outline, box) - found.target(share)) <= 3
    nearer = places_around(stage, base, outline, (12, 12), RobustnessOptions(cover=0.05))
    assert nearer is not None
    assert nearer.reach < found.reach
    boxes = boxes_at(nearer.places, (12, 12))
    shared = iou(boxes, [base.box], crowd=[False])[:, 0]
    assert shared.max() > 0
    across = np.minimum(boxes[:, 2], 110) - np.maximum(boxes[:, 0], 50)
    down = np.minimum(boxes[:, 3], 90) - np.maximum(boxes[:, 1], 30)
    assert (np.maximum(across, 0) * np.maximum(down, 0)).max() <= 0.05 * 3600


def test_with_a_mask_its_empty_corners_can_be_used() -> None:
    mask = np.zeros((1, HEIGHT, WIDTH), bool)
    for row in range(60):
        mask[0, 30 + row, 50 : 51 + row] = True  # a triangle, empty in its upper right
    truth = Annotations([[50, 30, 110, 90]], [0], Masks.from_array(mask))  # type: ignore[arg-type]
    stage = stage_of([[50, 30, 110, 90]], truth)
    [base] = stage.bases(0.7, 5, np.random.default_rng(1))
    found = stage.mask(base)
    assert found is not None
    outline = BaseContour("mask", contour_points(found), warm=found)  # type: ignore[arg-type]
    places = free_places(stage, base, outline, (12, 12), RobustnessOptions())
    boxes = boxes_at(places, (12, 12))
    assert (iou(boxes, [base.box])[:, 0] > 0).any()
    assert covered_pixels(mask[0], (12, 12))[places[:, 1], places[:, 0]].max() == 0


def test_an_instance_that_fills_the_scene_has_no_room() -> None:
    stage = stage_of([[2, 2, WIDTH - 2, HEIGHT - 2]])
    [base] = stage.bases(0.7, 5, np.random.default_rng(1))
    outline = BaseContour("box", box_contour(base.box))  # type: ignore[arg-type]
    assert places_around(stage, base, outline, (12, 12), RobustnessOptions()) is None
