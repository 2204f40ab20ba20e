"""The light of a frame: planted sun and shade on the ground are recovered."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.changes.insert3d.camera_insertion import CameraSeed
from snellen.vision.arrays import F32, Bools, Image
from snellen.vision.rendering.frame_light import FrameLight
from tests.changes.insert3d.streets import SHAPE, Street, Wall, street

PLAIN = street()


def shaded(lit: int, shade: int, columns: slice = slice(0, 500)) -> CameraSeed:
    image = PLAIN.image.copy()
    image[171:] = lit
    image[171:, columns] = shade
    return Street(image, PLAIN.points, PLAIN.ground).seed()


@pytest.mark.parametrize(("lit", "shade", "gamma"), [(180, 36, 1.0), (180, 80, 2.2)])
def test_sun_and_shade_are_distinguished(lit: int, shade: int, gamma: float) -> None:
    """Five times brighter is daylight on a linear scale; 2.25 times is, at gamma 2.2."""
    found = shaded(lit, shade).lit
    assert found.sensor.gamma == gamma
    np.testing.assert_allclose(found.lit, (lit / 255) ** gamma, rtol=0.02)
    np.testing.assert_allclose(found.shaded, (shade / 255) ** gamma, rtol=0.02)
    np.testing.assert_allclose(found.sky + found.sun, found.lit, rtol=1e-9)


def test_uniform_ground_gives_no_sun() -> None:
    found = PLAIN.seed().lit
    assert not found.sun_found
    assert found.light.sun_direction == (0.0, 0.0, 1.0)
    assert found.sky.mean() > 0.7 * found.lit.mean()


def test_light_grows_with_the_pictures_brightness() -> None:
    strengths = [strength(street(gain=gain).seed().lit) for gain in (0.3, 0.6, 0.9, 1.2, 1.5)]
    assert (np.diff(strengths) > 0).all()


def test_the_tint_of_the_light_is_that_of_the_ground_halved() -> None:
    light = street(road=(100, 90, 80)).seed().lit.light
    red, green, blue = np.array(light.sun) + np.array(light.ambient or ())
    assert red > green > blue
    assert red / blue < (100 / 80) ** 2.2


def test_the_sun_is_found_from_the_shadow_of_a_wall() -> None:
    """A high wall on the left, dark on this side, and its shadow on the road ahead."""
    wall = Wall(x=22.0, left=12.0, right=-12.0, top=6.0)
    where = street(wall)
    image = where.image.copy()
    image[np.all(image == (90, 90, 90), axis=2)] = 150
    foot = int(wall.outline()[3])
    image[foot + 1 : foot + 16] = 30
    image[np.all(image == (190, 60, 40), axis=2)] = (38, 12, 8)
    found = Street(image, where.points, where.ground).seed().lit
    assert found.sun_found
    assert found.light.sun_direction[0] > 0.3


def strength(found: FrameLight) -> float:
    return float(np.mean(found.light.sun) + np.mean(found.light.ambient or 0.0))


NOTHING = np.zeros((0, 4), np.float32)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("image", "points", "ground"),
    [
        (PLAIN.image, NOTHING, np.zeros(0, bool)),
        (PLAIN.image, PLAIN.points[::5000], PLAIN.ground[::5000]),
        (PLAIN.image, PLAIN.points, np.zeros_like(PLAIN.ground)),
        (np.zeros((*SHAPE, 3), np.uint8), PLAIN.points, PLAIN.ground),
        (np.full((*SHAPE, 3), 255, np.uint8), PLAIN.points, PLAIN.ground),
        (PLAIN.image[:3, :5], PLAIN.points, PLAIN.ground),
    ],
    ids=["no points", "few points", "no ground", "black", "white", "tiny"],
)
def test_poor_frames_still_have_a_light(image: Image, points: F32, ground: Bools) -> None:
    found = Street(image, points, ground).seed().lit
    assert np.isfinite(found.light.table()).all()
    assert (found.light.table()[1:] >= 0).all()
