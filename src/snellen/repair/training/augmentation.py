"""Examples as network input: resized, and varied at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from snellen.repair.training.example import Example
from snellen.repair.training.input_placement import InputPlacement
from snellen.repair.training.options import AugmentationOptions
from snellen.subjects.model_file.letterbox import InputFit, letterbox_of
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.vision.arrays import Bytes

Size = tuple[int, int]
HUES = 180  # OpenCV's 8-bit hue range, in steps of two degrees
PAD = Preprocessing().pad


def unaugmented(example: Example, size: Size, fit: InputFit) -> Example:
    """The example as the detector receives it in a test, in network pixels."""
    frame = letterbox_of(example.pixels.shape[:2], size, fit)
    return placed_example(example, InputPlacement(frame), visible=0.0)


def augmented(
    example: Example,
    size: Size,
    fit: InputFit,
    options: AugmentationOptions,
    rng: np.random.Generator,
) -> Example:
    """The example varied at random, in network pixels (height, width) = `size`.

    The number of random draws does not depend on the options, so that one option's value does not
    change another's effect.
    """
    flip, place, colour = rng.random(), rng.random(3), rng.uniform(-1, 1, 3)
    low, high = np.log(options.scale)
    moves = (2 * place[1:] - 1) * options.shift * np.array(size)
    view = InputPlacement(
        letterbox_of(example.pixels.shape[:2], size, fit),
        scale=float(np.exp(low + place[0] * (high - low))),
        shift=(float(moves[0]), float(moves[1])),
        flip=bool(flip < options.flip),
    )
    placed = placed_example(example, view, options.visible)
    hue, saturation, value = colour * (options.hue, options.saturation, options.value)
    pixels = recoloured(placed.pixels, hue, 1 + saturation, 1 + value)
    return replace(placed, pixels=pixels)


def placed_example(example: Example, view: InputPlacement, visible: float) -> Example:
    """The example at its placement in the network's input, boxes clipped at the edges."""
    height, width = view.frame.network
    placed = replace(
        example,
        pixels=view.pixels(example.pixels, PAD),
        boxes=view.boxes(example.boxes),
        ignored=view.boxes(example.ignored),
    )
    return placed.cut((0, 0, width, height), visible)


def mosaic(parts: Sequence[Example], rng: np.random.Generator, visible: float) -> Example:
    """A mosaic of four examples of one size, one in each quarter, clipped where they meet.

    They meet at a point drawn from the middle half; the n-th example contributes its own n-th
    quarter (top left, top right, bottom left, bottom right).
    """
    height, width = parts[0].pixels.shape[:2]
    x, y = np.rint((0.25 + rng.random(2) / 2) * (width, height)).astype(int).tolist()
    windows = [(0, 0, x, y), (x, 0, width, y), (0, y, x, height), (x, y, width, height)]
    pixels = np.empty_like(parts[0].pixels)
    pieces = []
    for part, window in zip(parts, windows, strict=True):
        left, top, right, bottom = window
        pixels[top:bottom, left:right] = part.pixels[top:bottom, left:right]
        pieces.append(part.cut(window, visible))
    return Example(
        pixels,
        np.concatenate([piece.boxes for piece in pieces]),
        np.concatenate([piece.labels for piece in pieces]),
        np.concatenate([piece.weights for piece in pieces]),
        np.concatenate([piece.ignored for piece in pieces]),
        any(piece.repair for piece in pieces),
    )


def recoloured(image: Bytes, hue: float, saturation: float, value: float) -> Bytes:
    """The picture with shifted hue (a fraction of a full turn) and scaled saturation and value.

    image: H x W x 3 uint8 RGB.

    >>> red = np.full((1, 1, 3), (200, 0, 0), dtype=np.uint8)
    >>> recoloured(red, 1 / 3, 1.0, 0.5).tolist()
    [[[0, 100, 0]]]
    """
    import cv2

    if (hue, saturation, value) == (0.0, 1.0, 1.0):
        return image
    levels = np.arange(256)
    table = np.stack(
        [
            (levels + round(hue * HUES)) % HUES,
            np.clip(np.rint(levels * saturation), 0, 255),
            np.clip(np.rint(levels * value), 0, 255),
        ],
        axis=-1,
    ).astype(np.uint8)
    turned = cv2.LUT(cv2.cvtColor(image, cv2.COLOR_RGB2HSV), table[None])
    return np.asarray(cv2.cvtColor(turned, cv2.COLOR_HSV2RGB))
