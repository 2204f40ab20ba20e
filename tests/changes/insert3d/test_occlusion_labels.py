"""Labels after an insertion: occlusion levels, visible shares, agreement of the sensors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.insert3d.frame_change import PlacedMesh, solid_row
from snellen.changes.insert3d.label_regions import Region, in_view, region_of
from snellen.changes.insert3d.modality_consistency import modality_consistency, returns_box
from snellen.changes.insert3d.occlusion_labels import (
    HIDDEN,
    VisibleShares,
    image_visible_share,
    lidar_visible_share,
    occluded_row,
    occlusion,
)
from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.scenes.kitti.label_file import LabelRow, parse_row
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.vision.solids.boxes3d import points_inside
from snellen.vision.solids.coordinate_frames import ImagePoints
from tests.changes.insert3d.streets3d import GROUND, SIZE, calibration, car

FRAMES = calibration().frames()
LINE = "Car 0.00 0 1.85 387.63 181.54 423.81 203.12 1.67 1.87 3.69 -16.53 2.39 58.49 1.57"
ROW = parse_row(LINE, "test")
SEEN = VisibleShares(1.0, 1.0, 100)


@dataclass(frozen=True)
class Trace:
    amodal: tuple[float, float, float, float] | None
    visible: tuple[float, float, float, float] | None
    pixels: float
    visible_pixels: float
    full_pixels: float


def thing(x: float, y: float, yaw: float) -> PlacedMesh:
    return PlacedMesh(ParametricMeshes().mesh("sedan"), (x, y, GROUND, yaw))


shares = st.floats(0, 1)


@given(lidar=shares, image=shares, beams=st.integers(0, 300), level=st.integers(-1, 3))
def test_dont_care_is_said_above_the_ratio_and_never_below(
    lidar: float, image: float, beams: int, level: int
) -> None:
    before = LabelRow("Car", 0.0, level, 0.1, (1, 2, 30, 40), (1.5, 1.6, 4.0), (1, 1.7, 20), 0.1)
    left = VisibleShares(lidar, image, beams)
    after = occluded_row(before, left)
    counted = min(lidar, image) if beams >= 10 else image
    assert (after.type == "DontCare") == (1 - counted >= HIDDEN)
    assert after.box == before.box
    if after.type != "DontCare":
        assert after.occluded >= before.occluded
        assert after.location == before.location
    else:
        assert (after.truncated, after.occluded, after.alpha) == (-1, -1, -10)
        assert not after.solid


@pytest.mark.parametrize(
    ("level", "left", "expected"),
    [
        (0, 1.0, 0), (0, 0.9, 0), (0, 0.7, 1), (0, 0.5, 2), (0, 0.2, 3),
        (1, 1.0, 1), (1, 0.9, 1), (1, 0.6, 2), (2, 0.9, 2), (2, 0.4, 3),
        (3, 0.5, 3), (-1, 0.5, -1),
    ],
)  # fmt: skip
def test_occlusion_counts_from_what_was_hidden_before(
    level: int, left: float, expected: int
) -> None:
    row = LabelRow("Car", 0.0, level, 0.1, (1, 2, 30, 40), (1.5, 1.6, 4.0), (1, 1.7, 20), 0.1)
    assert occluded_row(row, VisibleShares(left, left, 100)).occluded == expected


def test_a_row_that_lost_too_little_to_tell_keeps_its_line() -> None:
    assert occluded_row(ROW, SEEN) is ROW
    assert occluded_row(ROW, VisibleShares(0.95, 0.9, 100)).line() == LINE
    assert occluded_row(ROW, VisibleShares(0.0, 1.0, 9)) is ROW
    assert occluded_row(ROW, VisibleShares(0.6, 1.0, 100)).line() == LINE.replace(
        " 0 1.85", " 1 1.85"
    )
    dont_care = parse_row("DontCare -1 -1 -10 1 2 3 4 -1 -1 -1 -1000 -1000 -1000 -10", "test")
    assert occluded_row(dont_care, VisibleShares(0.0, 0.0, 0)) is dont_care


@given(hidden=st.lists(shares, min_size=2, max_size=2).map(sorted))
def test_more_hidden_is_never_less_occluded(hidden: list[float]) -> None:
    assert 0 <= occlusion(hidden[0]) <= occlusion(hidden[1]) <= 3


@given(x=st.floats(6, 50), y=st.floats(-5, 5), yaw=st.floats(-3.1, 3.1), share=st.floats(0.05, 1.0))
def test_an_inserted_things_row_gives_back_its_place_and_angle_of_sight(
    x: float, y: float, yaw: float, share: float
) -> None:
    one = thing(x, y, yaw)
    trace = Trace((10, 20, 50, 60), (10, 20, 40, 60), 100 * share, 90 * share, 100)
    row = solid_row(one, trace, SEEN, FRAMES)
    np.testing.assert_allclose(lidar_boxes([row], FRAMES)[0, :6], one.box[:6], atol=1e-9)
    assert math.cos(lidar_boxes([row], FRAMES)[0, 6] - yaw) == pytest.approx(1)
    assert row.truncated == pytest.approx(1 - share)
    assert row.box == (10, 20, 50, 60)
    bearing = math.atan2(row.location[0], row.location[2])
    assert math.cos(row.alpha - (row.rotation_y - bearing)) == pytest.approx(1)
    assert row.type == "Car"
    assert parse_row(row.line(), "written").line() == row.line()


@pytest.mark.parametrize("kind", ["sedan", "lorry", "pedestrian", "cyclist"])
@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.5])
def test_a_things_box_fits_its_surface_tightly(kind: str, yaw: float) -> None:
    one = PlacedMesh(ParametricMeshes().mesh(kind), (12.0, -3.0, -1.6, yaw))
    vertices = one.mesh.placed(*one.pose)
    slack = np.array([0, 0, 0, 1e-6, 1e-6, 1e-6, 0])
    assert points_inside(vertices, (one.box + slack)[None]).all()
    for side in range(3, 6):
        less = one.box.copy()
        less[side] -= 0.02
        assert not points_inside(vertices, less[None]).all()


def test_a_car_that_drives_ahead_has_kittis_angles() -> None:
    """KITTI's rotation is -pi/2 for a car that drives ahead, and so is alpha straight ahead."""
    row = solid_row(thing(20, 0, 0), Trace((1, 1, 2, 2), None, 1, 1, 1), SEEN, FRAMES)
    assert [row.rotation_y, row.alpha] == pytest.approx([-math.pi / 2, -math.pi / 2])
    left = solid_row(thing(20, 20, 0), Trace((1, 1, 2, 2), None, 1, 1, 1), SEEN, FRAMES)
    assert left.alpha == pytest.approx(-math.pi / 2 + math.pi / 4)
    assert list(row.location) == pytest.approx([0, -GROUND, 20])


