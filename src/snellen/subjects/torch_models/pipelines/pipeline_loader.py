"""A pipeline from a folder that `save_pretrained` wrote, without any network access."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from snellen.errors import MissingExtraError, UserError
from snellen.subjects.torch_models.pipelines.pipeline_options import TransformersOptions
from snellen.subjects.torch_models.pipelines.pipeline_task import PipelineTask, read_config, task_of

LOCAL = {"local_files_only": True, "trust_remote_code": False}
LOADERS = {
    PipelineTask.DETECTION: "AutoModelForObjectDetection",
    PipelineTask.ZERO_SHOT: "AutoModelForZeroShotObjectDetection",
    PipelineTask.CLASSIFICATION: "AutoModelForImageClassification",
}


def load_pipeline(options: TransformersOptions, place: Path) -> Any:
    """The pipeline of the model in the folder `place`, in evaluation mode on its device."""
    try:
        import torch
        import transformers
    except ModuleNotFoundError:
        raise MissingExtraError("subject kind 'transformers'", "transformers") from None
    config = read_config(place)
    task = options.pipeline or task_of(config, _zero_shot_types(), f"subject.model: {place}")
    if options.threads is not None:
        torch.set_num_threads(options.threads)
    try:
        model = getattr(transformers, LOADERS[task]).from_pretrained(str(place), **LOCAL)
        parts = {"image_processor": transformers.AutoImageProcessor}
        if task == PipelineTask.ZERO_SHOT:
            parts["tokenizer"] = transformers.AutoTokenizer
        loaded = {name: one.from_pretrained(str(place), **LOCAL) for name, one in parts.items()}
        return transformers.pipeline(task, model=model.eval(), device=options.device, **loaded)
    except (OSError, ValueError, RuntimeError, ImportError, KeyError) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise UserError(
            f"subject.model: {place}: cannot be loaded as a pipeline for '{task}': {lines[0]} "
            "Save model, image processor and tokenizer together with "
            "pipeline(...).save_pretrained(folder), and check subject.pipeline and subject.device."
        ) from error


def _zero_shot_types() -> set[str]:
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_ZERO_SHOT_OBJECT_DETECTION_MAPPING_NAMES,
    )

    return set(MODEL_FOR_ZERO_SHOT_OBJECT_DETECTION_MAPPING_NAMES)
