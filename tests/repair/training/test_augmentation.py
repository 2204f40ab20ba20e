from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from snellen.repair.training.augmentation import augmented, mosaic, recoloured, unaugmented
from snellen.repair.training.example import Example
from snellen.repair.training.options import NO_AUGMENTATION, AugmentationOptions
from snellen.subjects.model_file.letterbox import InputFit, letterbox_of, letterboxed

SIZE = (120, 160)
MARKER = 255


def marked(size: tuple[int, int], box: tuple[int, int, int, int], ignored: bool = False) -> Example:
    """A dark picture with a bright rectangle where the box is."""
    pixels = np.full((*size, 3), 20, dtype=np.uint8)
    left, top, right, bottom = box
    pixels[top:bottom, left:right] = MARKER
    boxes = np.array([box], dtype=np.float32)
    none = np.zeros((0, 4), np.float32)
    if ignored:
        return Example(pixels, none, np.zeros(0, np.int64), np.zeros(0, np.float32), boxes)
    return Example(pixels, boxes, np.array([1]), np.ones(1, np.float32), none)


def where_bright(pixels: np.ndarray) -> np.ndarray:
    """The box of what is brighter than half the marker, xyxy half-open; read off the pixels."""
    rows, columns = np.nonzero(pixels.max(axis=2) > 137)
    return np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1], dtype=float)


boxes = st.tuples(
    st.integers(5, 60), st.integers(5, 50), st.integers(20, 80), st.integers(20, 60)
).map(lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3]))
geometry = st.builds(
    AugmentationOptions,
    flip=st.sampled_from([0.0, 0.5, 1.0]),
    scale=st.sampled_from([(1.0, 1.0), (0.5, 0.6), (1.0, 2.0), (0.7, 1.4)]),
    shift=st.sampled_from([0.0, 0.1, 0.4]),
    hue=st.just(0.0),
    saturation=st.just(0.0),
    value=st.just(0.0),
    visible=st.sampled_from([0.0, 0.3, 0.9]),
)


@given(
    box=boxes,
    size=st.sampled_from([(120, 160), (140, 150), (240, 200)]),
    fit=st.sampled_from(InputFit),
    options=geometry,
    seed=st.integers(0, 10**6),
)
def test_a_box_stays_on_its_object_whatever_is_done_to_the_picture(
    box: tuple[int, int, int, int],
    size: tuple[int, int],
    fit: InputFit,
    options: AugmentationOptions,
    seed: int,
) -> None:
    shown = augmented(marked(size, box), SIZE, fit, options, np.random.default_rng(seed))
    assert shown.pixels.shape == (*SIZE, 3)
    found = np.concatenate([shown.boxes, shown.ignored])
    assert len(found) <= 1
    if not len(found):
        assert (shown.pixels < 137).all()
        return
    assume(((found[0, 2:] - found[0, :2]) > 3).all())
    # Half the marker's brightness lies within a pixel of the edge, more where it is magnified.
    assert np.abs(where_bright(shown.pixels) - found[0]).max() <= 1.0
    assert len(shown.labels) == len(shown.weights) == len(shown.boxes)


@given(box=boxes, seed=st.integers(0, 10**6), visible=st.sampled_from([0.0, 0.3, 0.7, 1.0]))
def test_an_object_that_is_mostly_cut_off_is_ignored_not_background(
    box: tuple[int, int, int, int], seed: int, visible: float
) -> None:
    options = AugmentationOptions(shift=0.9, scale=(1, 1), visible=visible, value=0)
    shown = augmented(
        marked(SIZE, box), SIZE, InputFit.STRETCH, options, np.random.default_rng(seed)
    )
    whole = (box[2] - box[0]) * (box[3] - box[1])
    kept, dropped = (
        [(b[2] - b[0]) * (b[3] - b[1]) / whole for b in part]
        for part in (shown.boxes, shown.ignored)
    )
    assert all(share >= visible - 1e-5 for share in kept)
    assert all(0 < share < visible + 1e-5 for share in dropped)


def test_ignored_regions_move_with_the_picture() -> None:
    options = AugmentationOptions(
        flip=1, scale=(1.2, 1.2), shift=0.05, hue=0, saturation=0, value=0
    )
    box = (40, 30, 80, 70)
    shown = augmented(
        marked(SIZE, box, ignored=True), SIZE, InputFit.STRETCH, options, np.random.default_rng(3)
    )
    assert not len(shown.boxes)
    assert np.abs(where_bright(shown.pixels) - shown.ignored[0]).max() <= 1.0


@pytest.mark.parametrize("fit", list(InputFit))
def test_without_augmentation_a_picture_is_what_the_detector_sees_when_tested(
    fit: InputFit,
) -> None:
    rng = np.random.default_rng(1)
    pixels = rng.integers(0, 256, (90, 133, 3)).astype(np.uint8)
    box = np.array([[10, 20, 60, 80]], np.float32)
    example = Example(
        pixels, box, np.array([0]), np.ones(1, np.float32), np.zeros((0, 4), np.float32)
    )
    frame = letterbox_of((90, 133), SIZE, fit)
    for shown in (
        unaugmented(example, SIZE, fit),
        augmented(example, SIZE, fit, NO_AUGMENTATION, rng),
    ):
        np.testing.assert_array_equal(shown.pixels, letterboxed(pixels, frame, 114))
        np.testing.assert_allclose(shown.boxes, frame.to_network(box), atol=1e-4)


