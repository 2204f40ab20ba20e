"""The network input is placed by its letterbox, with the values the network expects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.subjects.model_file.letterbox import InputFit, letterbox_of, letterboxed
from snellen.subjects.model_file.network import NetworkInput
from snellen.subjects.model_file.preprocessing import IMAGENET_MEAN, IMAGENET_STD, Preprocessing

sides = st.integers(8, 900)


@pytest.mark.parametrize("fit", list(InputFit))
@pytest.mark.parametrize("image", [(120, 300), (300, 120), (64, 64), (31, 500)])
@pytest.mark.parametrize("network", [(160, 160), (96, 160)])
def test_pixels_lie_where_the_frame_puts_their_box(
    fit: InputFit, image: tuple[int, int], network: tuple[int, int]
) -> None:
    height, width = image
    box = np.array([[width // 4, height // 4, width // 2, 3 * height // 4]], dtype=np.float32)
    pixels = np.zeros((*image, 3), dtype=np.uint8)
    x1, y1, x2, y2 = box[0].astype(int)
    pixels[y1:y2, x1:x2] = 255
    frame = letterbox_of(image, network, fit)
    shown = letterboxed(pixels, frame, pad=0)
    assert shown.shape == (*network, 3)
    rows, columns = np.nonzero(shown[:, :, 0] > 127)
    seen = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    np.testing.assert_allclose(seen, frame.to_network(box)[0], atol=1.01)


@given(sides, sides, sides, sides, st.sampled_from(list(InputFit)))
def test_the_way_into_the_network_and_back_changes_no_box(
    tall: int, wide: int, height: int, width: int, fit: InputFit
) -> None:
    frame = letterbox_of((tall, wide), (height, width), fit)
    boxes = np.array([[0, 0, wide, tall], [1.5, 2.5, wide / 2, tall / 3]], dtype=np.float32)
    np.testing.assert_allclose(frame.to_image(frame.to_network(boxes)), boxes, atol=0.05)
    shown = frame.to_network(boxes[:1])[0]
    assert shown.min() >= 0
    assert shown[2] <= width + 1e-3
    assert shown[3] <= height + 1e-3


@pytest.mark.parametrize("fit", list(InputFit))
def test_what_an_image_does_not_cover_is_padding(fit: InputFit) -> None:
    frame = letterbox_of((50, 100), (64, 64), fit)
    shown = letterboxed(np.zeros((50, 100, 3), dtype=np.uint8), frame, pad=114)
    covered = frame.content[0] * frame.content[1]
    assert (shown == 114).all(axis=2).sum() == 64 * 64 - covered


def test_a_letterboxed_image_keeps_its_shape_and_a_stretched_one_does_not() -> None:
    assert letterbox_of((100, 200), (64, 64), InputFit.CENTRE).content == (32, 64)
    assert letterbox_of((100, 200), (64, 64), InputFit.CENTRE).offset == (16, 0)
    assert letterbox_of((100, 200), (64, 64), InputFit.CORNER).offset == (0, 0)
    assert letterbox_of((100, 200), (64, 64), InputFit.STRETCH).content == (64, 64)


def test_numbers_are_scaled_then_centred_then_divided_by_channel() -> None:
    pixel = np.array([[[255, 128, 0]]], dtype=np.uint8)
    usual = Preprocessing(mean=IMAGENET_MEAN, std=IMAGENET_STD)
    expected = (np.array([255, 128, 0]) / 255 - IMAGENET_MEAN) / np.array(IMAGENET_STD)
    np.testing.assert_allclose(usual.numbers(pixel)[0, 0], expected, rtol=1e-5)


def test_bgr_networks_get_blue_first() -> None:
    red = np.zeros((4, 4, 3), dtype=np.uint8)
    red[..., 0] = 200
    frame = letterbox_of((4, 4), (4, 4), InputFit.STRETCH)
    assert Preprocessing(channels="bgr").pixels(red, frame)[0, 0].tolist() == [0, 0, 200]
    assert Preprocessing(channels="rgb").pixels(red, frame)[0, 0].tolist() == [200, 0, 0]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((1, 3, 8, 16), (2, 3, 8, 16)),
        ((1, 8, 16, 3), (2, 8, 16, 3)),
        ((None, None, None, 3), (2, 8, 16, 3)),
    ],
)
def test_channels_go_where_the_network_has_them(
    shape: tuple[int | None, ...], expected: tuple[int, ...]
) -> None:
    image = np.arange(8 * 16 * 3, dtype=np.float32).reshape(8, 16, 3)
    tensor = NetworkInput(shape, np.dtype(np.float32)).tensor([image, image + 1])
    assert tensor.shape == expected
    first = tensor[0] if expected[-1] == 3 else tensor[0].transpose(1, 2, 0)
    np.testing.assert_array_equal(first, image)


def test_a_quantised_input_stores_the_nearest_whole_number() -> None:
    spec = NetworkInput((1, 1, 1, 3), np.dtype(np.int8), (1 / 255, -128))
    tensor = spec.tensor([np.array([[[0.0, 1.0, 0.6]]], dtype=np.float32)])
    assert tensor.dtype == np.int8
    assert tensor.reshape(-1).tolist() == [-128, 127, 25]
