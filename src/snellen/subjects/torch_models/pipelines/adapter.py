"""`kind: transformers`: opens a saved pipeline; `transformers` is imported only then."""

from __future__ import annotations

from pathlib import Path

from snellen.errors import UserError
from snellen.subjects.python import PythonSubject
from snellen.subjects.registry import Adapter
from snellen.subjects.torch_models.pipelines.pipeline_loader import load_pipeline
from snellen.subjects.torch_models.pipelines.pipeline_options import TransformersOptions
from snellen.subjects.torch_models.pipelines.pipeline_subject import folder_digests, subject_of
from snellen.subjects.torch_models.pipelines.pipeline_task import checked_task


def open_transformers(options: TransformersOptions, folder: Path) -> PythonSubject:
    """The subject of a model in a folder."""
    place = folder / options.model
    if not place.is_dir():
        raise UserError(
            f"subject.model: {place}: no such folder. Snellen downloads no model: save it with "
            "pipeline(...).save_pretrained(folder) and name that folder."
        )
    pipeline = load_pipeline(options, place)
    parts = {"files": folder_digests(place), "device": options.device}
    chosen = options.model_copy(update={"name": options.name or place.resolve().name})
    return subject_of(pipeline, checked_task(pipeline.task, str(place)), chosen, folder, parts)


ADAPTER = Adapter(TransformersOptions, open_transformers, runs=("model",))
