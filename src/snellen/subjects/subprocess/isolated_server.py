"""The process of an isolated Python subject: loads it, and answers batch after batch."""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from contextlib import suppress
from dataclasses import fields
from typing import IO, Any

from snellen.errors import SnellenError, UserError
from snellen.errors.plain_text import describe_error, error_words, message_of
from snellen.subjects.subject import Subject
from snellen.subjects.subprocess.messages import (
    Answered,
    BatchAsked,
    Failed,
    Opened,
    Opening,
    receive,
    send,
)

LAST_WORDS = 5.0
"""Seconds that a subject has to close when Snellen asks for no more."""


def main() -> None:
    """Serve until stdin ends. What the user's code prints goes to stderr."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, inbox), daemon=True).start()
    with suppress(BrokenPipeError):
        serve(inbox, replies)


def _read(pipe: IO[bytes], inbox: queue.SimpleQueue[Any]) -> None:
    with suppress(EOFError, OSError):
        while True:
            inbox.put(receive(pipe))
    inbox.put(None)
    threading.Event().wait(LAST_WORDS)
    os._exit(1)  # it hangs, and nobody waits for it any more


def serve(inbox: queue.SimpleQueue[Any], replies: IO[bytes]) -> None:
    """Answer each request; the subject is closed at the end."""
    opening: Opening | None = inbox.get()
    if opening is None:
        return
    subject = _opened(opening, replies)
    if subject is None:
        return
    while (asked := inbox.get()) is not None:
        send(replies, _answer(subject, asked))
    subject.close()


def _opened(opening: Opening, replies: IO[bytes]) -> Subject | None:
    from snellen.subjects.python import PythonOptions, open_in_process  # it imports this room

    sys.path[:] = opening.path
    try:
        options = PythonOptions.model_validate(dict(opening.options))
        subject = open_in_process(options, opening.folder)
    except BaseException as error:
        send(replies, _failure(error))
        return None
    traits: dict[str, Any] = {one.name: getattr(subject, one.name) for one in fields(Opened)}
    send(replies, Opened(**traits))
    return subject


def _answer(subject: Subject, asked: BatchAsked) -> Answered | Failed:
    try:
        return Answered(list(subject.predict(asked.images)))
    except BaseException as error:
        return _failure(error)


def _failure(error: BaseException) -> Failed:
    """An exception as it would have been reported in Snellen's own process."""
    cause = type(error.__cause__ or error).__name__
    if isinstance(error, SnellenError):
        notes = tuple(getattr(error, "__notes__", ()))
        return Failed(message_of(error), cause, notes, isinstance(error, UserError))
    if isinstance(error, Exception | SystemExit):
        return Failed(error_words(error), cause)
    return Failed(f"the subject ended the run: {describe_error(error)}", cause, final=True)
