from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from snellen.vision.boxes.matching import overlaps
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind, Severity, compare_predictions
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.object_events import compare_detections
from tests.vision.generated_sets import Recipe, painted, recipes
from tests.vision.small_predictions import detections_of

CAR, TRUCK = 2, 7
BOX, ELSEWHERE = [10, 10, 60, 50], [200, 200, 250, 240]


def jittered(before: Detections, seed: int) -> Detections:
    """Another answer about the same scene, with slightly or very different objects."""
    rng = np.random.default_rng(seed)
    kept = before[np.flatnonzero(rng.random(len(before)) < 0.85)]
    labels = np.where(rng.random(len(kept)) < 0.85, kept.labels, rng.integers(0, 3, len(kept)))
    boxes = kept.boxes + rng.choice([0, 0, 5], (len(kept), 4)) * rng.normal(0, 1, (len(kept), 4))
    boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 1)
    scores = np.clip(
        kept.scores + rng.choice([0, 0.3], len(kept)) * rng.normal(0, 1, len(kept)), 0, 1
    )
    masks = painted(boxes.astype(np.float32)) if before.masks is not None else None
    return detections_of(boxes, labels, scores, masks)


def pairs_of(recipe: Recipe) -> list[tuple[Detections, Detections]]:
    answers, _ = recipe.build()
    return [(one, jittered(one, recipe.seed + k)) for k, one in enumerate(answers)]


def story(events: tuple[Event, ...]) -> list[tuple[str, int | None, int | None]]:
    return [(event.kind.value, event.before, event.after) for event in events]


@pytest.mark.parametrize(
    ("after", "kind", "margin", "severity"),
    [
        (detections_of([], [], []), "lost", 0.9, "hard"),
        (detections_of([BOX], [CAR], [0.45]), "lost", 0.45, "hard"),
        (detections_of([ELSEWHERE], [CAR], [0.45]), "lost", 0.9, "hard"),
        (detections_of([BOX], [TRUCK], [0.45]), "lost", 0.9, "hard"),
        (detections_of([BOX], [TRUCK], [0.8]), "relabelled", 0.8, "hard"),
        (detections_of([BOX, BOX], [TRUCK, CAR], [0.55, 0.45]), "relabelled", 0.1, "borderline"),
        (detections_of([[10, 30, 60, 70]], [CAR], [0.9]), "moved", 0.5 - 1 / 3, "hard"),
        (detections_of([[10, 24, 60, 64]], [CAR], [0.9]), "moved", 0.5 - 26 / 54, "borderline"),
    ],
)
def test_what_became_of_a_car_seen_at_0_9(
    after: Detections, kind: str, margin: float, severity: str
) -> None:
    [event] = compare_predictions(detections_of([BOX], [CAR], [0.9]), after, score=0.5)
    assert (event.kind, event.severity, event.label) == (kind, severity, CAR)
    assert event.margin == pytest.approx(margin, abs=1e-6)
    assert event.box == tuple(BOX)
    assert event.before == 0


def test_an_object_that_falls_just_under_the_threshold_is_borderline() -> None:
    [event] = compare_predictions(
        detections_of([BOX], [CAR], [0.501]), detections_of([BOX], [CAR], [0.499]), score=0.5
    )
    assert event.kind is EventKind.LOST
    assert event.margin == pytest.approx(0.002, abs=1e-6)
    assert event.severity is Severity.BORDERLINE


def test_the_hysteresis_is_reached_despite_float32() -> None:
    [event] = compare_predictions(
        detections_of([BOX], [CAR], [0.7]), detections_of([BOX], [CAR], [0.5]), score=0.6
    )
    assert (event.margin, event.severity) == (0.2, Severity.HARD)


def test_a_phantom_box_appears_even_where_all_else_is_the_same() -> None:
    before = detections_of([BOX], [CAR], [0.9])
    after = detections_of([BOX, ELSEWHERE], [CAR, CAR], [0.9, 0.6])
    [event] = compare_predictions(before, after, score=0.5)
    assert story((event,)) == [("appeared", None, 1)]
    assert (event.score_before, event.box) == (0, tuple(ELSEWHERE))
    assert event.score_after == pytest.approx(0.6)


