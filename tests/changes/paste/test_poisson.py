"""Poisson blending: the result of OpenCV's seamless clone, without its gaps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from scipy import sparse
from scipy.sparse.linalg import spsolve

from snellen.changes.paste.insert import Insert
from snellen.changes.paste.poisson import poisson
from snellen.objects.cutouts.cutout import Cutout
from snellen.vision.arrays import F64, Bools, Bytes
from tests.changes.pastes import Shelf, disc, noise, scene_of, soft_noise


def solved_plainly(
    target: Bytes,
    colours: Bytes,
    inside: Bools,
) -> F64:
    """Least squares over all pairs of neighbours, by a sparse solver."""
    height, width = inside.shape
    number = np.arange(height * width).reshape(height, width)
    rows: list[tuple[int, int | None]] = []
    wanted: list[float] = []
    difference = (colours.astype(float) - target)[..., 0]
    for y in range(height):
        for x in range(width):
            for v, u in ((y, x + 1), (y + 1, x)):
                if v < height and u < width:
                    rows.append((int(number[y, x]), int(number[v, u])))
                    both = inside[y, x] and inside[v, u]
                    wanted.append(difference[v, u] - difference[y, x] if both else 0.0)
            borders = (x == 0) + (y == 0) + (x == width - 1) + (y == height - 1)
            rows += [(int(number[y, x]), None)] * borders
            wanted += [0.0] * borders
    matrix = sparse.lil_matrix((len(rows), number.size))
    for row, (one, other) in enumerate(rows):
        matrix[row, one] = -1
        if other is not None:
            matrix[row, other] = 1
    plain = matrix.tocsr()
    field = spsolve((plain.T @ plain).tocsc(), plain.T @ np.array(wanted))
    return np.asarray(target[..., 0] + field.reshape(height, width))


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (2, 3), (12, 17), (25, 11)])
def test_it_is_the_least_squares_fit_to_the_wanted_gradients(size: tuple[int, int]) -> None:
    target = noise(1, *size, 3) // 4 + 90
    colours = noise(2, *size, 3) // 4 + 60
    inside = noise(3, *size) > 70
    expected = solved_plainly(target, colours, inside)
    assert np.abs(poisson(target, colours, inside)[..., 0] - expected).max() <= 0.5 + 1e-6


def test_it_agrees_with_opencv_where_opencv_can(shared: Callable[[str], Path]) -> None:
    import cv2

    photos = sorted(shared("coco_val64/images").glob("*.jpg"))[:4]
    for scene_path, object_path in zip(photos[:2], photos[2:], strict=True):
        scene, other = (np.array(Pillow.open(p).convert("RGB")) for p in (scene_path, object_path))
        patch = np.ascontiguousarray(other[40:161, 60:201])
        inside = disc(121, 141, (1, 1, 1), (0, 0, 0)).pixels[..., 3] > 0
        inside[[0, -1]] = inside[:, [0, -1]] = False
        ys, xs = np.nonzero(inside)
        box = slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1)
        height, width = inside[box].shape
        mask = inside.astype(np.uint8) * 255
        x, y = 100, 80
        centre = x + width // 2, y + height // 2
        theirs = cv2.seamlessClone(patch, scene, mask.copy(), centre, cv2.NORMAL_CLONE)
        kept = cv2.erode(mask[box], np.ones((3, 3), np.uint8), iterations=3) > 0
        target = scene[y : y + height, x : x + width]
        inner = slice(1, -1), slice(1, -1)  # OpenCV holds the rectangle's own border fixed
        ours = poisson(target[inner], patch[box][inner], kept[inner])
        there = theirs[y : y + height, x : x + width][inner]
        difference = np.abs(ours.astype(int) - there)
        assert difference.mean() < 2
        assert difference.mean() < 0.1 * np.abs(there.astype(int) - target[inner]).mean()


@pytest.mark.parametrize("place", [(0, 0), (58, 0), (0, 44), (70, 50), (-6, -5)])
def test_an_object_at_the_border_is_pasted(place: tuple[int, int]) -> None:
    cutout = soft_noise(6, 20, 26)
    scene = scene_of(noise(7, 60, 80, 3))
    image = Insert(cutout.id, *place, 22, 16, "poisson").build(scene, {"objects": Shelf(cutout)})
    assert (image != scene.pixels()).any()


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (3, 3), (6, 6), (80, 60), (120, 90)])
def test_tiny_objects_and_ones_as_large_as_the_scene_are_pasted(size: tuple[int, int]) -> None:
    cutout = soft_noise(6, 20, 26)
    scene = scene_of(np.full((60, 80, 3), 90, dtype=np.uint8))
    image = Insert(cutout.id, 0, 0, *size, "poisson").build(scene, {"objects": Shelf(cutout)})
    assert image.shape == (60, 80, 3)
    assert (image != 90).any() or size in ((1, 1), (2, 1)), "too few pixels for a gradient"


def test_an_object_takes_on_the_light_of_the_place() -> None:
    """A smooth grey object in a bright scene becomes bright; its texture stays."""
    texture = noise(9, 40, 40, 1) // 8
    pixels = np.concatenate([np.repeat(60 + texture, 3, 2), np.full((40, 40, 1), 255)], 2)
    cutout = Cutout("thing", pixels.astype(np.uint8))
    scene = scene_of(np.full((80, 80, 3), 200, dtype=np.uint8))
    image = Insert(cutout.id, 20, 20, 40, 40, "poisson").build(scene, {"objects": Shelf(cutout)})
    inner = image[30:50, 30:50, 0].astype(float)
    assert inner.mean() == pytest.approx(200, abs=8)
    assert np.corrcoef(inner.ravel(), texture[10:30, 10:30, 0].ravel())[0, 1] > 0.99
