"""Random masks: those of D-RISE, the same for the same seed, and summed without full masks."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.vision.arrays import F32, Ints
from snellen.vision.saliency.heat_maps import heat_maps, weighted_sums
from snellen.vision.saliency.masked_image import masked_image
from snellen.vision.saliency.random_masks import (
    coarse_masks,
    saliency_mask,
)
from snellen.vision.saliency.significance import peak_p_values

SIZES = [((48, 64), (6, 8)), ((37, 53), (5, 7)), ((64, 20), (3, 11)), ((9, 9), (1, 1))]


def as_published(cells: F32, offset: Ints, size: tuple[int, int]) -> F32:
    """A mask as in the paper: OpenCV enlarges the cells to one cell more than the image."""
    rows, columns = cells.shape
    tall, wide = math.ceil(size[0] / rows), math.ceil(size[1] / columns)
    large = ((columns + 1) * wide, (rows + 1) * tall)
    up = cv2.resize(cells, large, interpolation=cv2.INTER_LINEAR)
    y, x = offset
    return np.asarray(up[y : y + size[0], x : x + size[1]])


@pytest.mark.parametrize(("size", "grid"), SIZES)
def test_masks_are_those_of_the_published_way(size: tuple[int, int], grid: tuple[int, int]) -> None:
    masks = coarse_masks(size, range(30), grid=grid)
    made = masks.enlarged()
    for index, mask in enumerate(made):
        expected = as_published(masks.cells[index], masks.offsets[index], size)
        assert mask.shape == expected.shape
        assert np.allclose(mask, expected, atol=1e-5)


def test_every_offset_of_a_cell_occurs_and_none_beyond() -> None:
    offsets = coarse_masks((40, 60), range(4000), grid=(8, 4)).offsets
    assert sorted(set(offsets[:, 0])) == list(range(6))
    assert sorted(set(offsets[:, 1])) == list(range(16))


def test_a_mask_is_a_function_of_its_seed_and_of_nothing_before_it() -> None:
    seeds = [2**53 - 1, 0, 17, 4, 99]
    apart = [saliency_mask((40, 50), seed) for seed in reversed(seeds)][::-1]
    together = coarse_masks((40, 50), seeds).enlarged()
    assert np.array_equal(apart, together)
    assert len({mask.tobytes() for mask in together}) == 5


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8])
def test_the_wanted_share_is_shown_at_every_pixel_even_at_the_edges(keep: float) -> None:
    masks = coarse_masks((32, 48), range(3000), grid=(4, 6), keep=keep).enlarged()
    assert masks.min() >= 0
    assert masks.max() <= 1
    worst = np.abs(masks.mean(axis=0) - keep).max()
    assert worst < 5 * math.sqrt(keep * (1 - keep) / 3000)


@given(st.integers(5, 60), st.integers(5, 60), st.integers(1, 9), st.integers(1, 9), st.integers())
@settings(max_examples=40)
def test_sums_of_masks_are_those_of_the_masks_themselves(
    height: int, width: int, rows: int, columns: int, seed: int
) -> None:
    rng = np.random.default_rng(abs(seed))
    masks = coarse_masks((height, width), range(25), grid=(rows, columns))
    weights = rng.normal(size=(3, 25)).astype(np.float32)
    expected = np.einsum("tn,nhw->thw", weights, masks.enlarged())
    assert np.allclose(weighted_sums(masks, weights), expected, atol=1e-4)


def test_many_targets_at_once_have_the_heat_of_each_alone() -> None:
    rng = np.random.default_rng(5)
    seeds, weights = range(40), rng.random((70, 40))
    together = heat_maps((30, 40), seeds, weights)
    assert together.shape == (70, 30, 40)
    for index in (0, 31, 32, 69):
        alone = heat_maps((30, 40), seeds, weights[index])
        assert np.allclose(alone[0], together[index], atol=1e-5)


def test_published_heat_is_the_weighted_sum_from_its_lowest_to_its_highest() -> None:
    rng = np.random.default_rng(6)
    seeds, weights = range(60), rng.random(60)
    masks = coarse_masks((30, 40), seeds).enlarged()
    total = np.tensordot(weights, masks, axes=1)
    expected = (total - total.min()) / (total.max() - total.min())
    [heat] = heat_maps((30, 40), seeds, weights, centred=False)
    assert np.allclose(heat, expected, atol=1e-4)
    apart = np.tensordot(weights - weights.mean(), masks, axes=1)
    [centred] = heat_maps((30, 40), seeds, weights)
    assert np.allclose(centred, np.maximum(apart, 0) / apart.max(), atol=1e-4)


def test_equal_answers_make_no_heat_and_no_number_that_is_none() -> None:
    seeds = range(50)
    for weight in (0.0, 0.25):
        assert not heat_maps((20, 20), seeds, np.full(50, weight)).any()


@pytest.mark.parametrize("fill", [(0, 0, 0), (255, 10, 128), (12.4, 99.5, 200.6)])
def test_an_image_is_seen_where_its_mask_shows_it(fill: tuple[float, float, float]) -> None:
    rng = np.random.default_rng(2)
    image = rng.integers(0, 256, (41, 57, 3), dtype=np.uint8)
    mask = saliency_mask((41, 57), 11, grid=(5, 4), keep=0.4)[..., None]
    expected = np.round(image * mask + np.array(fill) * (1 - mask))
    found = masked_image(image, 11, grid=(5, 4), keep=0.4, fill=fill).astype(int)
    assert np.abs(found - expected).max() <= 1
    assert np.mean(found != expected) < 0.01, "only where a level lies between two"


def test_an_image_that_is_no_whole_block_of_memory_is_masked_alike() -> None:
    image = np.random.default_rng(2).integers(0, 256, (40, 30, 3), dtype=np.uint8)
    assert np.array_equal(masked_image(image[:, ::-1], 3), masked_image(image[:, ::-1].copy(), 3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": (0, 5)}, "at least 1 pixel"),
        ({"grid": (0, 4)}, "at least 1 row"),
        ({"keep": 1.0}, "between 0 and 1"),
    ],
)
def test_impossible_masks_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        saliency_mask(**{"size": (9, 9), "seed": 1, **arguments})  # type: ignore[arg-type]


def _seeds(count: int, rng: np.random.Generator) -> list[int]:
    return [int(seed) for seed in rng.integers(0, 1 << 53, count)]


@pytest.mark.parametrize("grid", [(16, 16), (6, 10)])
@pytest.mark.parametrize("kind", ["any score", "seldom found", "a few large"])
def test_chance_is_called_heat_no_oftener_than_the_p_value_says(
    grid: tuple[int, int], kind: str
) -> None:
    rng = np.random.default_rng(11)
    values = []
    for _ in range(5):
        weights = rng.random((40, 150))
        if kind == "seldom found":
            weights *= rng.random((40, 150)) < 0.05
        if kind == "a few large":
            weights = np.exp(2 * rng.normal(size=(40, 150)))
        values.append(peak_p_values((120, 160), _seeds(150, rng), weights, grid=grid))
    share = np.mean(np.concatenate(values) <= 0.05)
    assert share <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / 200)


def test_weights_that_do_not_fit_the_masks_are_refused() -> None:
    with pytest.raises(ValueError, match="2 seeds, found 3 weights"):
        heat_maps((9, 9), [1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="finite"):
        heat_maps((9, 9), [1, 2], [0.1, np.nan])
