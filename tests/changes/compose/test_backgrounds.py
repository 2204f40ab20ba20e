"""Backgrounds: the requested colours, and photographs that are not stretched."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.compose.backgrounds import background_image
from snellen.errors import UserError
from snellen.scenes.scene import PictureArray
from snellen.vision.arrays import Image
from tests.changes.pastes import noise


class Counted(PictureArray):
    """A picture that counts how often it is decoded."""

    asked = 0

    def pixels(self) -> Image:
        Counted.asked += 1
        return self.array


def photo(pixels: Image, width: int, height: int) -> Image:
    picture = PictureArray(pixels)
    digest = picture.digest()
    return background_image(f"photo:{digest}", width, height, {"backgrounds": {digest: picture}})


@given(colour=st.tuples(*[st.integers(0, 255)] * 3))
def test_a_plain_colour_is_that_colour_everywhere(colour: tuple[int, int, int]) -> None:
    image = background_image("#" + bytes(colour).hex(), 7, 5, {})
    assert image.shape == (5, 7, 3)
    assert (image == colour).all()
    image[0, 0] = 1  # a canvas is painted on
    assert (background_image("#" + bytes(colour).hex(), 7, 5, {}) == colour).all()


@pytest.mark.parametrize(
    ("degrees", "first", "second"),
    [
        ("0", (0, 0), (0, -1)),
        ("45", (0, 0), (-1, -1)),
        ("90", (0, 0), (-1, 0)),
        ("135", (0, -1), (-1, 0)),
        ("180", (0, -1), (0, 0)),
        ("-90", (-1, 0), (0, 0)),
    ],
)
def test_a_gradient_goes_from_the_first_colour_to_the_second(
    degrees: str, first: tuple[int, int], second: tuple[int, int]
) -> None:
    image = background_image(f"gradient:#0a141e:#c8d2dc:{degrees}", 40, 30, {})
    assert image[first].tolist() == [10, 20, 30]
    assert image[second].tolist() == [200, 210, 220]


def test_a_gradient_is_even() -> None:
    image = background_image("gradient:#000000:#ff0080:0", 256, 3, {})
    assert np.array_equal(image[1, :, 0], np.arange(256))
    assert np.array_equal(image[1, :, 2], np.floor(np.arange(256) * 128 / 255 + 0.5))


def test_a_photograph_is_cropped_to_its_middle_not_stretched() -> None:
    pixels = noise(4, 40, 100, 3)
    image = photo(pixels, 20, 20)
    middle = pixels[:, 30:70].reshape(20, 2, 20, 2, 3).mean(axis=(1, 3))
    assert np.abs(image - middle).max() <= 0.51
    upright = photo(pixels.swapaxes(0, 1), 20, 20)
    assert np.array_equal(upright, image.swapaxes(0, 1))


@given(
    own=st.tuples(st.integers(1, 60), st.integers(1, 60)),
    canvas=st.tuples(st.integers(1, 60), st.integers(1, 60)),
)
def test_a_photograph_of_any_size_fills_any_canvas(
    own: tuple[int, int], canvas: tuple[int, int]
) -> None:
    image = photo(np.full((*own, 3), 93, np.uint8), *canvas)
    assert image.shape == (canvas[1], canvas[0], 3)
    assert (image == 93).all()


def test_a_photograph_is_decoded_once_and_never_painted_on() -> None:
    picture = Counted(noise(5, 30, 30, 3))
    digest = picture.digest()
    materials = {"backgrounds": {digest: picture}}
    first = background_image(f"photo:{digest}", 30, 30, materials)
    first[...] = 0
    assert np.array_equal(background_image(f"photo:{digest}", 30, 30, materials), picture.array)
    assert Counted.asked == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "white",
        "#fff",
        "#gggggg",
        "#ffffff0",
        "photo:",
        "gradient",
        "gradient:#000000:#ffffff",
        "gradient:#000000:#ffffff:1:2",
        "gradient:#000000:#ffffff:up",
        "gradient:#000000:#ffffff:nan",
        "gradient:#000000:#fff:90",
    ],
)
def test_what_is_no_background_is_reported(text: str) -> None:
    with pytest.raises(UserError, match=r"unknown background .*; write #rrggbb"):
        background_image(text, 4, 4, {})


@pytest.mark.parametrize("materials", [{}, {"backgrounds": {}}])
def test_a_photograph_that_is_not_there_is_reported(materials: dict[str, object]) -> None:
    with pytest.raises(UserError, match="'abc123' as background, which is not among the 0 given"):
        background_image("photo:abc123", 4, 4, materials)
