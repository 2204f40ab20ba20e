"""The user's own torch detector, loaded by `module:factory` and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import nn

from snellen.errors import UserError
from snellen.errors.plain_text import describe_error
from snellen.subjects.fingerprints import file_digest
from snellen.subjects.python_target import load_target
from snellen.subjects.torch_models.options import TorchOptions
from snellen.subjects.torch_models.trainable_detector import TrainableDetector

Opened = tuple[TrainableDetector, str, dict[str, Any]]
PARTS = ("module", "classes", "size", "outputs", "decode", "scores", "loss", "save")


def open_user_detector(options: TorchOptions, folder: Path) -> Opened:
    """The detector, its name, and the parts of its fingerprint besides its parameters."""
    assert options.target is not None
    target = load_target(options.target, folder)
    value = target.value
    if isinstance(value, type) or not _is_detector(value):
        value = _call_factory(value, options)
    _check(value, options.target)
    parts = {
        "target": options.target,
        "arguments": options.arguments,
        "sources": [file_digest(path) for path in target.sources],
        "files": [file_digest(folder / file) for file in options.files],
        "own_version": options.version,
    }
    return value, str(getattr(value, "name", options.target)), parts


def _is_detector(value: Any) -> bool:
    return all(hasattr(value, part) for part in PARTS)


def _call_factory(value: Any, options: TorchOptions) -> Any:
    if not callable(value):
        raise UserError(
            f"subject.target: '{options.target}' is {type(value).__name__}, expected a "
            "TrainableDetector, or a class or function that returns one. "
            "Read: snellen docs subjects-torch"
        )
    try:
        return value(**options.arguments)
    except (Exception, SystemExit) as error:
        raise UserError(
            f"subject.target: '{options.target}' called with {options.arguments} raised "
            f"{describe_error(error)}"
        ) from error


def _check(value: Any, target: str) -> None:
    where = f"subject.target: '{target}' returns {type(value).__name__}"
    missing = [part for part in PARTS if not hasattr(value, part)]
    if missing:
        raise UserError(
            f"{where} without {', '.join(missing)}, expected a TrainableDetector with "
            f"{', '.join(PARTS)}. Read: snellen docs subjects-torch"
        )
    if not isinstance(value.module, nn.Module):
        found = type(value.module).__name__
        raise UserError(f"{where}, whose module is {found}, expected a torch.nn.Module")
    try:
        height, width = value.size
        whole = isinstance(height, int) and isinstance(width, int) and min(height, width) > 0
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise UserError(f"{where}, whose size is {value.size!r}, expected (height, width)")
    if isinstance(value.classes, str) or not all(isinstance(one, str) for one in value.classes):
        raise UserError(f"{where}, whose classes are {value.classes!r}, expected a tuple of names")