def test_a_label_that_was_a_toss_up_before_is_borderline() -> None:
    before = detections_of([BOX, BOX], [CAR, TRUCK], [0.52, 0.49])
    [event] = compare_predictions(before, detections_of([BOX], [TRUCK], [0.9]), score=0.5)
    assert (event.kind, event.severity) == ("relabelled", "borderline")
    assert event.margin == pytest.approx(0.03, abs=1e-6)


def test_a_relabelled_object_is_not_also_lost_and_appeared() -> None:
    events = compare_predictions(
        detections_of([BOX], [CAR], [0.9]), detections_of([BOX], [TRUCK], [0.9]), score=0.5
    )
    assert story(events) == [("relabelled", 0, 0)]
    assert (events[0].label, events[0].new_label) == (CAR, TRUCK)


def test_a_second_object_of_another_label_at_the_same_place_appeared() -> None:
    after = detections_of([BOX, BOX], [CAR, TRUCK], [0.9, 0.8])
    events = compare_predictions(detections_of([BOX], [CAR], [0.9]), after, score=0.5)
    assert story(events) == [("appeared", None, 1)]


def test_close_neighbours_are_not_lost_to_an_unlucky_choice() -> None:
    # The detection with the better score overlaps both; the other only the second.
    before = detections_of([[0, 0, 100, 10], [40, 0, 140, 10]], [0, 0], [0.9, 0.8])
    after = detections_of([[25, 0, 125, 10], [60, 0, 160, 10]], [0, 0], [0.9, 0.8])
    assert compare_predictions(before, after, score=0.5) == ()


@pytest.mark.parametrize("order", [[0, 2, 1, 3], [1, 0, 3, 2]])
def test_swapped_axes_are_events(order: list[int]) -> None:
    box = np.array([[10, 100, 60, 130]], np.float32)
    assert compare_predictions(
        detections_of(box, [0], [0.9]), detections_of(box[:, order], [0], [0.9]), score=0.5
    )


@given(recipes(), st.sampled_from([0.0, 0.3, 0.5]))
def test_identical_predictions_have_no_events(recipe: Recipe, score: float) -> None:
    for answer in recipe.build()[0]:
        again = Detections(answer.boxes, answer.labels, answer.scores)
        assert compare_detections(answer, again, score=score) == ()
        assert compare_detections(answer, again.ranked(), score=score) == ()


def test_a_box_without_area_is_no_object() -> None:
    nothing, flat = Detections.empty(), detections_of([[5, 5, 5, 9]], [0], [0.9])
    assert compare_predictions(flat, nothing, score=0.5) == ()


MIRROR = {EventKind.LOST: EventKind.APPEARED, EventKind.APPEARED: EventKind.LOST}


@given(recipes())
@example(Recipe(11, 6, 3, 8, 12, 1, True, 0, 0))
@example(Recipe(1162, 4, 1, 4, 1, 1, True, 0, 0))
def test_swapping_the_sides_swaps_lost_and_appeared(recipe: Recipe) -> None:
    for before, after in pairs_of(recipe):
        there = compare_detections(before, after, score=0.4)
        back = compare_detections(after, before, score=0.4)
        for kind in (EventKind.LOST, EventKind.APPEARED, EventKind.MOVED, EventKind.RELABELLED):
            mine = [event for event in there if event.kind is kind]
            theirs = [event for event in back if event.kind is MIRROR.get(kind, kind)]
            assert {(one.before, one.after) for one in mine} == {
                (one.after, one.before) for one in theirs
            }
            assert sorted(one.margin for one in mine) == sorted(one.margin for one in theirs)


@given(recipes(), st.randoms(use_true_random=False))
def test_the_order_of_the_answers_does_not_matter(recipe: Recipe, random: object) -> None:
    def facts(events: tuple[Event, ...]) -> Counter[Event]:
        return Counter(replace(event, before=None, after=None) for event in events)

    for before, after in pairs_of(replace(recipe, decimals=6)):
        shuffled = after[np.random.default_rng(recipe.seed).permutation(len(after))]
        assert facts(compare_detections(before, after, score=0.4)) == facts(
            compare_detections(before, shuffled, score=0.4)
        )


@pytest.mark.parametrize("masks", [False, True])
@given(seed=st.integers(0, 10_000))
def test_events_follow_their_definitions(masks: bool, seed: int) -> None:
    recipe = Recipe(seed, 2, 3, 6, 4, 2, False, 0, 0, masks=masks)
    for before, after in pairs_of(recipe):
        events = compare_detections(before, after, score=0.4, masks=masks)
        check_definitions(before, after, events, masks)


