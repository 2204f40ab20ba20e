"""Messages between Snellen and a Python subject in a process of its own, over pipes of bytes.

A message is a pickled value after its length. Both ends run the same code for the same user, so
that pickle opens nothing that the subject's own code could not do.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from snellen.subjects.subject import Input, Prediction, Task

_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Opening:
    """A request to load the subject. options: of `kind: python`. path: where modules are found."""

    options: Mapping[str, Any]
    folder: Path
    path: list[str]


@dataclass(frozen=True)
class Opened:
    """The subject is loaded; these are its traits."""

    name: str
    task: Task
    classes: tuple[str, ...]
    fingerprint: str
    score: float
    batch: int
    deterministic: bool
    tolerance: float
    draws: bool
    uncached: str


@dataclass(frozen=True)
class BatchAsked:
    """A batch for the subject."""

    images: list[Input]


@dataclass(frozen=True)
class Answered:
    """The checked predictions of a batch."""

    predictions: list[Prediction]


@dataclass(frozen=True)
class Failed:
    """A request failed. cause: the type of the exception behind it; notes: the next step.

    mistake: it is the user's, in the configuration. final: the run ends with it.
    """

    message: str
    cause: str = ""
    notes: tuple[str, ...] = ()
    mistake: bool = False
    final: bool = False


def send(pipe: IO[bytes], message: object) -> None:
    """Write a message."""
    data = pickle.dumps(message, protocol=5)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """The next message; `EOFError` at the end of the pipe."""
    [length] = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return pickle.loads(_exactly(pipe, length))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data
