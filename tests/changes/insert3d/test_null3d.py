"""The null of an insertion: what it changes, what it keeps, and that it shows nothing new."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.insert3d.background_fill import ANGLES, ray_at
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.null3d import Null3D
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.scenes.frame import Frame
from snellen.scenes.scene import NoPicture, Scene
from snellen.scenes.sweep import SweepArrays
from snellen.vision.rendering.zbuffer import silhouette
from snellen.vision.solids.coordinate_frames import LidarPoints
from tests.changes.insert3d.streets3d import GROUND, MATERIALS, car, kitti, street

OBJECTS = (("sedan-1", 12.0, 1.0, GROUND, 0.3),)
CAR = car(25, 0)
STREET = street()


def null(scene: Scene, objects: tuple = OBJECTS, seed: int = 1, **options: object) -> Frame:
    return Null3D(objects, seed, **options).build_frame(scene, MATERIALS)  # type: ignore[arg-type]


def rows_of(points: np.ndarray) -> set[bytes]:
    return {row.tobytes() for row in points}


def _noisy(scene: Scene) -> Scene:
    """The scene with noise of 2 cm in its ranges, as a real sensor has."""
    assert scene.sweep is not None
    points = scene.sweep.points().copy()
    away = np.linalg.norm(points[:, :3], axis=1)
    noise = np.random.default_rng(5).normal(0, 0.02, len(points))
    points[:, :3] *= (1 + noise / away)[:, None].astype(np.float32)
    sweep = SweepArrays(points, scene.sweep.calibration(), scene.sweep.labels())
    return Scene("noisy", scene.picture, scene.size, sweep=sweep)


def test_it_changes_the_pixels_of_the_mesh_and_of_its_shadow_and_no_others() -> None:
    scene = street()
    frame, test = null(scene), Insert3D(OBJECTS, 1).build_frame(scene, MATERIALS)
    changed, tested = (
        (one.image != scene.pixels()).any(axis=2)  # type: ignore[union-attr]
        for one in (frame, test)
    )
    mesh = MATERIALS["meshes"].mesh("sedan-1")
    seed = seed_frame(scene)
    points = seed.frames.lidar_to_camera(LidarPoints(mesh.placed(*OBJECTS[0][1:])))
    left, top, share = silhouette(points, mesh.faces, seed.frames.projection, scene.size)
    body = np.zeros(scene.size, np.uint8)
    body[top : top + share.shape[0], left : left + share.shape[1]] = share > 0
    inside = cv2.erode(body, np.ones((9, 9), np.uint8)) > 0
    assert changed[inside].mean() > 0.95  # an equal grey value now and then
    near = cv2.dilate(tested.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert not changed[~near].any()
    assert changed.sum() > 0.8 * tested.sum()


def test_it_replaces_the_returns_that_the_mesh_would_hide_and_no_others() -> None:
    scene = _noisy(street([car(30, 8)]))
    before = seed_frame(scene).points
    frame, test = null(scene), Insert3D(OBJECTS, 1).build_frame(scene, MATERIALS)
    hidden = rows_of(before) - rows_of(test.points)
    gone, new = rows_of(before) - rows_of(frame.points), rows_of(frame.points) - rows_of(before)
    assert gone <= hidden
    assert len(gone) > 0.9 * len(hidden)
    assert len(new) == pytest.approx(len(gone), rel=0.1)
    stays = rows_of(before) - gone
    order = [row.tobytes() for row in before if row.tobytes() in stays]
    assert [row.tobytes() for row in frame.points if row.tobytes() in stays] == order


def test_the_new_returns_lie_on_the_ground_behind_and_in_the_beams_of_the_mesh() -> None:
    scene = _noisy(street())
    frame, before = null(scene), seed_frame(scene).points
    old = rows_of(before)
    new = np.array([row for row in frame.points if row.tobytes() not in old])
    assert len(new) > 500
    assert np.abs(new[:, 2] - GROUND).max() < 0.05
    bearing, away = np.arctan2(new[:, 1], new[:, 0]), np.hypot(new[:, 0], new[:, 1])
    assert np.abs(bearing - np.arctan2(1, 12)).max() < 0.25
    assert away.min() > 9.5
    assert (new[:, 3] == np.float32(0.3)).all()


def test_both_sensors_are_turned_by_the_same_small_angle() -> None:
    scene = _noisy(street())
    frame, before = null(scene), seed_frame(scene).points
    old = rows_of(before)
    new = np.array([row for row in frame.points if row.tobytes() not in old], dtype=np.float64)
    heights = seed_frame(scene).scan.beams.heights
    assert np.allclose(heights, heights[0], atol=0.1)  # so ranges from the origin nearly agree
    away, reaches = (np.linalg.norm(one[:, :3].astype(np.float64), axis=1) for one in (before, new))
    bearing, turned = (np.arctan2(one[:, 1], one[:, 0]) for one in (before, new))
    found = []
    for reach, here in zip(reaches, turned, strict=True):
        near = np.abs(bearing - here) < 0.03
        same = np.flatnonzero(near & (np.abs(away - reach) < 5e-4))
        found += [float(bearing[k] - here) for k in same]
    counts, edges = np.histogram(found, bins=np.radians(np.arange(-1.5, 1.5, 0.1)))
    angle = edges[counts.argmax()] + np.radians(0.05)
    assert ANGLES[0] * 0.7 < abs(angle) < ANGLES[1] * 1.2
    image, plain = frame.image, scene.pixels()
    assert image is not None
    rows, columns = np.nonzero((image != plain).any(axis=2))
    inside = (columns > 30) & (columns < plain.shape[1] - 30)
    rows, columns = rows[inside], columns[inside]
    shifts = range(-16, 17)
    equal = [
        (image[rows, columns] == plain[rows, columns + by]).all(axis=1).mean() for by in shifts
    ]
    assert max(equal) > 0.5
    assert shifts[int(np.argmax(equal))] == pytest.approx(-720 * angle, abs=2.5)


def test_what_stands_in_front_of_the_mesh_is_not_touched() -> None:
    labelled = _noisy(street([car(8, 1)]))
    assert labelled.sweep is not None
    sweep = SweepArrays(labelled.sweep.points(), labelled.sweep.calibration(), ())
    scene = Scene("unlabelled", labelled.picture, labelled.size, sweep=sweep)
    points = seed_frame(scene).points
    front = points[(np.hypot(points[:, 0], points[:, 1]) < 10) & (points[:, 2] > GROUND + 0.2)]
    assert len(front) > 500
    made = null(scene, (("lorry", 16.0, 0.0, GROUND, 0.0),))
    assert rows_of(front) <= rows_of(made.points)
    assert not np.array_equal(made.points, points)


@pytest.mark.parametrize("frame", ["000001", "000006"])
def test_labelled_objects_keep_every_pixel_and_every_point(
    frame: str, shared: Callable[[str], Path]
) -> None:
    scene = kitti(shared, frame)
    seed = seed_frame(scene)
    labelled = [box for box in seed.boxes if box[0] > 10]
    x, y = labelled[0][:2] * 0.7  # in front of it
    objects = (("van-1", float(x), float(y), float(seed.surface(x, y)), 0.0),)
    made = null(scene, objects)
    assert made.image is not None
    left = rows_of(made.points)
    for own, region in zip(seed.own_points, seed.own_regions, strict=True):
        assert rows_of(seed.points[own]) <= left
        part = np.s_[region.rows, region.columns]
        same = (made.image[part] == scene.pixels()[part]).all(axis=2)
        assert same[region.shape].all()
    assert [one.row for one in made.truth or ()] == list(seed.rows or ())
    assert not np.array_equal(made.image, scene.pixels())


def test_what_is_to_be_kept_besides_labels_is_kept() -> None:
    scene = street()
    box, flat = (18.0, 2.0, GROUND, 6.0, 4.0, 1.0, 0.0), (500.0, 180.0, 560.0, 240.0)
    plain, careful = null(scene), null(scene, kept=((*box, *flat),))
    rows = np.s_[180:240, 500:560]
    assert not np.array_equal(plain.image[rows], scene.pixels()[rows])  # type: ignore[index]
    assert np.array_equal(careful.image[rows], scene.pixels()[rows])  # type: ignore[index]
    before = seed_frame(scene).points
    inside = before[(np.abs(before[:, 0] - 18) < 3) & (np.abs(before[:, 1] - 2) < 2)]
    assert not rows_of(inside) <= rows_of(plain.points)
    assert rows_of(inside) <= rows_of(careful.points)


def test_the_same_objects_are_excused_as_in_its_test() -> None:
    scene = street([CAR, car(30, 8)])
    objects = (("lorry", 10.0, 0.0, GROUND, 0.0),)
    test = Insert3D(objects, 1).build_frame(scene, MATERIALS).measurements
    measured = null(scene, objects).measurements
    for place in (0, 1):
        for name in ("points", "lidar_visible", "image_visible"):
            key = f"known.{place}.{name}"
            assert measured[key] == test[key]
    assert "known.2.points" not in measured
    assert measured["points_removed"] == test["points_removed"]
    truth = null(scene, objects).truth
    assert truth is not None
    assert [one.lidar_visible for one in truth] == [1.0, 1.0]


@pytest.mark.parametrize("sensors", ["lidar", "camera"])
def test_one_sensor_alone_leaves_the_other_as_it_was(sensors: str) -> None:
    scene = street([CAR])
    frame, before = null(scene, sensors=sensors), seed_frame(scene)
    assert np.array_equal(frame.image, scene.pixels()) == (sensors == "lidar")  # type: ignore[arg-type]
    assert np.array_equal(frame.points, before.points) == (sensors == "camera")
    recipe = Null3D(OBJECTS, 1, sensors)
    assert np.array_equal(recipe.build(scene, MATERIALS), frame.image)  # type: ignore[arg-type]


def test_a_frame_without_an_image_and_one_without_objects() -> None:
    scene = street()
    lidar = Scene("lidar only", NoPicture("lidar only"), (0, 0), sweep=scene.sweep)
    assert null(lidar).image is None
    assert not np.array_equal(null(lidar).points, seed_frame(scene).points)
    frame = null(scene, ())
    assert np.array_equal(frame.image, scene.pixels())  # type: ignore[arg-type]
    assert np.array_equal(frame.points, seed_frame(scene).points)
    behind = null(scene, (("sedan", -15.0, 3.0, GROUND, 0.0),))
    assert np.array_equal(behind.image, scene.pixels())  # type: ignore[arg-type]
    assert not np.array_equal(behind.points, seed_frame(scene).points)


def test_it_is_rebuilt_bit_for_bit_from_json_and_its_seed_draws_the_background() -> None:
    scene = street([CAR])
    recipe = Null3D(OBJECTS, 3, kept=((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),))
    again = recipe_from_json(json.loads(json.dumps(recipe.to_json())))
    assert again == recipe
    one, other = (each.build_frame(scene, MATERIALS) for each in (recipe, again))
    assert one.points.tobytes() == other.points.tobytes()
    assert one.image.tobytes() == other.image.tobytes()  # type: ignore[union-attr]
    assert np.array_equal(recipe.build(scene, MATERIALS), one.image)  # type: ignore[arg-type]
    assert len({null(scene, seed=seed).image.tobytes() for seed in range(4)}) > 1  # type: ignore[union-attr]


def test_a_wrong_box_to_keep_is_reported() -> None:
    with pytest.raises(UserError, match=r"null3d: found kept .* expected eleven finite numbers"):
        Null3D(OBJECTS, 1, kept=((1.0, 2.0),))
    with pytest.raises(UserError, match="null3d: sensors 'lidr'"):
        Null3D(OBJECTS, 1, "lidr")


@settings(max_examples=25, deadline=None)
@given(angle=st.floats(-3.5, 3.5), ring=st.integers(0, 52))
def test_the_ray_at_a_bearing_is_the_nearest_of_its_ring(angle: float, ring: int) -> None:
    scan = seed_frame(STREET).scan
    [found] = ray_at(scan, np.array([ring], dtype=np.int32), np.array([angle]))
    assert scan.rings[found] == ring
    own = scan.azimuths[scan.rings == ring]
    apart = np.abs((own - angle + np.pi) % (2 * np.pi) - np.pi)
    here = abs((scan.azimuths[found] - angle + np.pi) % (2 * np.pi) - np.pi)
    assert here == pytest.approx(apart.min(), abs=1e-9)


def test_turns_are_fractions_of_a_degree() -> None:
    assert 0 < np.degrees(ANGLES[0]) < np.degrees(ANGLES[1]) <= 1.0 + 1e-9


def test_a_scale_in_the_name_of_a_mesh_scales_its_box() -> None:
    scene = street()
    whole, half = (
        Insert3D(((name, 12.0, 0.0, GROUND, 0.0),), 1, "lidar").change_frame(scene, MATERIALS)[0]
        for name in ("sedan-1", "sedan-1@0.5")
    )
    assert half.meshes[0].mesh.size == pytest.approx(np.array(whole.meshes[0].mesh.size) / 2)
    assert half.meshes[0].box[2] == pytest.approx(GROUND + half.meshes[0].mesh.size[2] / 2)
    with pytest.raises(UserError, match="found scale -1"):
        Insert3D((("sedan@-1", 12, 0, GROUND, 0),), 1).build_frame(scene, MATERIALS)
