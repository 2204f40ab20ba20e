"""The base class of subjects that wrap another subject."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import Any

from snellen.subjects.subject import Prediction, ShownSubject, Subject


class Wrapper(ShownSubject):
    """A subject that answers like the wrapped one; subclasses override `predict`.

    variant: the difference, part of `name` and `fingerprint`. parameters: whatever else changes
    answers.
    """

    def __init__(self, subject: Subject, variant: str, *parameters: object) -> None:
        self.subject = subject
        self.name = f"{subject.name}, {variant}"
        self.task = subject.task
        self.classes = subject.classes
        self.score = subject.score
        self.batch = subject.batch
        self.deterministic = subject.deterministic
        self.tolerance = subject.tolerance
        self.uncached = str(getattr(subject, "uncached", ""))
        parts = repr((subject.fingerprint, variant, *parameters)).encode()
        self.fingerprint = hashlib.blake2b(parts, digest_size=16).hexdigest()

    def predict(self, images: Sequence[Any]) -> Sequence[Prediction]:
        """One prediction per image."""
        return self.subject.predict(images)

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Start the wrapped subject if it has ended, if it supports that."""
        ensure = getattr(self.subject, "ensure_running", None)
        if ensure is not None:
            ensure(stop)

    def restart(self) -> None:
        """Restart the wrapped subject, if it supports that."""
        restart = getattr(self.subject, "restart", None)
        if restart is not None:
            restart()

    def close(self) -> None:
        """Close the wrapped subject."""
        self.subject.close()
