"""Checkpoints: the complete state of a training, to resume it exactly."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError

LAST, BEST = "last.pt", "best.pt"


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write tensors, numbers and names atomically, replacing an older checkpoint."""
    import torch

    data = io.BytesIO()
    torch.save(state, data)
    try:
        write_atomically(path, data.getvalue())
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror}. Free space; the training can be resumed."
        ) from error


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The state in a checkpoint, on the CPU. Only data is loaded: it cannot run code."""
    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise UserError(
            f"{path}: is not a training checkpoint: {error}. Delete it to start again."
        ) from error
    if not isinstance(state, dict):
        raise UserError(f"{path}: is not a training checkpoint. Delete it to start again.")
    return state


def check_same(path: Path, state: dict[str, Any], identity: dict[str, str]) -> None:
    """Raise if the checkpoint belongs to a training with other data, options or seed."""
    found = state.get("identity", {})
    for name, value in identity.items():
        if found.get(name) != value:
            raise UserError(
                f"{path}: belongs to a training with different {name}: {found.get(name)!r}, here "
                f"{value!r}. Restore the original value, or choose a new folder."
            )
