"""The contract of a method: what the engine asks of it, and what it is set up with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from numpy.random import Generator

from snellen.changes.recipe import Materials
from snellen.contract.questions import Questions
from snellen.contract.verdict import Case
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Prediction, Subject


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit of work: one scene, or one row of a covering array. Its id is unique in the run."""

    id: str
    scene: Scene


class Preparing(Protocol):
    """Told how far a method's preparations are."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """what: in words, such as `cutting objects out of scenes`."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What a method is set up with. The subject is there for its traits: the engine asks it.

    scenes: none where the method needs none and none are given. progress: told what is being
    prepared, how much of it is done, and of how much.
    """

    subject: Subject
    scenes: SceneSet
    folder: Path
    seed: int
    objects: Mapping[str, Any] | None = None
    skip_invalid: bool = False
    progress: Preparing | None = None


class Method(Protocol):
    """A way of testing: it turns a unit into questions and judges the answers."""

    @property
    def minimum(self) -> int:
        """The least number of questions that a unit is worth opening for."""

    @property
    def materials(self) -> Materials:
        """What the method's recipes refer to, sent once to each builder."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is known of the whole run before it begins, as plain values; kept with it."""

    def units(self) -> Sequence[Unit]:
        """The units of work, in a fixed order."""

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """A generator that asks at most `allowance` questions about one unit, and judges it."""


@runtime_checkable
class Rejudges(Protocol):
    """A method that can judge one of its cases anew, from new answers."""

    def judged_again(self, case: Case, of: Scene, scene: Prediction, answer: Prediction) -> Case:
        """The case with the status and events that new answers give it.

        case: as the journal has it, of a scene. scene, answer: what the subject says now of it as
        it is, and of the case.
        """