def test_augmentation_is_decided_by_the_generator_alone() -> None:
    example, options = marked(SIZE, (20, 20, 70, 60)), AugmentationOptions()
    one, two, other = (
        augmented(example, SIZE, InputFit.STRETCH, options, np.random.default_rng(seed)).pixels
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


def test_one_options_value_does_not_change_anothers_outcome() -> None:
    example = marked(SIZE, (20, 20, 70, 60))
    shown = [
        augmented(
            example, SIZE, InputFit.STRETCH, AugmentationOptions(hue=hue), np.random.default_rng(5)
        ).boxes
        for hue in (0.0, 0.5)
    ]
    np.testing.assert_array_equal(shown[0], shown[1])


def test_flips_come_as_often_as_asked() -> None:
    example = marked(SIZE, (10, 20, 40, 60))
    options = NO_AUGMENTATION.model_copy(update={"flip": 0.25})
    rng = np.random.default_rng(11)
    flipped = sum(
        augmented(example, SIZE, InputFit.STRETCH, options, rng).boxes[0, 0] > 80
        for _ in range(400)
    )
    assert 70 <= flipped <= 130  # 100 expected, deviation 8.7


def test_recolouring_agrees_with_the_colour_model_by_hand() -> None:
    """Reference: the standard library's colorsys, whole numbers aside."""
    import colorsys

    rng = np.random.default_rng(2)
    pixels = rng.integers(40, 216, (1, 200, 3)).astype(np.uint8)
    got = recoloured(pixels, 0.1, 0.8, 1.1).astype(int)[0]
    wanted = []
    for red, green, blue in pixels[0] / 255:
        hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
        turned = colorsys.hsv_to_rgb((hue + 0.1) % 1, min(1, saturation * 0.8), min(1, value * 1.1))
        wanted.append(np.array(turned) * 255)
    assert np.abs(got - np.array(wanted)).max() <= 6  # hue is kept in steps of two degrees


def test_a_mosaic_shows_a_quarter_of_each_with_its_boxes_cut() -> None:
    rng = np.random.default_rng(4)
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 250, 0)]
    parts = []
    for label, colour in enumerate(colours):
        example = marked((100, 100), (10, 10, 90, 90))
        pixels = np.where(example.pixels == MARKER, np.array(colour, np.uint8), 0).astype(np.uint8)
        parts.append(
            Example(pixels, example.boxes, np.array([label]), example.weights, example.ignored)
        )
    shown = mosaic(parts, rng, visible=0.0)
    assert shown.labels.tolist() == [0, 1, 2, 3]
    for label, colour in enumerate(colours):
        rows, columns = np.nonzero((shown.pixels == colour).all(axis=2))
        found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
        assert found == shown.boxes[label].tolist()


def test_a_quarter_with_too_little_of_its_object_is_ignored_there() -> None:
    part = marked((100, 100), (10, 10, 90, 90))
    shown = mosaic([part] * 4, np.random.default_rng(4), visible=0.99)
    assert not len(shown.boxes)
    assert len(shown.ignored) == 4


def test_opencvs_warp_and_its_resize_agree_where_both_can_do_it() -> None:
    """A view by a hair off the plain one gives the plain one's pixels, but for rounding."""
    photo = cv2.GaussianBlur(
        np.random.default_rng(0).integers(0, 256, (80, 100, 3)).astype(np.uint8), (0, 0), 3
    )
    example = Example(
        photo,
        np.zeros((0, 4), np.float32),
        np.zeros(0, np.int64),
        np.zeros(0, np.float32),
        np.zeros((0, 4), np.float32),
    )
    options = NO_AUGMENTATION.model_copy(update={"shift": 1e-6})
    near = augmented(example, SIZE, InputFit.STRETCH, options, np.random.default_rng(1)).pixels
    exact = unaugmented(example, SIZE, InputFit.STRETCH).pixels
    inner = (slice(2, -2), slice(2, -2))
    assert np.abs(near[inner].astype(int) - exact[inner].astype(int)).max() <= 2


def test_a_flipped_picture_is_the_plain_one_mirrored() -> None:
    photo = np.random.default_rng(3).integers(0, 256, (*SIZE, 3)).astype(np.uint8)
    none = np.zeros((0, 4), np.float32)
    example = Example(photo, none, np.zeros(0, np.int64), np.zeros(0, np.float32), none)
    options = NO_AUGMENTATION.model_copy(update={"flip": 1.0})
    shown = augmented(example, SIZE, InputFit.STRETCH, options, np.random.default_rng(1)).pixels
    np.testing.assert_array_equal(shown, photo[:, ::-1])
