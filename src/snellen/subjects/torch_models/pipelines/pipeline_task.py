"""The tasks of `transformers` pipelines that Snellen can test."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.subjects.subject import Task

CONFIG = "config.json"


class PipelineTask(StrEnum):
    """A pipeline's task, as `transformers` names it."""

    DETECTION = "object-detection"
    ZERO_SHOT = "zero-shot-object-detection"
    CLASSIFICATION = "image-classification"

    @property
    def predicts(self) -> Task:
        """What a subject of this task predicts."""
        return Task.LABELS if self == PipelineTask.CLASSIFICATION else Task.DETECTION


def checked_task(task: str, where: str) -> PipelineTask:
    """The task of this name; an error that names it if Snellen cannot test it."""
    try:
        return PipelineTask(task)
    except ValueError:
        raise UserError(
            f"{where}: is a pipeline for '{task}', expected {', '.join(PipelineTask)}. "
            "Give such a pipeline, or wrap yours in a function that returns boxes, labels and "
            "scores (snellen docs subjects-your-own)."
        ) from None


def task_of(config: dict[str, Any], zero_shot: set[str], where: str) -> PipelineTask:
    """The task that the architecture of a model's config is for.

    zero_shot: the model types that detect what a text names.
    """
    names = config.get("architectures") or ["(none)"]
    if config.get("model_type") in zero_shot:
        return PipelineTask.ZERO_SHOT
    if names[0].endswith("ForObjectDetection"):
        return PipelineTask.DETECTION
    if names[0].endswith("ForImageClassification"):
        return PipelineTask.CLASSIFICATION
    raise UserError(
        f"{where}: the architecture is {names[0]}, expected a model for {', '.join(PipelineTask)}. "
        "Set subject.pipeline if it is one of these."
    )


def read_config(folder: Path) -> dict[str, Any]:
    """The config of a saved model."""
    try:
        found = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(
            f"subject.model: {folder}: has no {CONFIG}, expected a folder written by "
            "save_pretrained. Snellen downloads no model: save it with "
            "pipeline(...).save_pretrained(folder) and name that folder."
        ) from None
    except (OSError, ValueError) as error:
        raise UserError(
            f"{folder / CONFIG}: cannot be read as JSON: {error}. Save the model again."
        ) from None
    if not isinstance(found, dict):
        raise UserError(f"{folder / CONFIG}: found {type(found).__name__}, expected a mapping.")
    return found