def test_a_thing_hidden_from_the_start_is_dont_care() -> None:
    trace = Trace((10, 20, 50, 60), None, 100, 5, 100)
    assert (
        solid_row(thing(20, 0, 0), trace, VisibleShares(0.05, 0.05, 100), FRAMES).type == "DontCare"
    )
    assert solid_row(thing(20, 0, 0), trace, VisibleShares(0.15, 0.2, 100), FRAMES).occluded == 3


def test_points_left_are_a_share_of_the_points_it_had() -> None:
    kept = np.array([True, False, True, True, False])
    assert lidar_visible_share(np.array([1, 2, 3, 4]), kept) == 0.5
    assert lidar_visible_share(np.zeros(0, dtype=np.int64), kept) == 1.0


def region(far: float = 20.0) -> Region:
    returns = np.array([[row, column] for row in range(25, 30) for column in range(40, 60)])
    shape = np.ones((20, 20), dtype=np.bool_)
    return Region(slice(10, 30), slice(40, 60), shape, returns, far)


def test_image_left_goes_by_the_returns_and_by_the_region() -> None:
    covered, depth = np.zeros((50, 100), bool), np.full((50, 100), np.inf)
    assert image_visible_share(region(), covered, depth) == 1.0
    covered[:, :50], depth[:, :50] = True, 10.0
    assert image_visible_share(region(), covered, depth) == pytest.approx(0.5)
    covered[:], depth[:] = True, 10.0
    assert image_visible_share(region(), covered, depth) == pytest.approx(0.0)


def test_background_within_the_box_counts_little_and_what_is_behind_not_at_all() -> None:
    covered, depth = np.zeros((50, 100), bool), np.full((50, 100), np.inf)
    covered[10:20, 40:60], depth[10:20, 40:60] = True, 10.0
    assert image_visible_share(region(), covered, depth) == pytest.approx(1 - 0.5 * 20 / 120)
    depth[10:20, 40:60] = 30.0
    assert image_visible_share(region(), covered, depth) == 1.0


def test_a_region_is_the_outline_of_the_box_within_the_label() -> None:
    """A car turned by 45 degrees leaves corners of its 2D box empty."""
    box = np.array(car(15, 0, math.pi / 4))
    row = LabelRow("Car", 0, 0, 0, (500.0, 160.0, 720.0, 270.0), (1.5, 1.7, 4.0), (0, 1.7, 15), 0.0)
    points = np.array([[15.0, 0.0, -1.0], [-15.0, 0.0, -1.0], [15.0, 0.001, -1.0]])
    found = region_of(row, box, points, FRAMES, SIZE)
    assert 0.2 < found.shape.mean() < 0.9
    assert found.shape.shape == (111, 221)
    assert found.returns.tolist() == [[223, 610]]
    assert 16 < found.far < 18
    outside = LabelRow("Car", 0, 0, 0, (-50.0, 0.0, -10.0, 5.0))
    empty = region_of(outside, None, points[:0], FRAMES, SIZE)
    assert empty.shape.size == 0
    assert image_visible_share(empty, np.ones(SIZE, bool), np.zeros(SIZE)) == 1.0


def test_only_what_falls_into_the_picture_is_in_view() -> None:
    places = [[-0.5, 0, 5], [-0.6, 0, 5], [1223.4, 0, 5], [1223.5, 0, 5], [5, 5, -1], [5, 369.6, 1]]
    assert len(in_view(ImagePoints(np.array(places, dtype=np.float64)), SIZE)) == 2


def test_modality_consistency_is_the_overlap_of_the_two_boxes() -> None:
    assert modality_consistency((0, 0, 10, 10), (0, 0, 10, 10)) == 1.0
    assert modality_consistency((0, 0, 10, 10), (5, 5, 15, 15)) == pytest.approx(25 / 175)
    assert modality_consistency((0, 0, 10, 10), (10, 0, 20, 10)) == 0.0
    assert modality_consistency(None, (0, 0, 1, 1)) == 0.0
    assert modality_consistency((0, 0, 1, 1), None) == 0.0
    assert modality_consistency(None, None) == 1.0


def test_the_returns_box_holds_the_pixels_of_the_returns() -> None:
    returns = np.array([[10.0, 0.0, 0.0], [10.0, 1.0, 0.5], [-10.0, 0.0, 0.0]], dtype=np.float32)
    assert returns_box(returns, FRAMES, SIZE) == (538.0, 139.0, 611.0, 176.0)
    assert returns_box(returns[2:], FRAMES, SIZE) is None
