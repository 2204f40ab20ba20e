"""Ctrl-C that is not lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """A function that raises KeyboardInterrupt if one was asked for and got lost on its way.

    Python drops an interrupt that falls into a finalizer, such as those of a compiler at work, and
    whoever pressed Ctrl-C once would wait for the end of the run. Only where Ctrl-C does what it
    does by default, and in the main thread, which alone hears it.
    """
    asked = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.default_int_handler(number, frame)

    def check() -> None:
        if asked:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, hear)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
