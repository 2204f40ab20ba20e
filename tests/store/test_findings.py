"""Which findings are shown, in what order, and what is marked on them."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.paste.insert import Insert
from snellen.errors import UserError
from snellen.pages.focus import focus
from snellen.pages.marks import Mark, Sides, inserted_box, sides, what_happened
from snellen.store.findings import EventRow, Finding, finding_of, findings, prediction, spread
from snellen.store.journal import journal_of
from snellen.vision.detections import Detections


def event(kind: str = "lost", margin: float = 0.5, *, hard: bool = True, **more: Any) -> EventRow:
    values: dict[str, Any] = {
        "kind": kind,
        "severity": "hard" if hard else "borderline",
        "name": "cat",
        "new_name": None,
        "margin": margin,
        "iou": 0.0,
        "score_before": 0.9,
        "score_after": 0.1,
        "before": 0,
        "after": None,
        "box": (10.0, 20.0, 30.0, 40.0),
    }
    return EventRow(**{**values, **more})


def finding(id: str, scene: str, *events: EventRow, **more: Any) -> Finding:
    values: dict[str, Any] = {
        "unit": 0,
        "number": 0,
        "role": "test",
        "status": "failing",
        "recipe": {"kind": "identity"},
        "measurements": {},
        "before": 0,
        "after": 1,
        "parent": None,
    }
    return Finding(**{**values, **more}, id=id, scene=scene, events=events)


def test_the_worst_come_first_and_flaky_ones_last() -> None:
    ranked = [
        finding("e", "s", event(margin=0.8)),
        finding("a", "s", event(margin=0.5)),
        finding("b", "s", event(margin=0.5)),
        finding("0", "s", event(margin=0.5), role="relocation"),
        finding("1", "s", event(margin=0.9, hard=False)),
        finding("2", "s"),
        finding("3", "s", event(margin=1.0), status="flaky"),
    ]
    shuffled = [ranked[n] for n in (3, 6, 1, 5, 0, 4, 2)]
    assert sorted(shuffled, key=lambda one: one.rank()) == ranked


def test_one_scene_does_not_take_all_the_pictures() -> None:
    loud = [finding(f"a{n}", "loud", event(margin=0.9)) for n in range(50)]
    quiet = [finding(f"b{n}", f"quiet{n}", event(margin=0.3)) for n in range(5)]
    chosen = spread(sorted(loud + quiet, key=lambda one: one.rank()), 8)
    assert chosen[0].id == "a0", "the very worst is there, and first"
    assert {one.scene for one in chosen} == {"loud", *(f"quiet{n}" for n in range(5))}
    assert [one.rank() for one in chosen] == sorted(one.rank() for one in chosen)


def test_rare_kinds_are_shown_too() -> None:
    many = [finding(f"a{n:02}", f"s{n}", event(margin=0.9)) for n in range(30)]
    rare = finding("z", "s99", event("moved", margin=0.1))
    assert rare in spread([*many, rare], 6)


def test_flaky_ones_are_shown_only_if_there_is_nothing_else() -> None:
    sound = [finding(f"a{n}", "s", event(margin=0.3)) for n in range(4)]
    flaky = finding("b", "other", event(margin=1.0), status="flaky")
    assert flaky not in spread([*sound, flaky], 4)
    assert spread([*sound, flaky], 9)[-1] == flaky


def test_findings_of_a_run_agree_with_its_view(runs: Any) -> None:
    with closing(journal_of(runs("insertion"))) as journal:
        found = findings(journal)
        seen = dict(journal.rows("SELECT id, margin FROM findings"))
        assert {one.id for one in found if one.role == "test"} == set(seen)
        for one in found:
            if one.role == "test":
                assert one.worst is not None
                assert one.worst.margin == seen[one.id]
        again = finding_of(journal, found[0].id[:8])
        assert (again.id, again.events) == (found[0].id, found[0].events)
        with pytest.raises(UserError, match="has no case 'nothing'"):
            finding_of(journal, "nothing")
        with pytest.raises(UserError, match="has no case"):
            finding_of(journal, "%")


def test_marks_say_what_is_lost_found_relabelled_and_moved() -> None:
    before = Detections(
        np.array([[10, 20, 30, 40], [50, 50, 60, 60], [70, 70, 90, 90]], np.float32),
        np.array([0, 0, 1]),
        np.array([0.9, 0.8, 0.7], np.float32),
    )
    after = Detections(
        np.array([[52, 52, 66, 66], [5, 5, 9, 9], [70, 70, 90, 90]], np.float32),
        np.array([0, 1, 1]),
        np.array([0.8, 0.6, 0.3], np.float32),
    )
    one = finding(
        "f",
        "s",
        event("lost"),
        event("moved", before=1, after=0, box=(50.0, 50.0, 60.0, 60.0)),
        event("appeared", before=None, after=1, name="dog", box=(5.0, 5.0, 9.0, 9.0)),
        recipe=Insert("dog-1", 1, 2, 3, 4).to_json(),
    )
    marked = sides(one, before, after, ("cat", "dog"), 0.5, "dog", size=(100, 100))
    assert [(mark.kind, mark.box) for mark in marked.before] == [
        ("kept", (70.0, 70.0, 90.0, 90.0)),
        ("lost", (10.0, 20.0, 30.0, 40.0)),
        ("moved", (50.0, 50.0, 60.0, 60.0)),
    ]
    assert [(mark.kind, mark.box, mark.dashed) for mark in marked.after] == [
        ("inserted", (1.0, 2.0, 4.0, 6.0), False),
        ("lost", (10.0, 20.0, 30.0, 40.0), True),
        ("moved", (50.0, 50.0, 60.0, 60.0), True),
        ("moved", (52.0, 52.0, 66.0, 66.0), False),
        ("appeared", (5.0, 5.0, 9.0, 9.0), False),
    ], "what scores below the threshold is no object"
    assert marked.kinds == ("inserted", "lost", "appeared", "moved", "kept")


def test_identity_puts_nothing_in() -> None:
    assert inserted_box({"kind": "identity"}) is None


def test_words_tell_borderline_from_hard() -> None:
    assert what_happened(event()) == "lost cat: score 0.90 to 0.10"
    assert what_happened(event(hard=False)).endswith("borderline")


@pytest.mark.parametrize(
    ("kind", "truth", "words"),
    [
        ("lost", "object", "lost cat: score 0.90 to 0.10"),
        ("lost", "duplicate", "lost second box on a cat: score 0.90 to 0.10"),
        ("lost", "mistake", "lost cat that was not there: score 0.90 to 0.10"),
        ("appeared", None, "new cat: score 0.10"),
        ("appeared", "phantom", "phantom cat: score 0.10"),
        ("appeared", "second-box", "second box on a cat: score 0.10"),
        ("appeared", "there-all-along", "cat that was there all along: score 0.10"),
    ],
)
def test_words_say_what_is_known_of_the_object(kind: str, truth: str | None, words: str) -> None:
    assert what_happened(event(kind, truth=truth)) == words


boxes = st.tuples(
    st.floats(-20, 620), st.floats(-20, 460), st.floats(1, 200), st.floats(1, 200)
).map(lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3]))


@given(st.lists(boxes, min_size=1, max_size=5))
def test_the_window_lies_in_the_scene_and_shows_what_happened(found: list[Any]) -> None:
    marked = Sides(tuple(Mark("lost", box, "") for box in found), ())
    x1, y1, x2, y2 = focus(marked, (480, 640))
    assert 0 <= x1 < x2 <= 640
    assert 0 <= y1 < y2 <= 480
    assert abs((x2 - x1) / (y2 - y1) - 4 / 3) < 0.02
    for left, top, right, bottom in found:
        assert x1 <= max(left, 0) + 1
        assert y1 <= max(top, 0) + 1
        assert x2 >= min(right, 640) - 1
        assert y2 >= min(bottom, 480) - 1


def test_a_case_without_a_reference_has_no_prediction_before(runs: Any) -> None:
    with closing(journal_of(runs("insertion"))) as journal:
        assert prediction(journal, None) is None