def check_definitions(
    before: Detections, after: Detections, events: tuple[Event, ...], masks: bool
) -> None:
    """Every object is explained once, by the first rule that fits, and margins are as defined."""
    table = overlaps(before, after, masks=masks)
    old = {i for i in range(len(before)) if before.scores[i] >= np.float32(0.4)}
    new = {j for j in range(len(after)) if after.scores[j] >= np.float32(0.4)}
    changed_old = [event.before for event in events if event.before is not None]
    changed_new = [event.after for event in events if event.after is not None]
    assert len(set(changed_old)) == len(changed_old)
    assert len(set(changed_new)) == len(changed_new)
    assert set(changed_old) <= old
    assert set(changed_new) <= new
    # Objects without an event are matched one to one: as many on each side, each with a partner.
    same_old, same_new = old - set(changed_old), new - set(changed_new)
    assert len(same_old) == len(same_new)
    alike = before.labels[:, None] == after.labels[None, :]
    for i in same_old:
        assert any(alike[i, j] and table[i, j] >= 0.5 for j in same_new)
    by = {kind: [event for event in events if event.kind is kind] for kind in EventKind}
    for gone in changed_old:  # nothing that fits rule (a) is left on both sides
        assert not any(alike[gone, j] and table[gone, j] >= 0.5 for j in changed_new)
    rest_old = [e.before for e in (*by[EventKind.LOST], *by[EventKind.MOVED])]
    rest_new = [e.after for e in (*by[EventKind.APPEARED], *by[EventKind.MOVED])]
    for left in rest_old:  # nor anything that fits rule (b)
        assert not any(table[left, j] >= 0.5 for j in rest_new)
    for lost in by[EventKind.LOST]:  # nor anything that fits rule (c)
        for come in by[EventKind.APPEARED]:
            assert not (alike[lost.before, come.after] and table[lost.before, come.after] >= 0.1)
    below_old, below_new = set(range(len(before))) - old, set(range(len(after))) - new
    for e in by[EventKind.LOST]:
        rest = [
            after.scores[j] for j in below_new if alike[e.before, j] and table[e.before, j] >= 0.5
        ]
        assert e.margin == pytest.approx(before.scores[e.before] - max(rest, default=0), abs=1e-6)
        assert (e.severity is Severity.HARD) == (e.margin >= 0.2)
    for e in by[EventKind.APPEARED]:
        rest = [
            before.scores[i] for i in below_old if alike[i, e.after] and table[i, e.after] >= 0.5
        ]
        assert e.margin == pytest.approx(after.scores[e.after] - max(rest, default=0), abs=1e-6)
    for e in by[EventKind.RELABELLED]:
        assert table[e.before, e.after] >= 0.5
        assert not alike[e.before, e.after]
        rest = [
            after.scores[j] for j in below_new if alike[e.before, j] and table[e.before, j] >= 0.5
        ]
        hint = [
            before.scores[i] for i in below_old if alike[i, e.after] and table[i, e.after] >= 0.5
        ]
        leads = (
            before.scores[e.before] - max(hint, default=0),
            after.scores[e.after] - max(rest, default=0),
        )
        assert e.margin == pytest.approx(min(leads), abs=1e-6)
    for e in by[EventKind.MOVED]:
        assert alike[e.before, e.after]
        assert 0.1 <= table[e.before, e.after] < 0.5
        assert e.margin == pytest.approx(0.5 - table[e.before, e.after], abs=1e-6)
        assert (e.severity is Severity.HARD) == (e.margin >= 0.1)


def test_masks_see_what_boxes_do_not() -> None:
    lower = np.tri(40, dtype=bool)
    masks = [Masks.from_array(one[None]) for one in (lower, ~lower)]
    before, after = (detections_of([[0, 0, 40, 40]], [0], [0.9], one) for one in masks)
    assert compare_detections(before, after, score=0.5) == ()
    assert story(compare_detections(before, after, score=0.5, masks=True)) == [
        ("lost", 0, None),
        ("appeared", None, 0),
    ]


def test_predictions_of_two_kinds_are_refused() -> None:
    labels = LabelVector(np.zeros(3, np.float32))
    with pytest.raises(TypeError, match="found Detections and LabelVector"):
        compare_predictions(Detections.empty(), labels, score=0.5)
