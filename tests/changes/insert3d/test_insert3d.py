"""Meshes in both sensors of a frame: what changes, what must not, and its labels."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.changes.identity import Identity
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.objects.meshes.mesh_set import NamedMeshes
from snellen.scenes.frame import Frame, LabelledObject
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.scene import NoPicture, Scene
from snellen.scenes.sweep import SweepArrays
from tests.changes.insert3d.streets3d import GROUND, MATERIALS, car, kitti, street

FRAMES = ("000000", "000003", "000006")


def built(scene: Scene, *objects: tuple[str, float, float, float, float], seed: int = 1) -> Frame:
    return Insert3D(objects, seed).build_frame(scene, MATERIALS)


def on_ground(scene: Scene, mesh: str, x: float, y: float, yaw: float = 0.0) -> tuple:
    return (mesh, x, y, float(seed_frame(scene).surface(x, y)), yaw)


def inserted(frame: Frame, place: int = 0) -> LabelledObject:
    assert frame.truth is not None
    return next(one for one in frame.truth if one.inserted == place)


@pytest.mark.parametrize("name", FRAMES)
def test_with_nothing_inserted_both_halves_are_the_same_to_the_bit(
    name: str, shared: Callable[[str], Path]
) -> None:
    scene = kitti(shared, name)
    frame, plain = built(scene), Identity().build_frame(scene, {})
    assert frame.image is not None
    assert frame.image.tobytes() == scene.pixels().tobytes()
    assert scene.sweep is not None
    assert frame.points.tobytes() == scene.sweep.points().tobytes()
    assert frame.truth == plain.truth
    assert frame.calibration.text() == scene.sweep.calibration().text()
    assert frame.measurements["points_added"] == frame.measurements["points_removed"] == 0
    assert np.array_equal(Insert3D((), 1).build(scene, {}), scene.pixels())


def test_untouched_labels_keep_their_lines_byte_for_byte(shared: Callable[[str], Path]) -> None:
    scene = kitti(shared, "000006")
    assert scene.sweep is not None
    before = scene.sweep.labels()
    frame = built(scene, on_ground(scene, "sedan-1", 20, -7))
    assert before is not None
    assert frame.truth is not None
    for row, one in zip(before, frame.truth, strict=False):
        assert one.row.line() == row.line() == row.source
    assert inserted(frame).points > 50


def test_what_stands_wholly_behind_a_lorry_becomes_dont_care() -> None:
    scene = street([car(25, 0), car(25, 9)])
    frame = built(scene, ("lorry", 10, 0, GROUND, 0))
    assert frame.truth is not None
    hidden, free, _ = frame.truth
    assert hidden.row.type == "DontCare"
    assert (hidden.points, hidden.lidar_visible) == (0, 0.0)
    assert hidden.image_visible < 0.05
    assert scene.sweep is not None
    before = scene.sweep.labels()
    assert before is not None
    assert hidden.row.box == before[0].box
    assert free == LabelledObject(before[1], free.points)
    assert free.points > 30


def test_what_is_half_hidden_is_partly_or_largely_occluded_and_still_counts() -> None:
    scene = street([car(25, 0)])
    frame = built(scene, ("van", 12, 0.9, GROUND, 0))
    assert frame.truth is not None
    half = frame.truth[0]
    assert half.row.type == "Car"
    assert half.row.occluded in (1, 2)
    assert 0.3 < half.lidar_visible < 0.7
    assert half.image_visible == pytest.approx(half.lidar_visible, abs=0.15)
    assert frame.measurements["known.0.points"] == half.points
    inside = lidar_boxes([half.row], frame.frames)
    assert inside.shape == (1, 7)


def test_what_is_in_front_of_the_new_thing_loses_nothing_and_hides_it() -> None:
    scene = street([car(12, 0)])
    frame = built(scene, ("sedan", 20, 0, GROUND, 0))
    assert frame.truth is not None
    near, far = frame.truth
    assert near.lidar_visible == 1.0
    assert near.row.occluded == 0
    assert far.lidar_visible < 0.5
    if far.row.type != "DontCare":
        seen = [frame.measurements[f"known.1.seen_{side}"] for side in ("x1", "y1", "x2", "y2")]
        assert seen[3] < far.row.box[3]
        assert seen[1] == pytest.approx(far.row.box[1], abs=1)
    assert far.row.occluded >= 2 or far.row.type == "DontCare"


@pytest.mark.parametrize("place", [(-15.0, 3.0), (10.0, 30.0), (0.0, -9.0)], ids=str)
def test_out_of_view_no_pixel_changes_and_the_label_says_so(place: tuple[float, float]) -> None:
    scene = street()
    frame = built(scene, ("sedan", *place, GROUND, 0))
    assert frame.image is not None
    assert frame.image.tobytes() == scene.pixels().tobytes()
    one = inserted(frame)
    assert one.points > 50
    assert (one.image_visible, one.row.truncated, one.row.box) == (0.0, 1.0, (0, 0, 0, 0))
    assert one.row.solid
    assert frame.measurements["modality_consistency"] == 1.0


@pytest.mark.parametrize("sensors", ["lidar", "camera"])
def test_one_sensor_alone_leaves_the_other_as_it_was(sensors: str) -> None:
    scene = street([car(30, 0)])
    objects = (("sedan", 12.0, 0.0, GROUND, 0.0),)
    recipe = Insert3D(objects, 1, sensors)
    frame, both = recipe.build_frame(scene, MATERIALS), built(scene, *objects)
    assert frame.image is not None
    assert both.image is not None
    assert scene.sweep is not None
    one = inserted(frame)
    if sensors == "lidar":
        assert frame.image.tobytes() == scene.pixels().tobytes()
        assert frame.points.tobytes() == both.points.tobytes()
        assert (one.image_visible, one.lidar_visible) == (0.0, 1.0)
    else:
        assert frame.image.tobytes() == both.image.tobytes()
        assert frame.points.tobytes() == scene.sweep.points().tobytes()
        assert (one.lidar_visible, one.points) == (0.0, 0)
        assert one.image_visible > 0.9
    assert one.row.type == "Car"
    assert frame.measurements["modality_consistency"] == 0.0
    assert frame.measurements["visibility_gap"] > 0.9
    assert np.array_equal(recipe.build(scene, MATERIALS), frame.image)


def test_the_image_alone_is_the_image_of_the_frame() -> None:
    scene = street([car(25, 0)])
    recipe = Insert3D((("van-1", 14, 2, GROUND, 0.3), ("cyclist", 9, -2, GROUND, 1.0)), 3)
    image = recipe.build_frame(scene, MATERIALS).image
    assert image is not None
    assert np.array_equal(recipe.build(scene, MATERIALS), image)


def test_the_sensors_agree_about_what_they_see(shared: Callable[[str], Path]) -> None:
    scene = kitti(shared, "000001")
    for mesh, x, y, most in (
        ("sedan-1", 20, -3, 0.12),
        ("van-1", 15, 0, 0.05),
        ("suv", 30, 0, 0.1),
    ):
        frame = built(scene, on_ground(scene, mesh, x, y))
        assert frame.measurements["visibility_gap"] < most
        assert frame.measurements["modality_consistency"] > 0.6


def test_a_second_thing_hides_the_first_and_leaves_its_returns_elsewhere() -> None:
    scene = street()
    far, near = ("sedan", 25.0, 0.0, GROUND, 0.0), ("van", 12.0, 1.0, GROUND, 0.0)
    alone, both = built(scene, far), built(scene, far, near)
    first, second = inserted(both), inserted(both, 1)
    assert inserted(alone).lidar_visible == 1.0
    assert first.lidar_visible < 0.7
    assert first.image_visible == pytest.approx(first.lidar_visible, abs=0.15)
    assert second.lidar_visible == second.image_visible == 1.0
    assert first.row.occluded >= 1
    assert first.points < inserted(alone).points
    left = {row.tobytes() for row in both.points}
    kept = sum(row.tobytes() in left for row in alone.points[alone.points[:, 0] > 22])
    assert kept >= first.points
    turned = built(scene, near, far)
    assert inserted(turned, 1).lidar_visible == first.lidar_visible
    assert turned.measurements["points_removed"] == both.measurements["points_removed"]


def test_what_is_out_of_view_leaves_the_others_in_view() -> None:
    scene = street()
    seen = ("van", 12.0, 1.0, GROUND, 0.0)
    both = built(scene, ("sedan", -15.0, 3.0, GROUND, 0.0), seen)
    alone = built(scene, seen)
    assert np.array_equal(both.image, alone.image)  # type: ignore[arg-type]
    assert inserted(both, 1).row == inserted(alone).row
    assert inserted(both).row.truncated == 1.0


def test_points_added_and_removed_add_up_and_belong_to_what_was_inserted() -> None:
    scene = street([car(25, 0)])
    frame = built(scene, ("sedan", 12, 1, GROUND, 0.4), ("pedestrian", 8, -2, GROUND, 0))
    numbers = frame.measurements
    assert scene.sweep is not None
    size = len(scene.sweep.points())
    assert len(frame.points) == size + numbers["points_added"] - numbers["points_removed"]
    assert numbers["points_added"] == inserted(frame).points + inserted(frame, 1).points
    new = {row.tobytes() for row in frame.points} - {r.tobytes() for r in scene.sweep.points()}
    assert len(new) == numbers["points_added"]


def _digest(work: tuple[Scene, Insert3D]) -> bytes:
    frame = work[1].build_frame(work[0], MATERIALS)
    assert frame.image is not None
    measured = json.dumps(dict(frame.measurements), sort_keys=True)
    return frame.image.tobytes() + frame.points.tobytes() + measured.encode()


def test_another_process_builds_the_same_case_to_the_bit(shared: Callable[[str], Path]) -> None:
    scene = kitti(shared, "000002")
    recipe = Insert3D((on_ground(scene, "suv-3", 16, 4, 0.3),), 5)
    mine = _digest((scene, recipe))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_digest, [(scene, recipe)]) == [mine]


def test_the_seed_draws_the_noise_of_both_sensors() -> None:
    scene = street()
    first, again, other = (
        built(scene, ("sedan", 12, 0, GROUND, 0), seed=seed) for seed in (1, 1, 2)
    )
    assert first.points.tobytes() == again.points.tobytes() != other.points.tobytes()
    assert first.image is not None
    assert again.image is not None
    assert other.image is not None
    assert first.image.tobytes() == again.image.tobytes() != other.image.tobytes()


def test_a_recipe_survives_json_and_whole_numbers_become_floats() -> None:
    recipe = Insert3D((("sedan", 12, 0, -1.7, 0),), 4, "lidar")
    again = recipe_from_json(json.loads(json.dumps(recipe.to_json())))
    assert again == recipe
    assert again.digest == Insert3D((("sedan", 12.0, 0.0, -1.7, 0.0),), 4, "lidar").digest
    assert pickle.loads(pickle.dumps(recipe)) == recipe


def test_mistakes_are_reported() -> None:
    scene = street()
    with pytest.raises(UserError, match="did you mean 'lidar'"):
        Insert3D((), 1, "lidr")
    with pytest.raises(UserError, match="found seed -1"):
        Insert3D((), -1)
    with pytest.raises(UserError, match="expected four finite numbers"):
        Insert3D((("sedan", float("nan"), 0, 0, 0),), 1)
    with pytest.raises(UserError, match="did you mean 'sedan'"):
        built(scene, ("sedann", 12, 0, GROUND, 0))
    bare = Scene("photo", scene.picture, scene.size)
    with pytest.raises(UserError, match="'photo' has no point cloud"):
        built(bare, ("sedan", 12, 0, GROUND, 0))


def test_a_frame_without_an_image_gets_its_points_and_an_outline() -> None:
    scene = street([car(25, 0)])
    lidar = Scene("lidar only", NoPicture("lidar only"), (0, 0), sweep=scene.sweep)
    frame = built(lidar, ("sedan", 12, 0, GROUND, 0))
    assert frame.image is None
    one = inserted(frame)
    assert one.points > 100
    assert one.row.box[2] > one.row.box[0]
    assert frame.points.tobytes() == built(scene, ("sedan", 12, 0, GROUND, 0)).points.tobytes()


def test_a_named_sensor_serves_a_cloud_that_is_out_of_order() -> None:
    scene = street()
    assert scene.sweep is not None
    cloud = np.random.default_rng(0).permutation(scene.sweep.points())
    mixed = Scene("mixed", scene.picture, scene.size, sweep=_with(scene, cloud))
    recipe = Insert3D((("sedan", 12, 0, GROUND, 0),), 1, "lidar")
    with pytest.raises(UserError, match="Name the sensor"):
        recipe.build_frame(mixed, MATERIALS)
    frame = recipe.build_frame(mixed, {**MATERIALS, "lidar": "HDL-64E"})
    straight = recipe.build_frame(scene, MATERIALS)
    aimed = recipe.change_frame(mixed, {**MATERIALS, "lidar": "HDL-64E"})[0].cloud.aimed
    assert aimed == recipe.change_frame(scene, {**MATERIALS, "lidar": "HDL-64E"})[0].cloud.aimed
    assert inserted(frame).points == pytest.approx(inserted(straight).points, rel=0.2)


def _with(scene: Scene, cloud: np.ndarray) -> SweepArrays:
    assert scene.sweep is not None
    return SweepArrays(cloud, scene.sweep.calibration(), scene.sweep.labels())


def test_a_mesh_in_memory_can_be_named() -> None:
    meshes = NamedMeshes({"mine": MATERIALS["meshes"].mesh("hatchback-2")}, MATERIALS["meshes"])
    scene = street()
    pose = (14.0, 1.0, GROUND, 0.5)
    one = Insert3D((("mine", *pose),), 1).build_frame(scene, {"meshes": meshes})
    other = Insert3D((("hatchback-2", *pose),), 1).build_frame(scene, MATERIALS)
    assert one.points.tobytes() == other.points.tobytes()


@pytest.mark.parametrize(("y", "side"), [(8.5, 0), (-8.5, 2)], ids=["left", "right"])
def test_what_sticks_out_of_the_picture_is_truncated_at_its_border(y: float, side: int) -> None:
    """Half of a car across the line of sight at the edge of the camera's view is outside."""
    scene = street()
    row = inserted(built(scene, ("sedan", 10, y, GROUND, np.pi / 2))).row
    assert row.box[side] == (0.0, None, float(scene.size[1]))[side]
    assert 0.35 < row.truncated < 0.7
    assert row.occluded == 0
    inside = inserted(built(scene, ("sedan", 10, y / 2, GROUND, np.pi / 2))).row
    assert inside.truncated == 0.0
