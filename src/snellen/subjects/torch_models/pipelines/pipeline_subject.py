"""A pipeline, loaded from a folder or given as an object, as a subject."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from snellen.subjects.fingerprints import file_digest, fingerprint_of
from snellen.subjects.python import PythonSubject
from snellen.subjects.torch_models.pipelines.pipeline_call import PipelineCall
from snellen.subjects.torch_models.pipelines.pipeline_classes import pipeline_classes
from snellen.subjects.torch_models.pipelines.pipeline_options import PipelineOptions
from snellen.subjects.torch_models.pipelines.pipeline_task import PipelineTask, checked_task
from snellen.subjects.user_code.user_code_options import BATCH_TOLERANCE, Traits

VERSION = 1
"""Incremented when the same pipeline gives a different answer."""
UNREAD = (".md",)
"""Suffixes of files in a model's folder that no answer depends on."""


def is_pipeline(value: object) -> bool:
    """Whether an object is a pipeline of `transformers`, which need not be installed."""
    kinds = [(kind.__module__.partition(".")[0], kind.__name__) for kind in type(value).__mro__]
    return ("transformers", "Pipeline") in kinds


def wrap_pipeline(pipeline: Any, options: PipelineOptions) -> PythonSubject:
    """A pipeline object as a subject; its fingerprint is that of its weights and settings."""
    from snellen.subjects.torch_models.state_digest import state_digest

    task = checked_task(str(pipeline.task), "subject")
    parts = {
        "code": f"{type(pipeline).__module__}.{type(pipeline).__qualname__}",
        "state": state_digest(pipeline.model),
        "processor": _settings(getattr(pipeline, "image_processor", None)),
        "config": _settings(pipeline.model.config),
    }
    return subject_of(pipeline, task, options, Path.cwd(), parts)


def stock_pipeline(pipeline: object) -> bool:
    """Whether all code of a pipeline is that of `transformers`, so that weights determine it."""
    return type(pipeline).__module__.partition(".")[0] == "transformers"


def subject_of(
    pipeline: Any,
    task: PipelineTask,
    options: PipelineOptions,
    folder: Path,
    parts: Mapping[str, Any],
) -> PythonSubject:
    """The subject of a pipeline. parts: what its fingerprint is made of besides the options."""
    config = pipeline.model.config
    classes = pipeline_classes(task, config.to_dict(), options, folder)
    traits = Traits(
        name=options.name or Path(getattr(config, "_name_or_path", "") or task).name,
        task=task.predicts,
        classes=classes.names,
        score=options.score,
        floor=options.lowest,
        batch=options.batch,
        deterministic=options.deterministic,
        tolerance=0.0 if options.batch == 1 else BATCH_TOLERANCE,
    )
    fingerprint = fingerprint_of(
        kind="transformers",
        version=VERSION,
        runtime={name: version(name) for name in ("torch", "transformers")},
        task=task,
        classes=classes.names,
        labels=dict(classes.ids),
        floor=options.lowest,
        **parts,
    )
    return PythonSubject(PipelineCall(pipeline, task, classes, options.lowest), traits, fingerprint)


def folder_digests(place: Path) -> dict[str, str]:
    """The digest of each file of a saved model that answers depend on, by name."""
    files = sorted(path for path in place.iterdir() if path.is_file())
    return {
        path.name: file_digest(path)
        for path in files
        if path.suffix not in UNREAD and not path.name.startswith(".")
    }


def _settings(value: Any) -> str:
    """The settings of a config or processor as text, without where it was loaded from."""
    found = value.to_dict() if hasattr(value, "to_dict") else {}
    found.pop("_name_or_path", None)
    return json.dumps(found, sort_keys=True, default=str)
