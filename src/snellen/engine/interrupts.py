"""Reliable Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """A function that raises KeyboardInterrupt if one was requested and lost.

    Python drops an interrupt that is raised in a finalizer, such as those of the compiler, so that
    one Ctrl-C would have no effect. Active only in the main thread, which receives signals, and
    with the default handler.
    """
    requested = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal requested
        requested = True
        signal.default_int_handler(number, frame)

    def check() -> None:
        if requested:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
