"""The contract of a method, and the kinds there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numpy.random import Generator

from snellen.changes.recipe import Materials
from snellen.configuration import Options
from snellen.methods.questions import Questions
from snellen.plugins import Registry
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Subject


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit of work: one scene, or one row of a covering array. Its id is unique in the run."""

    id: str
    scene: Scene


@dataclass(frozen=True, eq=False)
class Setting:
    """What a method is set up with. The subject is there for its traits: the engine asks it.

    progress: told how many scenes objects were cut out of, of how many.
    """

    subject: Subject
    scenes: SceneSet
    folder: Path
    seed: int
    objects: Mapping[str, Any] | None = None
    skip_invalid: bool = False
    progress: Callable[[int, int], None] | None = None


class Method(Protocol):
    """A way of testing: it turns a unit into questions and judges the answers."""

    @property
    def minimum(self) -> int:
        """The least number of questions that a unit is worth opening for."""

    @property
    def materials(self) -> Materials:
        """What the method's recipes refer to, sent once to each builder."""

    def units(self) -> Sequence[Unit]:
        """The units of work, in a fixed order."""

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """A generator that asks at most `allowance` questions about one unit, and judges it."""


@dataclass(frozen=True)
class MethodKind:
    """How one kind of method is configured and set up. objects: whether it needs any."""

    options: type[Options]
    prepare: Callable[[Any, Setting], Method]
    objects: bool = False


METHODS = Registry(
    "method",
    "snellen.methods",
    {
        "identity": "snellen.methods.identity.method:METHOD",
        "insertion": "snellen.methods.insertion.method:METHOD",
    },
)
