"""The kinds of subjects, and how a configuration opens one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import Options, options_of_kind
from snellen.errors import UserError, in_section, next_step
from snellen.plugins import Registry
from snellen.subjects.multilabel_classifier import as_classifier
from snellen.subjects.subject import Subject, Task

READ_AS = "read_as"
READ_AS_MEANING = "labels: read a detector as a multi-label classifier"


@dataclass(frozen=True)
class Adapter:
    """How one kind of subject is configured and opened.

    options: the model of its section of the configuration. open: called with those options and the
    folder that relative paths start at; returns a loaded subject. page: the topic of `snellen docs`
    that errors refer to.
    """

    options: type[Options]
    open: Callable[[Any, Path], Subject]
    page: str = "subjects-your-own"


ADAPTERS = Registry(
    "subject",
    "snellen.subjects",
    expected=Adapter,
    builtin={
        "onnx": "snellen.subjects.onnx:ADAPTER",
        "darknet": "snellen.subjects.darknet.adapter:ADAPTER",
        "tflite": "snellen.subjects.tflite:ADAPTER",
        "python": "snellen.subjects.python:ADAPTER",
        "live": "snellen.subjects.live:ADAPTER",
        "subprocess": "snellen.subjects.subprocess.adapter:ADAPTER",
        "maite": "snellen.subjects.maite:ADAPTER",
        "kitti-folder": "snellen.subjects.kitti_folder.adapter:ADAPTER",
        "lidar-only": "snellen.subjects.fusion.lidar_only:ADAPTER",
        "weak-fusion": "snellen.subjects.fusion.weak_fusion:ADAPTER",
        "late-fusion": "snellen.subjects.fusion.late_fusion:ADAPTER",
        "torch": "snellen.subjects.torch_models.adapter:ADAPTER",
        "torch-program": "snellen.subjects.torch_models.program_file:ADAPTER",
        "transformers": "snellen.subjects.torch_models.pipelines.adapter:ADAPTER",
        "pointgnn": "snellen.subjects.pointgnn:ADAPTER",
        "planted": "snellen.subjects.planted:ADAPTER",
        "planted-3d": "snellen.subjects.planted.solid_adapter:ADAPTER",
    },
)


def checked_subject(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The options of a subject with every default filled in.

    All kinds also have the option `read_as`: `labels` uses a detector as a multi-label classifier.
    """
    given = dict(values)
    read_as = given.pop(READ_AS, None)
    if read_as not in (None, Task.LABELS.value):
        raise UserError(
            f"{where}.{READ_AS}: found {read_as!r}, expected 'labels'. Correct or remove it."
        )
    filled = options_of_kind(ADAPTERS, given, where).model_dump(mode="json")
    return {**filled, READ_AS: read_as}


def open_subject(values: Mapping[str, Any], folder: Path, where: str = "subject") -> Subject:
    """The subject that a configuration describes, loaded; relative paths start at `folder`."""
    given = checked_subject(values, where)
    read_as = given.pop(READ_AS)
    adapter: Adapter = ADAPTERS.load(given["kind"])
    with next_step(f"snellen docs {adapter.page}"), in_section(where):
        subject = adapter.open(adapter.options.model_validate(given), folder)
    return subject if read_as is None else as_classifier(subject)
