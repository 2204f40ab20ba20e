"""The kinds of subjects, and how a configuration opens one."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import Options, options_of_kind, parse
from snellen.configuration.environment import expanded
from snellen.configuration.stored_configuration import is_own
from snellen.disk.trust import TRUST
from snellen.errors import UntrustedError, UserError, in_section, next_step
from snellen.errors.redaction import redacted
from snellen.plugins import Registry
from snellen.scenes.registry import READERS
from snellen.subjects.multilabel_classifier import as_classifier
from snellen.subjects.subject import Subject, Task

READ_AS = "read_as"
READ_AS_MEANING = "labels: read a detector as a multi-label classifier"


@dataclass(frozen=True)
class Adapter:
    """How one kind of subject is configured and opened.

    options: the model of its section of the configuration. open: called with those options and the
    folder that relative paths start at; returns a loaded subject. page: the topic of `snellen docs`
    that errors refer to. runs: the options that name code, which is run when the subject is opened;
    () for a kind that runs none. None, not declared, counts as code, and so does every plug-in.
    """

    options: type[Options]
    open: Callable[[Any, Path], Subject]
    page: str = "subjects-your-own"
    runs: tuple[str, ...] | None = None


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
        options = parse(adapter.options, expanded(given, where), where)
        subject = adapter.open(options, folder)
        if (name := redacted(subject.name)) != subject.name:
            subject.name = name
    return subject if read_as is None else as_classifier(subject)


def code_in(values: Any, place: str = "") -> Iterator[str]:
    """What would be run to open what nested values describe, each with its place.

    >>> list(code_in({"subject": {"kind": "python", "target": "detector:predict"}}))
    ["subject.target: 'detector:predict'"]
    >>> list(code_in({"subject": {"kind": "onnx", "model": "yolox.onnx"}}))
    []
    """
    if isinstance(values, Mapping):
        yield from _code_of_kind(values, place)
        for key, one in values.items():
            yield from code_in(one, f"{place}.{key}".lstrip("."))
    elif isinstance(values, list | tuple):
        for number, one in enumerate(values):
            yield from code_in(one, f"{place}.{number}")


def _code_of_kind(values: Mapping[str, Any], place: str) -> Iterator[str]:
    kind = values.get("kind")
    if ADAPTERS.is_foreign(kind) or READERS.is_foreign(kind):
        yield f"{place}.kind: the plug-in '{kind}'"
    elif isinstance(kind, str) and kind in ADAPTERS.builtin:
        adapter: Adapter = ADAPTERS.load(kind)
        options = ("kind",) if adapter.runs is None else adapter.runs
        for name in options:
            if values.get(name):
                yield f"{place}.{name}: {_shown(values[name])}"


def _shown(value: Any) -> str:
    whole = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    return f"`{shlex.join(value)}`" if whole else repr(value)


def check_code(file: Path, values: Mapping[str, Any], found: Sequence[str] | None = None) -> None:
    """Refuse to run code that a stored configuration of somebody else names, unless trusted.

    file: the configuration. values: what it says. found: what would be run; default: whatever is
    in the values.
    """
    found = list(code_in(values)) if found is None else found
    if not found or is_own(file, values):
        return
    named = "; ".join(found)
    message = (
        f"{file}: names code that would be run with your rights: {named}, in "
        f"{values.get('base') or file.parent}. You did not write this file on this machine as it "
        "is: it was copied here, or changed, or is of an earlier version of Snellen."
    )
    if not TRUST.granted(file, message):
        raise UntrustedError(f"{message} Read it; if you trust it, pass --trust (trust=True).")
