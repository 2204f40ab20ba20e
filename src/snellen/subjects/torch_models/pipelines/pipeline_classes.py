"""The classes of a pipeline: those of its model's config, or what a zero-shot detector is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.subjects.model_file.class_table import PLACEHOLDERS, read_class_names
from snellen.subjects.torch_models.pipelines.pipeline_options import PipelineOptions
from snellen.subjects.torch_models.pipelines.pipeline_task import PipelineTask


@dataclass(frozen=True)
class PipelineClasses:
    """names: of the subject, by id. ids: the id of each label that the pipeline answers with.

    For a zero-shot detector, the keys of `ids` are the texts that it looks for.
    """

    names: tuple[str, ...]
    ids: Mapping[str, int]


def pipeline_classes(
    task: PipelineTask, config: Mapping[str, Any], options: PipelineOptions, folder: Path
) -> PipelineClasses:
    """The classes of a pipeline. config: of its model.

    Labels that stand for no class, such as COCO's "N/A", are left out.
    """
    names = None if options.classes is None else read_class_names(options.classes, folder)
    if task == PipelineTask.ZERO_SHOT:
        if not names:
            raise UserError(
                "subject.classes: missing; a zero-shot detector needs the labels to look for. "
                "Give a list of names, or a file with one per line."
            )
        texts = [options.prompt.replace("{}", name) for name in names]
        return PipelineClasses(names, {text: index for index, text in enumerate(texts)})
    own = _own_labels(config)
    if names is not None and len(names) != len(own):
        raise UserError(
            f"subject.classes: found {len(names)} names, but the model's config has {len(own)} "
            f"labels ({', '.join(own[:4])}...). Give one name per label, or none."
        )
    return PipelineClasses(names or own, {name: index for index, name in enumerate(own)})


def _own_labels(config: Mapping[str, Any]) -> tuple[str, ...]:
    labels = {int(key): str(name) for key, name in dict(config.get("id2label") or {}).items()}
    ordered = [labels[key] for key in sorted(labels)]
    return tuple(dict.fromkeys(one for one in ordered if one.strip().lower() not in PLACEHOLDERS))
