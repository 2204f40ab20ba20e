"""Reliable Ctrl-C, and SIGTERM that ends a run in the same way."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from snellen.errors import INTERRUPTED, TERMINATED


class Terminated(KeyboardInterrupt):
    """SIGTERM, by which containers, schedulers and CI stop a job."""


def interruption_code(interrupt: BaseException) -> int:
    """The exit code of a command that was interrupted: 143 by SIGTERM, 130 otherwise."""
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED


def interruption_word(interrupt: BaseException) -> str:
    """What happened to a command: `terminated` by SIGTERM, `interrupted` otherwise."""
    return "terminated" if isinstance(interrupt, Terminated) else "interrupted"


def _terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise Terminated


@contextmanager
def termination() -> Iterator[None]:
    """While it lasts, SIGTERM raises `Terminated`, so that subjects and files are closed.

    Active only in the main thread, and where nobody else handles SIGTERM.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """A function that raises KeyboardInterrupt, or `Terminated`, if one was requested and lost.

    Python drops an exception that is raised in a finalizer, such as those of the compiler, so that
    one Ctrl-C would have no effect. Active only in the main thread, which receives signals, and
    for signals with the default handler or that of `termination`.
    """
    _requested.clear()
    with _handled():
        yield _check


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off an interrupt of a run until the block has ended.

    For what must not be left half done, such as a started process that nobody knows of yet. Has an
    effect only within `interrupts`, in the main thread.
    """
    _put_off.append(None)
    try:
        yield
    finally:
        _put_off.pop()
    if threading.current_thread() is threading.main_thread():
        _check()


_requested: list[type[KeyboardInterrupt]] = []
_put_off: list[None] = []


def _handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    _requested.append(_INTERRUPTS[number])
    if not _put_off:
        raise _INTERRUPTS[number]


def _check() -> None:
    if _requested:
        raise _requested[-1]


_INTERRUPTS: dict[int, type[KeyboardInterrupt]] = {
    signal.SIGINT: KeyboardInterrupt,
    signal.SIGTERM: Terminated,
}
_REPLACED = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _terminate}


@contextmanager
def _handled() -> Iterator[None]:
    main = threading.current_thread() is threading.main_thread()
    mine = {
        number: own for number, own in _REPLACED.items() if main and signal.getsignal(number) is own
    }
    for number in mine:
        signal.signal(number, _handle)
    try:
        yield
    finally:
        for number, own in mine.items():
            signal.signal(number, own)
        _requested.clear()
