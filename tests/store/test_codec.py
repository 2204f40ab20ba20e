"""A stored prediction is the one that was judged."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from snellen.store.codec import prediction_from_text, prediction_to_text
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks

coordinate = st.floats(0, 4000, width=32)
score = st.floats(0, 1, width=32)


@st.composite
def detections(draw: st.DrawFn) -> Detections:
    count = draw(st.integers(0, 6))
    boxes = draw(hnp.arrays(np.float32, (count, 4), elements=coordinate))
    labels = draw(hnp.arrays(np.int64, count, elements=st.integers(0, 90)))
    scores = draw(hnp.arrays(np.float32, count, elements=score))
    masks = draw(st.none() | hnp.arrays(np.bool_, (count, 5, 7)))
    return Detections(boxes, labels, scores, None if masks is None else Masks.from_array(masks))


@given(detections())
def test_detections_survive(prediction: Detections) -> None:
    rounded = prediction.rounded()
    assert prediction_from_text(prediction_to_text(rounded)) == rounded


@given(hnp.arrays(np.float32, st.integers(0, 90), elements=score))
def test_label_vectors_survive(scores: np.ndarray) -> None:
    rounded = LabelVector(scores).rounded()
    assert prediction_from_text(prediction_to_text(rounded)) == rounded


@given(detections())
def test_rounding_twice_is_rounding_once(prediction: Detections) -> None:
    assert prediction.rounded().rounded() == prediction.rounded()


@st.composite
def solids(draw: st.DrawFn) -> Detections3D:
    count = draw(st.integers(0, 6))
    boxes = draw(hnp.arrays(np.float64, (count, 7), elements=st.floats(-120, 120)))
    labels = draw(hnp.arrays(np.int64, count, elements=st.integers(0, 8)))
    scores = draw(hnp.arrays(np.float32, count, elements=score))
    shown = draw(hnp.arrays(np.float32, (count, 4), elements=coordinate))
    return Detections3D(boxes, labels, scores, shown)


@given(solids())
def test_solid_detections_survive(prediction: Detections3D) -> None:
    rounded = prediction.rounded()
    assert prediction_from_text(prediction_to_text(rounded)) == rounded
    assert rounded.rounded() == rounded
