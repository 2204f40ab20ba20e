"""The requirements that a new configuration starts with: published ones for the scenes' classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.methods.human.subtasks import Kind
from snellen.methods.requirements.checks.metric_loss import FEWEST_SCENES
from snellen.methods.requirements.specification.generation import generate_requirements
from snellen.methods.requirements.specification.published_thresholds import published_rows, sources
from snellen.methods.requirements.specification.requirement_file import write_requirements
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import SceneSet

SUFFIX = "-requirements.yaml"
DETECTION = ("localise", "classify")
"""Subtasks that need a threshold; studies of classification have none for the first."""


def write_starter(config: Path, scenes: SceneSet, *, force: bool) -> dict[str, Any]:
    """The method's options; writes the requirement file that they name, beside the configuration.

    Published thresholds of every class that enough of the scenes show (of any class they have, if
    none does), for detection: correctness if the scenes are annotated, else preservation of
    whatever label people were tested on.
    """
    path = config.with_name(f"{config.stem}{SUFFIX}")
    if path.exists() and not force:
        raise UserError(f"{path}: already exists. Choose another name, or pass --force.")
    annotated = any(scene.annotations is not None for scene in scenes)
    kind: Kind = "correctness" if annotated else "preservation"
    wanted = {plain_name(name) for name in scenes.classes}
    rows = (one for source in sources() for one in published_rows(source, kind))
    known = [one for one in rows if all(subtask in one.thresholds for subtask in DETECTION)]
    covered = [one for one in known if not wanted or plain_name(one.label) in wanted]
    found = [one for one in covered if scenes_showing(one.label, scenes) >= FEWEST_SCENES]
    found = found or covered
    if not found:
        has = ", ".join(sorted({one.label for one in known}))
        raise UserError(
            "None of the scenes' classes has published thresholds of human performance, which "
            f"there are for {has}. "
            "Estimate your own with `snellen thresholds DATA --json`, then write the requirements "
            "with `snellen requirements generate`."
        )
    write_requirements(path, generate_requirements(found, ["detection"]))
    return {"file": path.name}


def scenes_showing(label: str, scenes: SceneSet) -> int:
    """How many scenes have an annotated object of a label."""
    ids = {k for k, name in enumerate(scenes.classes) if plain_name(name) == plain_name(label)}
    annotated = (scene.annotations for scene in scenes)
    return sum(one is not None and bool(ids & set(one.labels.tolist())) for one in annotated)
