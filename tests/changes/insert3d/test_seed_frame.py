"""What is cached of a frame between its cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.identity import Identity
from snellen.changes.insert3d.box_points_kernels import points_in_boxes
from snellen.changes.insert3d.seed_frame import MAX_SWEEPS, seed_frame
from snellen.errors import UserError
from snellen.scenes.scene import NoPicture, PictureArray, Scene
from snellen.vision.solids.boxes3d import corners, points_inside
from tests.changes.insert3d.streets3d import GROUND, car, kitti, street


def test_a_frame_is_prepared_once_for_all_its_cases(shared: Callable[[str], Path]) -> None:
    first, again = kitti(shared, "000003"), kitti(shared, "000003")
    assert first is not again
    assert seed_frame(first) is seed_frame(again)
    assert seed_frame(first).scan is seed_frame(again).scan
    assert seed_frame(first) is not seed_frame(kitti(shared, "000004"))


def test_another_picture_or_sensor_is_another_frame() -> None:
    scene = street()
    other = Scene("other", PictureArray(scene.pixels() + 1), scene.size, sweep=scene.sweep)
    assert seed_frame(scene) is not seed_frame(other)
    assert seed_frame(scene) is not seed_frame(scene, "HDL-64E")
    assert seed_frame(scene) is seed_frame(scene)


def test_a_picture_that_is_decoded_twice_is_the_same_picture(
    shared: Callable[[str], Path],
) -> None:
    """A run caches few decoded pictures, and decodes one again when it is needed."""
    scene = kitti(shared, "000005")
    once, twice = (replace(scene, picture=PictureArray(scene.pixels())) for _ in range(2))
    assert seed_frame(once) is seed_frame(twice)
    assert seed_frame(scene).lidar is seed_frame(once).lidar
    assert seed_frame(scene) is seed_frame(scene)


def test_old_frames_are_let_go() -> None:
    scene = street()
    first = seed_frame(scene)
    for _ in range(MAX_SWEEPS):
        seed_frame(street())
    assert seed_frame(scene) is not first


def test_what_is_kept_cannot_be_written_to() -> None:
    seed = seed_frame(street())
    assert seed.image is not None
    for array in (seed.points, seed.image):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_own_points_are_those_in_the_labelled_boxes(shared: Callable[[str], Path]) -> None:
    scene = kitti(shared, "000006")
    known = Identity().build_frame(scene, {}).truth
    assert known is not None
    seed = seed_frame(scene)
    assert [len(own) for own in seed.own_points] == [one.points for one in known]
    box = seed.boxes[2]
    near = np.abs(seed.points[seed.own_points[2], :3] - box[:3]).max(axis=0)
    assert (near <= np.abs(corners(box[None])[0] - box[:3]).max(axis=0)).all()


@given(seed=st.integers(0, 10**6))
def test_members_of_boxes_are_the_points_inside(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(-6, 6, (300, 4)).astype(np.float32)
    sides = rng.uniform(0.5, 8, (3, 3))
    boxes = np.column_stack([rng.uniform(-5, 5, (3, 3)), sides, rng.uniform(-4, 4, 3)])
    assert np.array_equal(points_in_boxes(points, boxes), points_inside(points[:, :3], boxes))


def test_the_ground_of_a_plane_is_the_plane() -> None:
    seed = seed_frame(street([car(15, 0)]))
    heights = seed.surface([8.0, 20.0, 12.0], [0.0, 5.0, -4.0])
    np.testing.assert_allclose(heights, GROUND, atol=0.03)


def test_scenes_without_a_sensor_are_reported() -> None:
    scene = street()
    with pytest.raises(UserError, match="'photo' has no point cloud"):
        seed_frame(Scene("photo", scene.picture, scene.size))
    blind = seed_frame(Scene("blind", NoPicture("blind"), (0, 0), sweep=scene.sweep))
    assert blind.image is None
    with pytest.raises(UserError, match="of a frame without one"):
        _ = blind.camera
