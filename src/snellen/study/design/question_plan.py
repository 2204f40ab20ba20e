"""What people are asked about a picture: classes and objects, each about as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.random import Generator

from snellen.errors import UserError
from snellen.study.design.scene_truth import SceneTruth
from snellen.study.record import TrueObject
from snellen.study.trial import StudyTask

OTHER = "something else"
"""The choice for a box that people drew around none of the classes."""


def absence(label: str) -> str:
    """The choice that there is none of a class."""
    return f"no {label}"


class QuestionPlan:
    """Chooses what is asked, and counts it; the same about every version of a scene.

    classes: of the study. other: whether `classify-box` offers a choice for none of them.
    """

    def __init__(self, classes: Sequence[str], rng: Generator, *, other: bool = False) -> None:
        self._classes, self._rng, self._other = tuple(classes), rng, other
        self._asked: Counter[tuple[str, ...]] = Counter()
        self._excess = 0  # classes asked about that are there, less those that are not
        self._classes_of: dict[str, dict[str, Any]] = {}
        self._object_of: dict[str, TrueObject] = {}

    def question(
        self, task: StudyTask, truth: SceneTruth, about: TrueObject | None, present: bool | None
    ) -> dict[str, Any]:
        """The fields of a trial that say what is asked and what is right.

        about: the object that `classify-box` and `segment` show. present: for `classify`, whether a
        class that is there is asked about, if the scene allows it; None for as often as not.
        """
        if task == StudyTask.CLASSIFY:
            known = self._classes_of
            if truth.scene.id not in known:
                known[truth.scene.id] = self._classify(truth, present)
            return known[truth.scene.id]
        if about is None or task not in (StudyTask.CLASSIFY_BOX, StudyTask.SEGMENT):
            return {}
        shown = {"object": about.id, "box": about.box}
        if task == StudyTask.SEGMENT:
            return {**shown, "label": about.label}
        choices = self._classes + ((OTHER,) if self._other else ())
        return {**shown, "choices": choices, "right": about.label}

    def object_of(self, truth: SceneTruth) -> TrueObject | None:
        """An object to ask about, of the class asked about least so far."""
        if not truth.asked:
            return None
        if truth.scene.id not in self._object_of:
            label = self._least("object", sorted({one.label for one in truth.asked}))
            among = [one for one in truth.asked if one.label == label]
            self._object_of[truth.scene.id] = among[int(self._rng.integers(len(among)))]
        return self._object_of[truth.scene.id]

    def _classify(self, truth: SceneTruth, wanted: bool | None) -> dict[str, Any]:
        present = self._excess <= 0 if wanted is None else wanted
        there = [one for one in self._classes if one in truth.present]
        absent = [one for one in self._classes if one not in truth.present]
        if present and truth.asked:  # large enough to be seen
            there = [one for one in there if one in {thing.label for thing in truth.asked}]
        chosen = (there or absent) if present else (absent or there)
        label = self._least("present" if chosen is there else "absent", chosen)
        right = label if chosen is there else absence(label)
        if wanted is None:
            self._excess += 1 if chosen is there else -1
        return {"label": label, "choices": (label, absence(label)), "right": right}

    def _least(self, use: str, labels: Iterable[str]) -> str:
        order = list(labels)
        self._rng.shuffle(order)
        label = min(order, key=lambda one: self._asked[use, one])
        self._asked[use, label] += 1
        return label


def check_classes(tasks: Iterable[StudyTask], classes: Sequence[str]) -> None:
    """Raise unless there are enough classes to ask about."""
    for task, least in ((StudyTask.CLASSIFY, 1), (StudyTask.CLASSIFY_BOX, 2)):
        if task in tasks and len(classes) < least:
            raise UserError(
                f"classes: found {len(classes)}, expected {least} or more for the task '{task}'. "
                "Name the classes that people choose from."
            )


def check_both_answers(rights: Iterable[tuple[str, str]]) -> None:
    """Raise if every `classify` trial has the same kind of right answer, which tests nobody.

    rights: the label and the right choice of each.
    """
    kinds = {label == right for label, right in rights}
    if len(kinds) == 1:
        [there] = kinds
        state = "shows the class asked about" if there else "lacks the class asked about"
        step = "lack it" if there else "show it"
        raise UserError(
            f"tasks: classify: every usable scene {state}, so one answer is always right. Name "
            f"more classes, or add scenes that {step}; with localise, classify-box or segment in "
            "the same study only scenes with an object are usable, so give classify its own."
        )
