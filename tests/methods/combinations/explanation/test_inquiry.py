"""Planted causes are named rightly, with evidence; noise is never called an interaction."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest

from snellen.changes.compose.compose import Compose
from snellen.contract.explanation import Explanation
from snellen.contract.questions import Question
from snellen.methods.combinations.composition.object_shapes import shape_at
from snellen.methods.combinations.explanation.cause import INTERACTIONS
from snellen.methods.combinations.explanation.row_verdict import struck_labels
from snellen.vision.label_vector import LabelVector
from tests.methods.combinations.row_driver import (
    CLASSES,
    LABELS,
    Examined,
    examined,
    labels_of,
    library,
    method,
    scores,
)

Fault = Callable[[Compose], set[str]]
"""From a composition to the labels that the subject outputs for it."""
ROWS = [(0, 1), (0, 1, 2), (0, 1, 2, 3)]
WHITE = "#ffffff"
OBJECTS = library()


def asked_of(fault: Fault) -> Callable[[Question], LabelVector]:
    def answer(question: Question) -> LabelVector:
        assert isinstance(question.recipe, Compose)
        return scores(fault(question.recipe))

    return answer


def explained(
    fault: Fault, rows: list[tuple[int, ...]] = ROWS, **options: Any
) -> Iterator[tuple[Examined, int, Explanation]]:
    for row in rows:
        run = examined(method(row, images=6, **options), asked_of(fault))
        for number, one in run.verdict.explanations.items():
            yield run, number, one


def masks(recipe: Compose, *labels: str) -> list[Any]:
    """The shape of each object of these labels on the canvas; empty unless all are there."""
    found = {}
    for id, x, y, width, height in recipe.placed:
        mask = np.zeros((recipe.height, recipe.width), np.uint8)
        mask[y : y + height, x : x + width] = shape_at(OBJECTS, id, width, height)
        found[LABELS[id]] = mask
    return [found[label] for label in labels] if found.keys() >= set(labels) else []


def touch(recipe: Compose) -> bool:
    """Whether a and b are at most 2 pixels apart."""
    found = masks(recipe, "a", "b")
    return bool(found) and bool((cv2.dilate(found[0], np.ones((5, 5))) & found[1]).any())


def overlap(recipe: Compose) -> bool:
    """Whether one of a and b covers a hundredth of the other."""
    found = masks(recipe, "a", "b")
    return bool(found) and (found[0] & found[1]).sum() > 0.01 * min(one.sum() for one in found)


def without_a(when: Callable[[Compose], bool]) -> Fault:
    return lambda recipe: set(labels_of(recipe)) - ({"a"} if when(recipe) else set())


def with_f(when: Callable[[Compose], bool]) -> Fault:
    return lambda recipe: set(labels_of(recipe)) | ({"f"} if when(recipe) else set())


def f_for_a(when: Callable[[Compose], bool]) -> Fault:
    def fault(recipe: Compose) -> set[str]:
        shown = set(labels_of(recipe))
        return (shown - {"a"}) | {"f"} if "a" in shown and when(recipe) else shown

    return fault


CONDITIONS: dict[str, Callable[[Compose], bool]] = {
    "correlation": lambda recipe: {"a", "b"} <= labels_of(recipe),
    "contact": touch,
    "occlusion": overlap,
    "crowding": lambda recipe: len(recipe.placed) > 2,
}
PLANTED: list[tuple[str, Fault]] = [
    *((cause, make(when)) for cause, when in CONDITIONS.items() for make in (without_a, f_for_a)),
    *((cause, with_f(when)) for cause, when in CONDITIONS.items()),
    ("likeness", with_f(lambda recipe: "a" in labels_of(recipe))),
    ("likeness", f_for_a(lambda recipe: True)),
    ("single-object", without_a(lambda recipe: True)),
    ("background", with_f(lambda recipe: recipe.background == WHITE)),
    ("background", without_a(lambda recipe: recipe.background == WHITE)),
]


@pytest.mark.parametrize(("cause", "fault"), PLANTED)
def test_a_planted_cause_is_named_and_proven(cause: str, fault: Fault) -> None:
    found = [one for *_, one in explained(fault)]
    assert len(found) >= 6
    assert {one.cause for one in found} == {cause}
    assert all(one.proven for one in found)


@pytest.mark.parametrize(("cause", "fault"), PLANTED)
def test_the_smallest_case_still_fails_and_a_finding_takes_few_questions(
    cause: str, fault: Fault
) -> None:
    sizes = {"crowding": 3, "single-object": 1, "likeness": 1}
    for run, number, one in explained(fault):
        assert 3 <= len(one.rungs) <= 25
        case = run.verdict.cases[number] if one.smallest is None else one.smallest
        assert isinstance(case.recipe, Compose)
        assert fault(case.recipe) != labels_of(case.recipe)
        if cause != "background":
            assert len(case.recipe.placed) == sizes.get(cause, 2)
        for rung in one.rungs:
            assert isinstance(rung.case.recipe, Compose)
            if rung.persists:
                assert fault(rung.case.recipe) != labels_of(rung.case.recipe)


def test_one_object_of_a_label_is_the_fault_of_that_object() -> None:
    [odd, *_] = [id for id, label in LABELS.items() if label == "a"]
    fault = without_a(lambda recipe: any(id == odd for id, *_ in recipe.placed))
    found = [one for *_, one in explained(fault)]
    assert {one.cause for one in found} == {"single-object"}
    assert all("0 of 2 other objects of its label" in one.says for one in found)


def test_a_mismatch_names_its_trigger_and_where_it_is() -> None:
    for run, number, one in explained(f_for_a(CONDITIONS["contact"])):
        recipe = run.verdict.cases[number].recipe
        assert isinstance(recipe, Compose)
        [(_, x, y, w, h)] = [placed for placed in recipe.placed if LABELS[placed[0]] == "b"]
        assert one.says.startswith(
            f"With the b at ({x + w // 2}, {y + h // 2}) the a is labelled f"
        )


def test_a_correlation_with_any_company_says_so() -> None:
    """The label of the trigger does not matter: another one in its place does the same."""
    fault = without_a(lambda recipe: len(recipe.placed) > 1)
    for *_, one in explained(fault, [(0, 1)]):
        assert one.cause == "correlation"
        assert "also with " in one.says
    for *_, one in explained(without_a(CONDITIONS["correlation"]), [(0, 1)]):
        assert ", not with " in one.says


def test_two_objects_that_fail_only_by_themselves_are_no_correlation_of_labels() -> None:
    first, second = (
        next(id for id, label in LABELS.items() if label == name) for name in ("a", "b")
    )
    fault = without_a(lambda recipe: {first, second} <= {id for id, *_ in recipe.placed})
    found = [one for *_, one in explained(fault)]
    assert found
    assert {(one.cause, one.proven) for one in found} == {("unexplained", False)}
    assert all("with 0 of 2 other pairs" in one.says for one in found)


WIDE = {"scale": (1.4, 1.5), "overlap": 0.8, "margin": 0.0, "enlarged": 100.0}
"""Objects that overlap so much that the canvas has no room for them apart."""


def test_a_canvas_without_room_is_enlarged_and_the_two_are_shown_on_it_as_they_were() -> None:
    enlarged = [
        [rung for rung in one.rungs if "on a canvas of" in rung.name]
        for *_, one in explained(without_a(touch), [(0, 1)] * 2, **WIDE)
    ]
    assert any(enlarged)
    for rungs in filter(None, enlarged):
        as_found = [rung.persists for rung in rungs if " as found, on a canvas" in rung.name]
        assert as_found
        assert all(as_found)


def test_a_failure_that_a_larger_canvas_ends_is_not_put_down_to_contact() -> None:
    small = without_a(lambda recipe: touch(recipe) and max(recipe.width, recipe.height) < 650)
    found = [
        one
        for *_, one in explained(small, [(0, 1)] * 2, **WIDE)
        if any("on a canvas of" in rung.name for rung in one.rungs)
    ]
    assert found
    assert {(one.cause, one.proven) for one in found} == {("unexplained", False)}


def noise(rate: float, outcome: Callable[[frozenset[str]], set[str]]) -> Fault:
    """Fails in a share of pictures whatever they show, by a hash of the picture."""

    def fault(recipe: Compose) -> set[str]:
        digest = hashlib.blake2b(repr(recipe).encode(), digest_size=8).digest()
        struck = int.from_bytes(digest, "big") < rate * 2**64
        return outcome(labels_of(recipe)) if struck else set(labels_of(recipe))

    return fault


EVERY = [row for size in (2, 3, 4) for row in combinations(range(6), size)]


@pytest.mark.parametrize("outcome", [lambda shown: set(), lambda shown: {*shown, "f"}])
def test_label_blind_noise_is_any_change_and_never_an_interaction(
    outcome: Callable[[frozenset[str]], set[str]],
) -> None:
    found = [one for *_, one in explained(noise(0.07, outcome), EVERY)]
    assert len(found) > 10
    assert {one.cause for one in found} == {"any-change"}
    assert all(len(one.rungs) <= 5 and not one.proven for one in found)


def test_frequent_noise_is_hardly_ever_an_interaction_and_next_to_never_proven() -> None:
    found = [one for *_, one in explained(noise(0.4, lambda shown: set()), EVERY)]
    causes = Counter(one.cause for one in found)
    # 18 of 373 with three other draws of noise.
    assert sum(causes[one] for one in INTERACTIONS) <= 0.1 * len(found)
    assert causes["any-change"] >= 0.85 * len(found)
    # Noise that repeats itself can pass every question by chance, about once in 2,000 findings.
    assert sum(one.proven and one.cause in INTERACTIONS for one in found) <= 1


def test_a_fault_is_found_under_noise() -> None:
    rare = noise(0.03, lambda shown: set())
    contact = without_a(CONDITIONS["contact"])
    found = [
        one.cause
        for run, number, one in explained(lambda recipe: rare(recipe) & contact(recipe), ROWS * 3)
        if "a" not in contact(run.verdict.cases[number].recipe)  # type: ignore[arg-type]
    ]
    assert found.count("contact") >= 0.7 * len(found)


def test_a_perfect_subject_is_asked_nothing_more() -> None:
    assert list(explained(lambda recipe: set(labels_of(recipe)), EVERY[::5])) == []


def test_the_same_questions_are_asked_whenever_a_finding_is_explained() -> None:
    tested = method((0, 1, 2))
    names = []
    for _ in range(2):
        run = examined(tested, asked_of(without_a(CONDITIONS["correlation"])))
        names.append([rung.case.recipe for rung in run.verdict.explanations[0].rungs])
    assert names[0] == names[1]


@pytest.mark.parametrize("allowance", [8, 20, 40, 60])
def test_a_budget_that_ends_early_leaves_a_cause_unproven_or_unnamed(allowance: int) -> None:
    tested = method((0, 1, 2))
    run = examined(tested, asked_of(without_a(CONDITIONS["contact"])), allowance)
    assert len(run.questions) <= allowance
    assert {one.cause for one in run.verdict.explanations.values()} <= {"contact", "unexplained"}


def test_findings_of_different_rows_strike_the_same_confusion() -> None:
    keys = set()
    for row in ROWS:
        run = examined(method(row), asked_of(f_for_a(CONDITIONS["correlation"])))
        keys |= {one for things in run.verdict.struck.values() for one in things}
    [only] = keys
    assert (only.key, only.shared, only.box) == ("mismatch a as f with b", True, None)


@pytest.mark.parametrize(
    ("fault", "keys"),
    [
        (without_a(CONDITIONS["correlation"]), {"missing a with b"}),
        (without_a(CONDITIONS["contact"]), {"missing a with b"}),
        (without_a(lambda recipe: len(recipe.placed) > 1), {"missing a"}),
        (with_f(lambda recipe: "a" in labels_of(recipe)), {"extra f with a"}),
        (with_f(CONDITIONS["correlation"]), {"extra f with a and b"}),
        (
            with_f(lambda recipe: "a" in labels_of(recipe) and len(recipe.placed) > 1),
            {"extra f with a"},
        ),
        (f_for_a(lambda recipe: True), {"mismatch a as f"}),
        (with_f(lambda recipe: recipe.background == WHITE), {"extra f"}),
    ],
)
def test_explained_findings_strike_the_labels_that_they_need_whatever_the_row(
    fault: Fault, keys: set[str]
) -> None:
    found = [struck_labels(one, CLASSES) for *_, one in explained(fault)]
    assert {thing.key for things in found for thing in things} == keys
    assert all(thing.shared for things in found for thing in things)


def test_two_faults_in_one_image_are_two_struck_things_though_the_event_pairs_them() -> None:
    def fault(recipe: Compose) -> set[str]:
        shown = labels_of(recipe)
        seen = set(shown) - ({"a"} if "b" in shown else set())
        return seen | ({"f"} if {"c", "d"} <= shown else set())

    for _, _, one in explained(fault, [(0, 1, 2, 3)]):
        keys = {thing.key for thing in struck_labels(one, CLASSES)}
        assert keys == {"missing a with b", "extra f"}


def test_all_classes_are_used_as_substitutes_only_if_they_are_not_in_question() -> None:
    for _, _, one in explained(f_for_a(CONDITIONS["correlation"]), [(0, 1)]):
        [swapped] = [rung for rung in one.rungs if "in place of" in rung.name]
        assert isinstance(swapped.case.recipe, Compose)
        assert labels_of(swapped.case.recipe) - {"a"} <= set(CLASSES) - {"a", "b", "f"}
