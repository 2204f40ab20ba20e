"""What is required: what people tolerate of `person`, as published, or as we assume."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from snellen.methods.requirements.human.published_thresholds import published_thresholds
from snellen.methods.requirements.specification.generation import (
    KnownThresholds,
    generate_requirements,
)
from snellen.methods.requirements.specification.requirement import Kind, TaskName
from snellen.methods.requirements.specification.requirement_file import write_requirements

LABEL = "person"
PUBLISHED = ("frost", "brightness")
ASSUMED = ("fog", "gaussian_noise", "defocus_blur")
"""No thresholds in our measure are published for these; those of frost stand in."""
TRANSFORMATIONS = (*PUBLISHED, *ASSUMED)
KINDS: tuple[Kind, ...] = ("correctness", "preservation")
SOURCE = "decompovision-voc"


def known(transformation: str, kind: Kind) -> KnownThresholds:
    """What people tolerate of a person under a transformation."""
    if transformation in PUBLISHED:
        return published_thresholds(SOURCE, LABEL, transformation, kind)
    frost = published_thresholds(SOURCE, LABEL, "frost", kind)
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
    write_requirements(path, generate_requirements(every, tasks))
    return path
