"""Pictures show what was seen, where it was seen."""

from __future__ import annotations

import numpy as np

from snellen.pages.overlay import contact_sheet, draw_boxes, draw_prediction
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks

GREY = np.full((100, 160, 3), 128, dtype=np.uint8)
ONE = Detections(
    np.array([[40, 30, 80, 90]], dtype=np.float32), np.array([1]), np.array([0.7], np.float32)
)


def changed(image: np.ndarray) -> np.ndarray:
    return np.asarray((image != GREY).any(axis=2))


def test_a_box_is_drawn_on_its_edge_and_not_inside() -> None:
    drawn = changed(draw_boxes(GREY, ONE, ("cat", "dog")))
    assert drawn[60, 40]
    assert drawn[60, 80]
    assert drawn[90, 60]
    assert not drawn[50:80, 50:70].any()
    assert not changed(GREY).any(), "the image itself is left alone"


def test_a_mask_is_tinted() -> None:
    mask = np.zeros((1, 100, 160), dtype=bool)
    mask[0, 50:70, 50:70] = True
    masked = Detections(ONE.boxes, ONE.labels, ONE.scores, Masks.from_array(mask))
    assert changed(draw_boxes(GREY, masked, ("cat", "dog")))[50:70, 50:70].all()


def test_what_is_below_the_threshold_is_not_drawn() -> None:
    assert not changed(draw_prediction(GREY, ONE, ("cat", "dog"), 0.8)).any()


def test_labels_are_written() -> None:
    vector = LabelVector(np.array([0.9, 0.1], dtype=np.float32))
    assert changed(draw_prediction(GREY, vector, ("cat", "dog"), 0.5)).any()


def test_a_sheet_has_every_picture() -> None:
    sheet = contact_sheet([GREY, np.zeros((200, 100, 3), np.uint8)], width=80, gap=4)
    assert sheet.shape == (160 + 8, 2 * 84 + 4, 3)
    assert (sheet[10, 10] == 128).all()
    assert (sheet[10, 100] == 0).all()
