"""`kind: live`: a Python object that was given to `sn.test`, found again in the same process.

A run folder can't store such an object. Its configuration has a handle that only the process that
made the run knows, so that no other object is ever mistaken for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal
from weakref import WeakValueDictionary

from pydantic import AliasChoices, Field

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Prediction, ShownSubject, Subject

UNIDENTIFIED = "nothing shows whether it is still the same object"


class LiveOptions(Options):
    """Options of a live subject; `sn.test` writes them."""

    kind: Literal["live"] = "live"
    name: str = Field(description="name for reports")
    handle: str = Field(
        validation_alias=AliasChoices("handle", "token"),  # `token` in earlier runs
        description="names the object in the process that made the run",
    )


class LiveSubject(ShownSubject):
    """A subject of this process by its handle. It is the caller's: `close` leaves it open.

    fingerprint: without one that is sure, no answer of another object, or of this one in another
    run, counts as an answer of this subject.
    """

    def __init__(self, subject: Subject, fingerprint: str | None = None) -> None:
        self.handle = secrets.token_hex(8)
        self._subject = subject
        self.name, self.task, self.classes = subject.name, subject.task, tuple(subject.classes)
        self.score, self.batch = subject.score, subject.batch
        self.deterministic, self.tolerance = subject.deterministic, subject.tolerance
        self.fingerprint = fingerprint or f"live {self.handle}"
        self.uncached = "" if fingerprint else getattr(subject, "uncached", "") or UNIDENTIFIED
        self.draws = bool(getattr(subject, "draws", False))
        _SUBJECTS[self.handle] = self

    @property
    def values(self) -> dict[str, str]:
        """The section `subject` of a configuration."""
        return {"kind": "live", "name": self.name, "handle": self.handle}

    def predict(self, images: Sequence[Any]) -> Sequence[Prediction]:
        """One prediction per input."""
        return self._subject.predict(images)

    def close(self) -> None:
        """Nothing: the object belongs to the caller."""


_SUBJECTS: WeakValueDictionary[str, LiveSubject] = WeakValueDictionary()


def _open(options: LiveOptions, folder: Path) -> LiveSubject:  # noqa: ARG001
    found = _SUBJECTS.get(options.handle)
    if found is None:
        raise UserError(
            f"subject: '{options.name}' is a Python object of the process that made the run, and "
            "this process does not have it. The report, findings and pictures need no subject; to "
            "ask it again, do so where the run was made, or put the code into a file and use "
            "kind: python, such as --set subject.kind=python with --set "
            "subject.target=module:function."
        )
    return found


ADAPTER = Adapter(LiveOptions, _open, runs=())
