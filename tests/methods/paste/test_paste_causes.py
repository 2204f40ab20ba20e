"""The cause follows from the answers; answers at random never name the object or the place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.explanation import UNEXPLAINED, Explanation
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import PART, TEST, Case, Status, status_of
from snellen.methods.paste.paste_causes import (
    ANY_CHANGE,
    OBJECT,
    PLACE,
    SEAM,
    PasteEvidence,
    RungKind,
)
from snellen.methods.paste.paste_counterfactuals import Counterfactual
from snellen.methods.paste.paste_evidence_words import evidence_words
from snellen.methods.paste.paste_ladder import PasteLadder
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind, Severity
from tests.methods.robustness.scene_driver import driven

NOTHING = Detections.empty()
NAMES = {
    RungKind.PATCH: "background through the same mask",
    RungKind.COPY: "the same, shifted by 1 px",
    RungKind.OTHER: "another object here: dog",
    RungKind.FAR: "the same cat 310 px away",
    RungKind.FAR_PATCH: "background 320 px away",
    RungKind.BLENDING: "the same without blending",
    RungKind.SMALLER: "size 70%",
}


def answered(persists: bool) -> Case:
    return Case(Identity(), PART, Status.FAILING if persists else Status.HOLDS, NOTHING)


def evidence(**counts: tuple[int, int]) -> PasteEvidence:
    """How many of how many fail, by the name of the kind."""
    made = PasteEvidence()
    for name, (failing, asked) in counts.items():
        for number in range(asked):
            kind = RungKind[name.upper()]
            made.add(kind, NAMES[kind], answered(number < failing))
    return made


@pytest.mark.parametrize(
    ("counts", "cause", "proven"),
    [
        ({"patch": (0, 3), "copy": (4, 4), "other": (0, 2), "far": (0, 2)}, OBJECT, True),
        ({"patch": (0, 3), "copy": (4, 4), "other": (1, 4), "far": (0, 2)}, OBJECT, True),
        ({"patch": (0, 3), "copy": (4, 4), "other": (2, 4)}, OBJECT, True),
        ({"patch": (0, 3), "copy": (4, 4), "other": (2, 2), "far": (2, 2)}, OBJECT, True),
        ({"patch": (0, 3), "copy": (4, 4)}, OBJECT, True),
        ({"patch": (0, 3), "copy": (4, 4), "other": (2, 2), "far": (0, 2)}, PLACE, True),
        ({"patch": (0, 3), "copy": (6, 8), "other": (3, 4)}, PLACE, True),
        ({"patch": (1, 6), "copy": (4, 4), "other": (0, 2)}, OBJECT, False),
        ({"patch": (0, 2), "copy": (4, 4), "other": (0, 2)}, OBJECT, False),
        ({"copy": (4, 4), "other": (2, 2)}, PLACE, False),
        ({"patch": (3, 3), "copy": (4, 4), "other": (2, 2), "far_patch": (0, 3)}, SEAM, False),
        ({"patch": (2, 6), "copy": (4, 4), "far_patch": (1, 3)}, SEAM, False),
        ({"patch": (1, 1), "copy": (4, 4)}, SEAM, False),
        ({"patch": (3, 3), "copy": (4, 4), "far_patch": (2, 3)}, ANY_CHANGE, False),
        ({"patch": (0, 3), "copy": (1, 4), "other": (0, 2)}, ANY_CHANGE, False),
        ({"patch": (0, 3), "copy": (5, 8), "other": (2, 2)}, ANY_CHANGE, False),
        ({"patch": (0, 3), "copy": (3, 4), "other": (2, 2)}, UNEXPLAINED, False),
        ({"patch": (0, 3)}, UNEXPLAINED, False),
        ({}, UNEXPLAINED, False),
    ],
)
def test_the_cause_is_what_the_answers_leave_over(
    counts: dict[str, tuple[int, int]], cause: str, proven: bool
) -> None:
    found = evidence(**counts)
    assert (found.cause, found.proven) == (cause, proven)


def test_what_strikes_something_else_is_not_the_same_failure() -> None:
    """A patch that makes the subject lose another object says nothing about this one."""
    case, other = (
        Case(Identity(), PART, Status.FAILING, NOTHING, NOTHING, (lost(before),))
        for before in (0, 1)
    )
    [about] = PasteEvidence.of(case)
    assert about.struck_in(case)
    assert not about.struck_in(other)
    assert not about.struck_in(replace(case, status=Status.BORDERLINE))
    phantom = replace(lost(0), kind=EventKind.APPEARED, before=None)
    here = replace(case, events=(phantom,))
    near = replace(case, events=(replace(phantom, box=(2, 0, 12, 10)),))
    far = replace(case, events=(replace(phantom, box=(20, 0, 30, 10)),))
    relabelled = replace(case, events=(replace(phantom, label=1),))
    [about] = PasteEvidence.of(here)
    assert [about.struck_in(one) for one in (near, far, relabelled, case)] == [
        True, False, False, False,
    ]  # fmt: skip


Loses = Callable[[Insert], Sequence[int]]


def explained_losses(*struck: int, loses: Loses) -> Explanation:
    """The explanation of a finding that loses objects; loses: those that a counterfactual loses."""

    def case(recipe: Insert, role: str, those: Sequence[int]) -> Case:
        events = tuple(replace(lost(one), margin=0.9 - 0.1 * one) for one in those)
        return Case(recipe, role, status_of(events), NOTHING, NOTHING, events)

    def judge(asked: Asked) -> Case:
        assert isinstance(asked.recipe, Insert)
        return case(asked.recipe, asked.role, loses(asked.recipe))

    finding = case(Insert("o", 0, 0, 20, 20), TEST, struck)
    ladder = PasteLadder(finding, NamedCounterfactuals(), judge, {})  # type: ignore[arg-type]
    return driven(ladder.climb(np.random.default_rng(0)), lambda _: Answer(NOTHING))


def test_what_is_proven_for_one_object_is_not_proven_for_another() -> None:
    """Copies lose both objects, but background patches lose the first one, too."""

    def loses(one: Insert) -> Sequence[int]:
        return {RungKind.COPY: [0, 1], RungKind.PATCH: [0]}.get(RungKind(one.object), [])

    found = explained_losses(0, 1, loses=loses)
    assert [event.before for event in found.about] == [1]
    assert (found.cause, found.proven) == (OBJECT, True)
    assert found.others == (), "whether its edge does it far away, too, was not asked"


def test_every_object_has_its_own_evidence_from_the_same_answers() -> None:
    """Copies lose the first and the third object; the second was lost by chance."""

    def loses(one: Insert) -> Sequence[int]:
        if one.object == RungKind.SMALLER:
            return [0] if one.x <= 10 else []
        return {RungKind.COPY: [0, 2], RungKind.OTHER: [2]}.get(RungKind(one.object), [])

    found = explained_losses(2, 0, 1, loses=loses)
    named = {one.about[0].before: (one.cause, one.proven) for one in (found, *found.others)}
    assert named == {0: (OBJECT, True), 1: (ANY_CHANGE, False), 2: (PLACE, True)}
    assert found.about[0].before == 0, "the worst of the proven ones leads"
    assert found.smallest is not None
    assert "another object here (dog): 2 of 2 fail" in found.others[-1].says
    assert [one.persists for one in found.rungs if one.name == NAMES[RungKind.OTHER]] == [False] * 2


def test_a_lone_object_is_explained_as_the_whole_finding() -> None:
    found = explained_losses(0, loses=lambda one: [0] if one.object == RungKind.COPY else [1])
    assert (found.cause, found.proven, found.about, found.others) == (OBJECT, True, (), ())


def lost(before: int) -> Event:
    box = (0.0, 0.0, 10.0, 10.0)
    return Event(EventKind.LOST, 0, before, None, 0.9, Severity.HARD, box=box)


def test_the_sentence_has_every_count() -> None:
    found = evidence(patch=(0, 3), copy=(4, 4), other=(1, 4), far=(0, 2), blending=(1, 1))
    found.add(RungKind.SMALLER, NAMES[RungKind.SMALLER], answered(True))
    found.add(RungKind.SMALLER, NAMES[RungKind.SMALLER], answered(False))
    assert evidence_words(found) == (
        "Background through the same mask: 0 of 3 fail; near-identical copies: 4 of 4 fail; "
        "another object here (dog): 1 of 4 fails; the same cat 310 px away: 0 of 2 fail; "
        "the same without blending: fails; still fails at size 70%."
    )
    assert evidence_words(PasteEvidence()) == ""
    assert "no other object in the library" in evidence_words(evidence(patch=(0, 3)))
    assert evidence_words(evidence(copy=(4, 4))).startswith("No background of its size for a patch")


@dataclass
class NamedCounterfactuals:
    """As many counterfactuals of each kind as are wanted, told apart by their names."""

    recipe: Insert = field(default_factory=lambda: Insert("o", 0, 0, 20, 20))
    around: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(scene=None))

    def made(self, kind: RungKind, count: int) -> list[Counterfactual]:
        return [Counterfactual(NAMES[kind], Insert(kind, n, 0, 9, 9)) for n in range(count)]

    def patches(self, count: int, rng: Generator) -> list[Counterfactual]:
        return self.made(RungKind.PATCH, count)

    def copies(self, count: int) -> list[Counterfactual]:
        return self.made(RungKind.COPY, count)

    def others(self, count: int, rng: Generator) -> list[Counterfactual]:
        return self.made(RungKind.OTHER, count)

    def far(self, count: int) -> list[Counterfactual]:
        return self.made(RungKind.FAR, count)

    def far_patches(self, count: int, rng: Generator) -> list[Counterfactual]:
        return self.made(RungKind.FAR_PATCH, count)

    def blended(self) -> Counterfactual:
        return self.made(RungKind.BLENDING, 1)[0]

    def sizes(self) -> list[Counterfactual]:
        return self.made(RungKind.SMALLER, 46)

    def opacities(self, recipe: Insert) -> list[Counterfactual]:
        return self.made(RungKind.SMALLER, 47)


Fails = Callable[[Insert], bool]


def climbed(fails: Fails) -> Explanation:
    def judge(asked: Asked) -> Case:
        assert isinstance(asked.recipe, Insert)
        status = Status.FAILING if fails(asked.recipe) else Status.HOLDS
        return Case(asked.recipe, asked.role, status, NOTHING)

    def answer(question: Question) -> Answer:
        return Answer(NOTHING)

    finding = Case(Insert("o", 0, 0, 20, 20), TEST, Status.FAILING, NOTHING, NOTHING)
    ladder = PasteLadder(finding, NamedCounterfactuals(), judge, {})  # type: ignore[arg-type]
    return driven(ladder.climb(np.random.default_rng(0)), answer)


@pytest.mark.parametrize(("share", "named", "proven"), [(0.15, 0.002, 0.002), (0.3, 0.015, 0.012)])
def test_failing_at_random_is_never_put_down_to_the_object_or_its_place(
    share: float, named: float, proven: float
) -> None:
    rng = np.random.default_rng(1)
    found = [climbed(lambda _: bool(rng.random() < share)) for _ in range(2000)]
    causes = Counter(one.cause for one in found)
    assert (causes[OBJECT] + causes[PLACE]) / len(found) <= named
    assert sum(one.proven for one in found) / len(found) <= proven
    assert set(causes) <= {OBJECT, PLACE, SEAM, ANY_CHANGE}


def test_a_cause_is_found_through_a_little_noise() -> None:
    """The object makes 95% of its copies fail, and 2% of everything else fails anyway."""
    rng = np.random.default_rng(2)
    guilty = {RungKind.COPY, RungKind.BLENDING, RungKind.SMALLER}
    found = [
        climbed(lambda one: bool(rng.random() < (0.95 if one.object in guilty else 0.02)))
        for _ in range(1000)
    ]
    assert sum(one.cause == OBJECT for one in found) >= 950


@pytest.mark.parametrize("last", [0, 1, 13, 30, 45])
def test_bisection_ends_at_the_last_that_fails(last: int) -> None:
    """Of 46 sizes those up to `last` fail, of the opacities none."""

    def fails(one: Insert) -> bool:
        if one.object != RungKind.SMALLER:
            return one.object == RungKind.COPY
        asked.append(one.x)
        return len(asked) <= 6 and one.x <= last

    asked: list[int] = []
    found = climbed(fails)
    assert isinstance(found.smallest, Case)
    assert isinstance(found.smallest.recipe, Insert)
    assert found.smallest.recipe.x == last
    assert len(asked) <= 12
    assert found.smallest in [one.case for one in found.rungs]
