"""Seams: an edge sharper than the scene counts, one as sharp does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.arrays import Bools, Bytes, Image
from snellen.vision.image_features.seams import seam, step_share


def plainly(image: Image, inside: Bools | None) -> float:
    """The definition, line by line."""
    steps, changes = 0, 0
    values = image.astype(int)
    height, width = image.shape[:2]
    for down in (True, False):
        for y in range(height - down):
            for x in range(width - (not down)):
                neighbour = (y + 1, x) if down else (y, x + 1)
                if inside is not None and inside[y, x] == inside[neighbour]:
                    continue
                at, line = (y, values[:, x]) if down else (x, values[y])
                part = line[max(at - 3, 0) : at + 5]
                near = line[max(at - 2, 0) : at + 4]
                steps += np.abs(np.diff(near, axis=0)).max()
                changes += (part.max(axis=0) - part.min(axis=0)).max()
    return steps / changes if changes else 0.0


@given(
    size=st.tuples(st.integers(1, 14), st.integers(1, 14)),
    seed=st.integers(0, 99),
    anywhere=st.booleans(),
)
def test_it_is_the_steepest_step_over_the_whole_change(
    size: tuple[int, int], seed: int, anywhere: bool
) -> None:
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, (*size, 3), dtype=np.uint8)
    inside = rng.random(size) > 0.6
    crossings = None if anywhere else (inside[1:] != inside[:-1], inside[:, 1:] != inside[:, :-1])
    expected = plainly(image, None if anywhere else inside)
    assert step_share(image, crossings) == pytest.approx(expected, abs=1e-12)


def disc_over(width: float, fringe: int = 0) -> tuple[Bytes, Bools]:
    """A light disc on a dark ground whose edge takes `width` pixels, with a fringe or without."""
    y, x = np.mgrid[:60, :60] - 29.5
    depth = 20 - np.hypot(y, x)
    light = np.clip(depth / width + 0.5, 0, 1) if width else depth > 0
    values = 60 + 100 * light + fringe * (np.abs(depth) < 1)
    return np.repeat(values[..., None], 3, axis=2).astype(np.uint8), depth > 0


def test_a_jump_is_seen_and_a_slope_is_not() -> None:
    values = [seam(*disc_over(width), normal=0.4) for width in (0, 1, 2, 3, 4)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1
    assert values[-1] == 0


def test_a_fringe_is_seen_although_both_sides_are_soft() -> None:
    assert seam(*disc_over(4), normal=0.4) == 0
    assert seam(*disc_over(4, fringe=90), normal=0.4) > 0.3


def test_a_scene_as_sharp_as_the_paste_hides_it() -> None:
    image, inside = disc_over(0)
    assert seam(image, inside, normal=1.0) == 0
    assert seam(image, inside, normal=0.9) == pytest.approx(1)


def test_a_shape_without_an_edge_in_the_image_has_no_seam() -> None:
    image, inside = disc_over(0)
    assert seam(image, np.ones_like(inside), normal=0.4) == 0
    assert step_share(np.full((9, 9, 3), 7, dtype=np.uint8)) == 0
