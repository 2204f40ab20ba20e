"""What is required: what people tolerate of `person`, as published, or as we assume."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from snellen.methods.requirements.files import write_requirements
from snellen.methods.requirements.generation import Known, generated
from snellen.methods.requirements.human.published import published
from snellen.methods.requirements.requirement import Kind, TaskName

LABEL = "person"
PUBLISHED = ("frost", "brightness")
ASSUMED = ("fog", "gaussian_noise", "defocus_blur")
"""No thresholds in our measure are published for these; those of frost stand in."""
TRANSFORMATIONS = (*PUBLISHED, *ASSUMED)
KINDS: tuple[Kind, ...] = ("correctness", "preservation")
SOURCE = "decompovision-voc"


def known(transformation: str, kind: Kind) -> Known:
    """What people tolerate of a person under a transformation."""
    if transformation in PUBLISHED:
        return published(SOURCE, LABEL, transformation, kind)
    frost = published(SOURCE, LABEL, "frost", kind)
    told = f"assumed, no human data: as for frost in {SOURCE}"
    thresholds = {
        name: (value, source.model_copy(update={"study": told, "procedure": None}))
        for name, (value, source) in frost.thresholds.items()
    }
    return replace(frost, transformation=transformation, thresholds=thresholds)


def write_demands(path: Path, tasks: tuple[TaskName, ...]) -> Path:
    """A requirement file for the tasks of a subject."""
    every = [known(name, kind) for name in TRANSFORMATIONS for kind in KINDS]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_requirements(path, generated(every, tasks))
    return path
