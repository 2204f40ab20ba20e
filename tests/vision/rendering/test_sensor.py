"""The camera of an image: planted noise and blur are recovered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from snellen.vision.arrays import F64, Bytes
from snellen.vision.rendering.sensor import ENCODED, LINEAR, Sensor, measured_sensor


def colours(values: F64) -> Bytes:
    return np.repeat(np.clip(values + 0.5, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def hills(seed: int = 0) -> F64:
    """An image of soft slopes with all brightnesses and no edges."""
    coarse = np.random.default_rng(seed).uniform(20, 220, (6, 20))
    fine = cv2.resize(coarse, (1242, 375), interpolation=cv2.INTER_CUBIC)
    return np.clip(np.asarray(fine, dtype=np.float64), 8, 240)


def squares(blur: float) -> F64:
    """An image of rotated squares with sharp edges, blurred by this many pixels."""
    values = (np.random.default_rng(1).random((40, 130)) > 0.5) * 150.0 + 40.0
    fine = np.kron(values, np.ones((40, 40)))
    turn = cv2.getRotationMatrix2D((100, 100), 7, 1)
    fine = cv2.warpAffine(fine, turn, fine.shape[::-1], flags=cv2.INTER_NEAREST)
    fine = cv2.GaussianBlur(fine, (0, 0), 4 * blur) if blur else fine
    return np.asarray(cv2.resize(fine, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("noise", [0.5, 1.0, 2.0, 4.0])
def test_even_noise_is_found(noise: float) -> None:
    rng = np.random.default_rng(2)
    sensor = measured_sensor(colours(hills() + rng.normal(0, noise, (375, 1242))))
    for value in (30.0, 100.0, 200.0):
        found = sensor.noise(np.array([value], dtype=np.float32))
        assert found == pytest.approx(noise, rel=0.12)


def test_a_camera_whose_noise_grows_with_brightness_is_linear() -> None:
    rng, mean = np.random.default_rng(3), hills()
    image = colours(mean + np.sqrt(0.1 + 0.03 * mean) * rng.standard_normal(mean.shape))
    sensor = measured_sensor(image, contrast=2.6)
    for value in (40.0, 200.0):
        found = sensor.noise(np.array([value], dtype=np.float32))
        assert found == pytest.approx(np.sqrt(0.1 + 0.03 * value), rel=0.15)
    assert sensor.gamma == LINEAR
    assert measured_sensor(colours(mean), contrast=2.0).gamma == ENCODED


def test_a_picture_without_noise_has_none() -> None:
    sensor = measured_sensor(colours(hills()))
    assert (sensor.floor, sensor.gain) == (0.0, 0.0)


def test_texture_is_not_taken_for_noise() -> None:
    mean = hills()
    mean[:, 400:900] += 25 * np.random.default_rng(4).standard_normal((375, 500))
    image = colours(mean + np.random.default_rng(5).normal(0, 1.0, mean.shape))
    assert measured_sensor(image).noise(np.array([120.0], np.float32)) == pytest.approx(1, rel=0.2)


@pytest.mark.parametrize("blur", [0.0, 0.3, 0.5, 0.7, 1.0])
def test_blur_is_found(blur: float) -> None:
    assert measured_sensor(colours(squares(blur))).blur == pytest.approx(blur, abs=0.13)


def test_light_is_undone_by_the_response() -> None:
    sensor = measured_sensor(colours(hills()))
    values = np.array([0.0, 64.0, 255.0])
    np.testing.assert_allclose(255 * sensor.light(values) ** (1 / sensor.gamma), values, atol=1e-9)


@pytest.mark.parametrize("gamma", [ENCODED, LINEAR])
def test_bytes_have_the_light_of_their_values(gamma: float) -> None:
    values = np.random.default_rng(6).integers(0, 256, (50, 3))
    sensor = Sensor(gamma)
    assert (sensor.light(values.astype(np.uint8)) == sensor.light(values.astype(float))).all()
