"""The contract of a method: what the engine calls, and what a method is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, unexplained
from snellen.contract.fault_target import FaultTarget, targets_of_events
from snellen.contract.questions import Questions
from snellen.contract.subject_annotations import annotated_objects, label_map
from snellen.contract.verdict import Case
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Subject
from snellen.vision.arrays import Ints
from snellen.vision.truth.annotated_objects import AnnotatedObjects


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit of work: one scene, or one row of a covering array. Its id is unique in the run."""

    id: str
    scene: Scene


class PreparationProgress(Protocol):
    """Called as a method's preparation advances."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """what: the step, such as `cutting objects out of scenes`."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What a method is given. The subject is for its traits only: the engine asks it.

    scenes: empty if the method needs none and none are given. progress: called with the step, how
    much of it is done, and the total.
    """

    subject: Subject
    scenes: SceneSet
    folder: Path
    seed: int
    objects: Mapping[str, Any] | None = None
    skip_invalid: bool = False
    progress: PreparationProgress | None = None

    def annotated_objects(self, scene: Scene) -> AnnotatedObjects | None:
        """What is annotated in a scene, with the subject's labels; None if nothing is known."""
        return annotated_objects(scene, self._label_map, len(self.subject.classes))

    @cached_property
    def _label_map(self) -> Ints:
        return label_map(self.scenes, self.subject.classes)


class Method(Protocol):
    """A way of testing: it turns a unit into questions and judges the answers.

    A method subclasses this protocol to inherit its defaults. Batches, caches, retries, budgets,
    confirmation and processes are the engine's.
    """

    @property
    def materials(self) -> Materials:
        """What the method's recipes refer to, sent once to each builder."""
        return {}

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the method fixes before the run, as plain values; stored in the journal."""
        return {}

    @property
    def minimum(self) -> int:
        """The smallest number of questions for which a unit is worth opening."""
        return 2

    @property
    def confirmations(self) -> int:
        """How often a failure of a non-deterministic subject is asked again; 0 for never."""
        return 1

    @property
    def explains(self) -> bool:
        """Whether it asks counterfactual questions, which get a share of the budget."""
        return False

    @property
    def explained_findings(self) -> int | None:
        """How many findings of a target are explained at most, until one is proven; None for all.

        The worst comes first.
        """
        return 3

    @property
    def baseline(self) -> Recipe | None:
        """What the relation compares a case with: the unchanged scene, or None for known truth."""
        return Identity()

    def units(self) -> Sequence[Unit]:
        """The units of work, in a fixed order."""
        ...

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """A generator that asks about one unit, most valuable first, and returns its verdict."""
        ...

    def judge(self, asked: Asked) -> Case:
        """The relation: the judged case, a pure function of recipe, scene and answers.

        Run, confirmation, replay, comparison at another threshold and repair all judge through it.
        """
        ...

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """A generator of counterfactual questions about one finding of a unit."""
        return unexplained()

    def struck(self, case: Case, classes: Sequence[str]) -> tuple[FaultTarget, ...]:
        """What a finding strikes, which groups it with others: by default by its hard events.

        classes: the subject's, by class id.
        """
        return targets_of_events(case, classes)
