from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.events import Event, Severity, compare_predictions
from snellen.vision.label_events import judge_labels
from snellen.vision.label_vector import LabelVector

scores = st.lists(st.floats(0, 1, width=32), min_size=4, max_size=4)


def vector(values: npt.ArrayLike) -> LabelVector:
    return LabelVector(np.asarray(values, np.float32))


def story(events: tuple[Event, ...]) -> list[tuple[str, int, int | None]]:
    return [(event.kind.value, event.label, event.new_label) for event in events]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([0.9, 0.1, 0.1], [0.9, 0.2, 0.1], []),
        ([0.9, 0.1, 0.1], [0.1, 0.1, 0.1], [("missing", 0, None)]),
        ([0.9, 0.1, 0.1], [0.9, 0.8, 0.1], [("extra", 1, None)]),
        ([0.9, 0.1, 0.1], [0.1, 0.8, 0.1], [("mismatch", 0, 1)]),
        ([0.9, 0.9, 0.1], [0.1, 0.4, 0.8], [("mismatch", 0, 2), ("missing", 1, None)]),
        ([0.1, 0.9, 0.1], [0.6, 0.4, 0.8], [("mismatch", 1, 2), ("extra", 0, None)]),
    ],
)
def test_what_became_of_the_labels(
    before: list[float], after: list[float], expected: list[tuple[str, int, int | None]]
) -> None:
    assert story(compare_predictions(vector(before), vector(after), score=0.5)) == expected


def test_a_label_near_the_threshold_is_borderline() -> None:
    [event] = compare_predictions(vector([0.55]), vector([0.45]), score=0.5)
    assert event.severity is Severity.BORDERLINE
    assert event.margin == pytest.approx(0.1, abs=1e-6)
    assert (event.score_before, event.score_after) == pytest.approx((0.55, 0.45))


@given(scores)
def test_identical_answers_have_no_events(values: list[float]) -> None:
    assert compare_predictions(vector(values), vector(values), score=0.5) == ()


@given(scores, scores)
def test_swapping_the_sides_swaps_missing_and_extra(one: list[float], other: list[float]) -> None:
    mirror = {"missing": "extra", "extra": "missing", "mismatch": "mismatch"}
    there = compare_predictions(vector(one), vector(other), score=0.5)
    back = compare_predictions(vector(other), vector(one), score=0.5)
    assert sorted((event.kind.value, event.margin) for event in there) == sorted(
        (mirror[event.kind.value], event.margin) for event in back
    )


def test_against_the_truth_the_margin_is_the_distance_to_the_threshold() -> None:
    events = judge_labels([True, False, True], vector([0.9, 0.95, 0.45]), score=0.5)
    assert story(events) == [("mismatch", 2, 1)]
    assert events[0].margin == pytest.approx(0.05, abs=1e-6)
    assert events[0].severity is Severity.BORDERLINE


def test_each_class_may_have_its_own_threshold() -> None:
    own = np.array([0.5, 0.99], np.float32)
    assert judge_labels([True, False], vector([0.9, 0.95]), score=own) == ()


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="have 1 and 2 classes"):
        compare_predictions(vector([0.5]), vector([0.5, 0.5]), score=0.5)
    with pytest.raises(ValueError, match="the truth has 1 classes, the answer 2"):
        judge_labels([True], vector([0.5, 0.5]), score=0.5)
