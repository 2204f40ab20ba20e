"""Shared by tests of pasting: a library in memory, scenes, cut-outs and a plain reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.library import Entry
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.arrays import F64, Bytes


class Shelf:
    """A library of a few cut-outs in memory."""

    def __init__(self, *cutouts: Cutout) -> None:
        self.cutouts = {cutout.id: cutout for cutout in cutouts}
        self.asked = 0

    def labels(self) -> tuple[str, ...]:
        return tuple(sorted({cutout.label for cutout in self.cutouts.values()}))

    def entries(self, label: str) -> Sequence[Entry]:
        return [
            Entry(c.id, label, c.size[1], c.size[0], int((c.pixels[..., 3] >= 128).sum()), 0)
            for c in self.cutouts.values()
            if c.label == label
        ]

    def cutout(self, id: str) -> Cutout:
        self.asked += 1
        return self.cutouts[id]


def scene_of(pixels: Bytes) -> Scene:
    pixels = pixels.view()
    pixels.flags.writeable = False  # as the engine hands it to a recipe
    return Scene("scene", PictureArray(pixels), (pixels.shape[0], pixels.shape[1]))


def noise(seed: int, *shape: int) -> Bytes:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def disc(
    height: int, width: int, colour: tuple[int, int, int], beneath: tuple[int, int, int]
) -> Cutout:
    """An ellipse of one colour; `beneath` is the colour under its transparent pixels."""
    y, x = (np.arange(n) + 0.5 - n / 2 for n in (height, width))
    inside = (y[:, None] / (height / 2)) ** 2 + (x[None] / (width / 2)) ** 2 < 1
    pixels = np.empty((height, width, 4), dtype=np.uint8)
    pixels[..., :3] = np.where(inside[..., None], colour, beneath)
    pixels[..., 3] = inside * 255
    return Cutout("disc", pixels)


def soft_noise(seed: int, height: int, width: int) -> Cutout:
    """Random colours under random alpha: nothing hides a wrong formula."""
    return Cutout("noise", noise(seed, height, width, 4))


def area_average(values: F64, length: int) -> F64:
    """The first axis shrunk to `length`, by the share of each old pixel in each new one."""
    old = values.shape[0]
    edges = np.arange(length + 1) * old / length
    first, last = np.arange(old), np.arange(old) + 1
    share = np.minimum(edges[1:, None], last) - np.maximum(edges[:-1, None], first)
    return np.tensordot(share.clip(0) * length / old, values, axes=1)


places = st.tuples(st.integers(-40, 70), st.integers(-40, 60))
sizes = st.tuples(st.integers(1, 45), st.integers(1, 45))
