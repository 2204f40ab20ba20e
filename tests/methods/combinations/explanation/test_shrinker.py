"""Failing compositions are shrunk to the least that still fails; the run around it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.compose.compose import Compose
from snellen.contract.asked import Asked
from snellen.contract.questions import Question
from snellen.contract.verdict import Status
from snellen.vision.label_vector import LabelVector
from tests.methods.combinations.row_driver import (
    CLASSES,
    Rule,
    Traits,
    by_rule,
    examined,
    labels_of,
    method,
    scores,
)

ROW = (0, 1, 2, 3)


def found(rule: Rule, **options: Any) -> tuple[dict[str, Any], Any]:
    run = examined(method(ROW, **options), by_rule(rule))
    causes = run.verdict.notes["causes"]
    assert set(causes) == {
        str(n)
        for n, case in enumerate(run.verdict.cases)
        if case.status == Status.FAILING and n < 3
    }
    return causes, run


def told(cause: dict[str, Any]) -> list[tuple[str, str, str | None, str]]:
    return [
        (one["kind"], one["label"], one["new_label"], "".join(one["labels"]))
        for one in cause["minimal"]
    ]


def test_a_perfect_subject_is_asked_nothing_more() -> None:
    run = examined(method(ROW), by_rule(set))
    assert len(run.questions) == 3
    assert all(case.status == Status.HOLDS for case in run.verdict.cases)
    assert run.verdict.notes["causes"] == {}


def test_a_label_missed_beside_another_is_a_correlation_of_the_two() -> None:
    causes, run = found(lambda shown: set(shown - {"c"}) if "d" in shown else set(shown))
    assert len(causes) == 3
    for cause in causes.values():
        assert cause["cause"] == "correlation"
        assert told(cause) == [("missing", "c", None, "cd")]
        assert run.shown(cause["minimal"][0]["case"]) == {"c", "d"}


def test_a_label_missed_alone_is_a_single_object_error() -> None:
    causes, _ = found(lambda shown: set(shown - {"b"}))
    assert {cause["cause"] for cause in causes.values()} == {"single-object"}
    assert told(causes["0"]) == [("missing", "b", None, "b")]


def test_the_bare_background_is_asked_about_only_where_a_label_came_out_of_nowhere() -> None:
    """A label that is only missing cannot come from the background: asking would be wasted."""

    def bare(rule: Rule) -> int:
        run = examined(method(ROW), by_rule(rule))
        recipes = [one.recipe for one in run.questions]
        return sum(isinstance(one, Compose) and not one.placed for one in recipes)

    assert bare(lambda shown: set(shown - {"c"})) == 0
    assert bare(lambda shown: {*shown, "e"} if len(shown) > 1 else set(shown)) > 0


def test_a_label_out_of_nowhere_is_the_backgrounds() -> None:
    causes, _ = found(lambda shown: {*shown, "f"})
    assert {cause["cause"] for cause in causes.values()} == {"background"}
    assert told(causes["0"]) == [("extra", "f", None, "")]


def test_an_extra_label_beside_two_others_is_shrunk_to_them() -> None:
    causes, _ = found(lambda shown: {*shown, "f"} if {"a", "c"} <= shown else set(shown))
    assert causes["0"]["cause"] == "correlation"
    assert told(causes["0"]) == [("extra", "f", None, "ac")]


def test_a_confusion_is_shrunk_to_what_it_takes() -> None:
    def rule(shown: frozenset[str]) -> set[str]:
        return {*(shown - {"a"}), "e"} if {"a", "b"} <= shown else set(shown)

    causes, _ = found(rule)
    assert told(causes["0"]) == [("mismatch", "a", "e", "ab")]


def test_two_faults_that_look_like_a_confusion_are_told_apart() -> None:
    def rule(shown: frozenset[str]) -> set[str]:
        seen = set(shown)
        if {"c", "d"} <= shown:
            seen -= {"c"}
        return seen | {"f"} if {"a", "b"} <= shown else seen

    causes, run = found(rule)
    assert [event.kind.value for event in run.verdict.cases[0].events] == ["mismatch"]
    assert told(causes["0"]) == [("missing", "c", None, "cd"), ("extra", "f", None, "ab")]


def test_every_event_has_a_minimal_part_of_its_own() -> None:
    def rule(shown: frozenset[str]) -> set[str]:
        seen = set(shown)
        if {"c", "d"} <= shown:
            seen -= {"c"}
        return seen - {"b"}

    causes, _ = found(rule)
    assert causes["0"]["cause"] == "single-object"
    assert sorted(told(causes["0"])) == [
        ("missing", "b", None, "b"),
        ("missing", "c", None, "cd"),
    ]


def test_a_failure_that_takes_all_objects_stays_whole() -> None:
    causes, run = found(lambda shown: {*shown, "f"} if len(shown) == 4 else set(shown))
    assert causes["0"]["cause"] == "crowding"
    assert told(causes["0"]) == [("extra", "f", None, "abcd")]
    assert causes["0"]["minimal"][0]["case"] == 0
    assert run.verdict.cases[0].measurements["interaction"] == 1


MONOTONE = st.lists(
    st.tuples(
        st.sampled_from(["missing", "extra"]),
        st.sampled_from(CLASSES),
        st.sets(st.sampled_from(CLASSES[:4]), max_size=3),
    ),
    max_size=3,
)


@settings(max_examples=60, deadline=None)
@given(MONOTONE)
def test_taking_any_object_away_from_a_minimal_part_ends_the_event(
    faults: list[tuple[str, str, set[str]]],
) -> None:
    def rule(shown: frozenset[str]) -> set[str]:
        seen = set(shown)
        for kind, label, needed in faults:
            if needed <= shown:
                seen = seen - {label} if kind == "missing" else seen | {label}
        return seen

    def happens(kind: str, label: str, new: str | None, shown: frozenset[str]) -> bool:
        seen = rule(shown)
        gone = label in shown and label not in seen
        if kind == "extra":
            return label in seen - shown
        return gone if kind == "missing" else gone and new in seen - shown

    causes, _ = found(rule)
    for cause in causes.values():
        for kind, label, new, labels in told(cause):
            kept = frozenset(labels)
            assert happens(kind, label, new, kept)
            for one in kept:
                assert not happens(kind, label, new, kept - {one})


def test_parts_are_the_same_canvas_with_the_objects_where_they_were() -> None:
    _, run = found(lambda shown: set(shown - {"c"}) if "d" in shown else set(shown))
    for number, one in run.verdict.explanations.items():
        whole = run.verdict.cases[number].recipe
        alone = [rung.case for rung in one.rungs if rung.name.endswith(" alone")]
        assert len(alone) == 4
        for case in [*alone, one.smallest]:
            assert (case.role, case.parent) == ("part", number)
            assert (case.recipe.width, case.recipe.height) == (whole.width, whole.height)
            assert set(case.recipe.placed) < set(whole.placed)
            shown = {CLASSES[n] for n in np.flatnonzero(case.before.scores)}
            assert shown == labels_of(case.recipe)


def test_without_diagnosis_nothing_is_asked_of_parts() -> None:
    run = examined(method(ROW, diagnose=False), by_rule(lambda shown: set()))
    assert len(run.questions) == 3
    assert "causes" not in run.verdict.notes


@pytest.mark.parametrize("allowance", range(1, 90, 4))
def test_a_budget_is_kept_and_what_it_does_not_reach_is_unexplained(allowance: int) -> None:
    tested = method(ROW)
    rule = by_rule(lambda shown: set(shown - {"c"}) if "d" in shown else set(shown))
    run = examined(tested, rule, allowance)
    assert len(run.questions) <= allowance
    causes = run.verdict.notes["causes"]
    assert {one["cause"] for one in causes.values()} <= {"correlation", "unexplained"}
    assert len(causes) == run.verdict.notes["images"]


def test_a_borderline_score_is_no_failure_but_as_published_it_is() -> None:
    def answer(question: Question) -> LabelVector:
        vector = scores(set(labels_of(question.recipe)))  # type: ignore[arg-type]
        faint = vector.scores.copy()
        faint[1] = min(faint[1], 0.45)
        return LabelVector(faint)

    ours = examined(method(ROW), answer)
    assert {case.status for case in ours.verdict.cases} == {Status.BORDERLINE}
    published = examined(method(ROW, as_published=True), answer)
    assert published.verdict.cases[0].status == Status.FAILING
    assert published.verdict.notes["causes"]["0"]["minimal"][0]["labels"] == ["b"]


def test_a_failure_of_an_unsteady_subject_that_does_not_repeat_is_flaky() -> None:
    asked: dict[str, int] = {}

    def answer(question: Question) -> LabelVector:
        times = asked[question.recipe.digest] = asked.get(question.recipe.digest, 0) + 1
        shown = set(labels_of(question.recipe))  # type: ignore[arg-type]
        return scores(shown - {"a"} if times == 1 else shown)

    run = examined(method(ROW, Traits(deterministic=False)), answer)
    assert {case.status for case in run.verdict.cases} == {Status.FLAKY}
    assert sum(question.repeat > 0 for question in run.questions) == 6


def test_the_row_with_nothing_is_one_image() -> None:
    run = examined(method(()), by_rule(set))
    assert len(run.verdict.cases) == 1
    haunted = examined(method(()), by_rule(lambda shown: {"a"}))
    assert haunted.verdict.notes["causes"]["0"]["cause"] == "background"


def test_a_case_is_judged_again_by_its_truth() -> None:
    tested = method(ROW)
    run = examined(tested, by_rule(lambda shown: set(shown - {"c"})))
    [first, *_] = run.verdict.cases
    of = tested.units()[0].scene
    assert tested.judge(Asked.again(first, of, scores(set("abcd")))).status == Status.HOLDS
    again = tested.judge(Asked.again(first, of, scores(set("abd"))))
    assert [event.kind.value for event in again.events] == ["missing"]
