"""Meshes in images: occluded by what is in front of them, standing on the ground, lit alike."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from snellen.changes.insert3d.camera_insertion import (
    CameraChange,
    CameraSeed,
    camera_seed,
    insert_in_image,
)
from snellen.errors import UserError
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.objects.meshes.primitives import join_parts, rounded_box
from snellen.vision.rendering.light import Light
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import LidarPoints
from tests.changes.insert3d.streets import FRAMES, GROUND, SHAPE, Street, Wall, street

PLAIN = street()
HIGH = (0.0, 0.0, 1.0)


@pytest.fixture(scope="module")
def plain() -> CameraSeed:
    return PLAIN.seed()


def block(size: tuple[float, float, float] = (4, 2, 1.5), grey: int = 128) -> Mesh:
    length, width, height = size
    low, high = (-length / 2, -width / 2, 0.0), (length / 2, width / 2, height)
    solid = rounded_box(low, high, "only", radius=0.0005)
    return join_parts("block", "Car", [solid], {"only": ("cloth", (grey, grey, grey))}, size)


def put(
    where: Street, seed: CameraSeed, *things: tuple[Mesh, tuple[float, float, float, float]]
) -> CameraChange:
    return insert_in_image(where.image, seed, things, np.random.default_rng(3))


def with_light(seed: CameraSeed, light: Light) -> CameraSeed:
    return replace(seed, lit=replace(seed.lit, light=light))


def test_nothing_inserted_leaves_every_bit(plain: CameraSeed) -> None:
    change = put(PLAIN, plain)
    np.testing.assert_array_equal(change.image, PLAIN.image)
    assert change.traces == ()
    assert not change.covered.any()
    assert np.isinf(change.depth).all()


@pytest.mark.parametrize("pose", [(-12.0, 0.0, GROUND, 0.0), (6.0, 70.0, GROUND, 1.0)])
def test_what_stands_out_of_view_leaves_every_bit(
    plain: CameraSeed, pose: tuple[float, float, float, float]
) -> None:
    change = put(PLAIN, plain, (block(), pose))
    np.testing.assert_array_equal(change.image, PLAIN.image)
    [thing] = change.traces
    assert thing.amodal is None
    assert thing.visible is None
    assert thing.pixels == 0


def test_boxes_and_areas_are_those_of_the_projected_hull(plain: CameraSeed) -> None:
    from scipy.spatial import ConvexHull

    [thing] = put(PLAIN, plain, (block(), (14.0, 1.5, GROUND, 0.7))).traces
    box = corners(np.array([[14.0, 1.5, GROUND + 0.75, 4, 2, 1.5, 0.7]]))[0]
    flat = FRAMES.lidar_to_image(LidarPoints(box))[:, :2]
    # Pixel centres have integer coordinates in calibrations, pixel corners in boxes.
    expected = [*(flat.min(axis=0) + 0.5), *(flat.max(axis=0) + 0.5)]
    assert thing.amodal == pytest.approx(expected, abs=1.0)
    assert thing.visible == thing.amodal
    assert thing.pixels == thing.visible_pixels == thing.full_pixels
    assert thing.pixels == pytest.approx(ConvexHull(flat).volume, rel=0.01)


def test_a_wall_of_points_in_front_hides_exactly_what_is_behind_it() -> None:
    wall = Wall(x=9.0, left=1.2, right=-0.4, top=-0.6)
    where = street(wall)
    seed = where.seed()
    change = put(where, seed, (block(), (15.0, 0.0, GROUND, 0.4)))
    left, top, right, bottom = wall.outline()
    rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]]
    inside = (rows > top) & (rows < bottom) & (columns > left) & (columns < right)
    apart = cv2.distanceTransform(
        (inside == cv2.erode(inside.astype(np.uint8), np.ones((3, 3)))).astype(np.uint8),
        cv2.DIST_L2, 3,
    )  # fmt: skip
    clear = apart > 3.5
    alone = put(PLAIN, PLAIN.seed(), (block(), (15.0, 0.0, GROUND, 0.4)))
    np.testing.assert_array_equal(change.covered[clear], (alone.covered & ~inside)[clear])
    np.testing.assert_array_equal(change.image[inside & clear], where.image[inside & clear])
    [thing], [whole] = change.traces, alone.traces
    shown = (alone.covered & ~inside).sum() / alone.covered.sum()
    assert thing.amodal == whole.amodal
    assert thing.pixels == whole.pixels
    assert thing.visible_pixels / thing.pixels == pytest.approx(shown, abs=0.03)
    assert 0.3 < shown < 0.8


def test_a_wall_behind_hides_nothing() -> None:
    where = street(Wall(x=20.0, left=4.0, right=-4.0, top=0.5))
    [thing] = put(where, where.seed(), (block(), (13.0, 0.0, GROUND, 0.4))).traces
    assert thing.visible_pixels == thing.pixels


def test_a_pane_without_returns_hides_as_the_wall_around_it_does() -> None:
    wall = Wall(x=9.0, left=1.5, right=-1.5, top=0.1)
    where = street(wall)
    y, z = where.points[:, 1], where.points[:, 2]
    pane = (np.abs(y) < 0.3) & (np.abs(z + 0.8) < 0.3) & (np.abs(where.points[:, 0] - 9) < 0.1)
    open_wall = Street(where.image, where.points[~pane], where.ground[~pane])
    pose = (13.0, 0.0, GROUND, 1.5)
    [behind] = put(open_wall, open_wall.seed(), (block((2.4, 1.5, 1.5)), pose)).traces
    assert pane.sum() > 100
    assert behind.visible_pixels < 0.01 * behind.pixels


def test_ground_before_a_thing_never_hides_its_foot(plain: CameraSeed) -> None:
    for distance in (8.0, 20.0, 45.0):
        [thing] = put(PLAIN, plain, (block(), (distance, -1.0, GROUND, 0.0))).traces
        assert thing.visible_pixels == thing.pixels, distance


def test_the_nearer_thing_hides_the_farther_in_either_order(plain: CameraSeed) -> None:
    near, far = (block(grey=40), (10.0, 0.5, GROUND, 0.0)), (block(grey=220), (16.0, 0, GROUND, 0))
    one, other = put(PLAIN, plain, near, far), put(PLAIN, plain, far, near)
    assert one.traces[0].visible_pixels == one.traces[0].pixels
    assert one.traces[1].visible_pixels < 0.5 * one.traces[1].pixels
    assert one.traces == other.traces[::-1]
    np.testing.assert_array_equal(one.covered, other.covered)
    np.testing.assert_array_equal(one.depth, other.depth)


def test_things_that_cross_each_hide_a_part_of_the_other(plain: CameraSeed) -> None:
    long = block((6.0, 0.3, 1.5))
    change = put(PLAIN, plain, (long, (14.0, 0, GROUND, 0.7)), (long, (14.0, 0, GROUND, -0.7)))
    for thing in change.traces:
        assert 0.3 < thing.visible_pixels / thing.pixels < 0.9
    assert sum(t.visible_pixels for t in change.traces) == pytest.approx(
        change.covered.sum(), rel=0.02
    )


def test_a_thing_cut_by_the_border_is_larger_than_what_is_seen(plain: CameraSeed) -> None:
    [thing] = put(PLAIN, plain, (block(), (10.0, 8.6, GROUND, 0.0))).traces
    assert thing.amodal is not None
    assert thing.amodal[0] == 0
    assert 0.05 < thing.pixels / thing.full_pixels < 0.95
    wide = FRAMES.projection.copy()
    wide[0, 2] += 600
    aside = replace(plain, frames=type(FRAMES)(FRAMES.camera_from_lidar, wide))
    [whole] = put(PLAIN, aside, (block(), (10.0, 8.6, GROUND, 0.0))).traces
    assert thing.full_pixels == pytest.approx(whole.pixels, rel=0.03)


@pytest.mark.parametrize("place", [(4.0, -7.0), (5.0, -9.0), (6.0, -8.6)])
def test_a_shadow_may_fall_wholly_outside_the_image(
    plain: CameraSeed, place: tuple[float, float]
) -> None:
    low = with_light(plain, replace(plain.lit.light, sun_direction=(-0.6, 0.5, 0.62)))
    change = put(PLAIN, low, (block(), (*place, GROUND, 0.0)))
    assert change.image.shape == PLAIN.image.shape


def test_shadows_fall_on_nothing_but_ground() -> None:
    where = street(Wall(x=16.0, left=6.0, right=-6.0, top=1.0), Wall(8.5, 2.6, 2.2, -0.4))
    seed = where.seed()
    low = with_light(seed, replace(seed.lit.light, sun_direction=(-0.6, 0.5, 0.62)))
    change = put(where, low, (block(), (12.0, 1.0, GROUND, 0.3)))
    changed = (change.image != where.image).any(axis=2)
    body = cv2.dilate(change.covered.astype(np.uint8), np.ones((9, 9))) > 0
    shadow = changed & ~body
    assert shadow.sum() > 500
    assert not (shadow & ~seed.depth.ground).any()
    assert (change.image[shadow].astype(int) <= where.image[shadow]).all()


def test_the_shadow_lies_on_the_side_away_from_the_sun(plain: CameraSeed) -> None:
    for across in (-1.0, 1.0):
        light = replace(plain.lit.light, sun_direction=(0.0, across * 0.7, 0.7))
        lit = replace(plain.lit, light=light, sky=0.2 * plain.lit.lit, sun=0.8 * plain.lit.lit)
        change = put(PLAIN, replace(plain, lit=lit), (block(), (12.0, 0.0, GROUND, 0.0)))
        dark = (change.image.sum(axis=2) < PLAIN.image.sum(axis=2) - 30) & ~change.covered
        columns = np.nonzero(dark)[1]
        middle = np.nonzero(change.covered)[1].mean()
        # A sun on the left (y > 0) casts it to the right, where columns increase.
        assert np.sign(columns.mean() - middle) == across


def test_a_thing_is_darkest_where_it_meets_the_ground(plain: CameraSeed) -> None:
    seed = with_light(plain, replace(plain.lit.light, sun_direction=HIGH))
    change = put(PLAIN, seed, (block(), (12.0, 0.0, GROUND, 0.0)))
    bottom = np.nonzero(change.covered.any(axis=1))[0].max()
    column = int(np.nonzero(change.covered)[1].mean())
    below = change.image[bottom + 2 : bottom + 60, column].sum(axis=1).astype(int)
    assert below[0] < 0.8 * PLAIN.image[bottom + 2, column].sum()
    assert (np.diff(below) >= -6).all()
    assert below[-1] > 0.97 * PLAIN.image[bottom + 59, column].sum()


def test_ground_in_the_shade_already_loses_no_sun() -> None:
    where = street()
    image = where.image.copy()
    image[200:, 620:] = 22
    half = Street(image, where.points, where.ground)
    seed = half.seed()
    assert seed.lit.lit.mean() > 3 * seed.lit.shaded.mean()
    sun = replace(seed.lit.light, sun_direction=(-0.3, 0.3, 0.9))
    low = with_light(seed, replace(sun, sun_direction=(0.0, 0.75, 0.5)))
    change = put(half, low, (block(), (12.0, -1.5, GROUND, 0.0)))
    far_right = (slice(250, 300), slice(840, 980))
    kept = change.image[far_right].astype(float) / image[far_right]
    assert kept.min() > 0.85


def test_the_same_seed_gives_the_same_bits_and_another_only_other_noise() -> None:
    where = street(noise=2.0)
    seed = where.seed()
    things = [(parametric("sedan", np.random.default_rng(1)), (14.0, 1.0, GROUND, 2.0))]
    first, again, other = (
        insert_in_image(where.image, seed, things, np.random.default_rng(n)).image
        for n in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    apart = np.abs(first.astype(int) - other)
    assert 0 < apart.max() <= 6 * 2.0 * 1.5


@pytest.mark.parametrize("noise", [1.0, 2.5, 5.0])
def test_bodies_carry_the_noise_of_the_picture(noise: float) -> None:
    where = street(noise=noise)
    seed = where.seed()
    mesh = block((2.0, 6.0, 2.6), grey=150)
    change = put(where, seed, (mesh, (12.0, 0.0, GROUND, 0.0)))
    rows, columns = np.nonzero(change.covered)
    face = change.image[rows.min() + 60 : rows.max() - 60, columns.min() + 20 : columns.max() - 20]
    flat = face - cv2.GaussianBlur(face.astype(np.float64), (0, 0), 5)
    assert flat.std() == pytest.approx(noise, rel=0.15)


def test_a_picture_without_noise_gets_none(plain: CameraSeed) -> None:
    change = put(PLAIN, plain, (block((2.0, 6.0, 2.6)), (12.0, 0.0, GROUND, 0.0)))
    rows, columns = np.nonzero(change.covered)
    line = change.image[(rows.min() + rows.max()) // 2, columns.min() + 20 : columns.max() - 20]
    assert np.abs(np.diff(line.astype(int), axis=0)).max() <= 1


def test_a_brighter_frame_makes_brighter_things() -> None:
    means = []
    for gain in (0.4, 0.7, 1.0, 1.4):
        where = street(gain=gain)
        change = put(where, where.seed(), (block(), (12.0, 0.0, GROUND, 0.5)))
        means.append(change.image[change.covered].mean())
    assert (np.diff(means) > 5).all()


def test_a_thing_in_the_shade_is_darker_than_one_in_the_sun() -> None:
    where = street()
    image = where.image.copy()
    image[171:, 620:] = 20
    half = Street(image, where.points, where.ground)
    plain = half.seed()
    seed = with_light(plain, replace(plain.lit.light, sun_direction=(-0.7, 0.0, 0.7)))
    means = [
        change.image[change.covered].mean()
        for y in (2.5, -3.5)
        for change in [put(half, seed, (block(), (13.0, y, GROUND, 0.0)))]
    ]
    assert means[1] < 0.75 * means[0]


def test_pictures_and_masks_of_another_frame_are_refused(plain: CameraSeed) -> None:
    small = PLAIN.image[:200]
    with pytest.raises(UserError, match=r"shape \(200, 1242, 3\)"):
        insert_in_image(small, plain, [], np.random.default_rng(1))
    with pytest.raises(UserError, match=r"ground: shape \(3,\)"):
        camera_seed(PLAIN.image, PLAIN.points, np.zeros(3, dtype=bool), FRAMES)
    with pytest.raises(UserError, match="float64"):
        camera_seed(PLAIN.image.astype(float), PLAIN.points, PLAIN.ground, FRAMES)
