"""The kinds of subjects, and how a configuration opens one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import Options, options_of_kind
from snellen.plugins import Registry
from snellen.subjects.subject import Subject


@dataclass(frozen=True)
class Adapter:
    """How one kind of subject is configured and opened.

    options: the model of its part of the configuration. open: from those options and the folder
    that relative paths start at to a subject that is loaded and ready.
    """

    options: type[Options]
    open: Callable[[Any, Path], Subject]


ADAPTERS = Registry(
    "subject",
    "snellen.subjects",
    {
        "onnx": "snellen.subjects.onnx:ADAPTER",
        "darknet": "snellen.subjects.darknet:ADAPTER",
        "tflite": "snellen.subjects.tflite:ADAPTER",
        "python": "snellen.subjects.python:ADAPTER",
        "subprocess": "snellen.subjects.subprocess:ADAPTER",
        "maite": "snellen.subjects.maite:ADAPTER",
        "planted": "snellen.subjects.planted:ADAPTER",
    },
)


def open_subject(values: Mapping[str, Any], folder: Path, where: str = "subject") -> Subject:
    """The subject that a configuration describes, loaded; relative paths start at `folder`."""
    options = options_of_kind(ADAPTERS, values, where)
    adapter: Adapter = ADAPTERS.load(values["kind"])
    return adapter.open(options, folder)
