"""The requirements: published human thresholds for three classes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from snellen.methods.human.subtasks import Kind, TaskName
from snellen.methods.requirements.specification.generation import generate_requirements
from snellen.methods.requirements.specification.published_thresholds import published_thresholds
from snellen.methods.requirements.specification.requirement_file import write_requirements

KINDS: tuple[Kind, ...] = ("correctness", "preservation")
SOURCE = "decompovision-voc"
PERSON = "person"
"""The class by whose precision subjects get a common operating point."""


@dataclass(frozen=True)
class Condition:
    """A class under a transformation."""

    label: str
    transformation: str

    def __str__(self) -> str:
        return f"{self.label} under {self.transformation}"


CONDITIONS = (
    Condition(PERSON, "frost"),
    Condition("bus", "frost"),
    Condition(PERSON, "brightness"),
    Condition("bird", "brightness"),
)
"""All for which the paper or its code has thresholds."""
TRANSFORMATIONS = tuple(dict.fromkeys(one.transformation for one in CONDITIONS))


def write_requirement_file(path: Path, tasks: tuple[TaskName, ...], margin: float) -> Path:
    """A requirement file for the tasks of a subject; margin: the tolerated loss of a whole task."""
    every = [
        published_thresholds(SOURCE, one.label, one.transformation, kind)
        for one in CONDITIONS
        for kind in KINDS
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_requirements(path, generate_requirements(every, tasks, margin))
    return path
