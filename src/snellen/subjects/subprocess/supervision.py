"""Supervision of subjects that run in a process of their own: limits, and starting them again."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from pydantic import Field

from snellen.configuration import Options
from snellen.errors import SnellenError, SubjectError, SubjectGoneError

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds before the second start in a row, doubled with each."""
SUPERVISION = frozenset({"isolate", "memory", "restarts", "longest_line"})
"""Options of subjects that change no answer, so that a run may be continued with other values."""


class SupervisionOptions(Options):
    """Options of subjects in a process of their own."""

    restarts: int = Field(
        default=3, ge=1, description="starts in a row that may fail before the run stops"
    )
    memory: float | None = Field(
        default=None,
        gt=0,
        description="GB of address space that each of its processes may have (Linux); null: no "
        "limit",
    )


@runtime_checkable
class Supervised(Protocol):
    """A subject that can end, and be started again, while a run lasts."""

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Start it if it does not run, however long a start may take; called before each batch.

        Raises `SubjectGoneError` if it does not start, and `SubjectError` once `stop` is set.
        """

    def restart(self) -> None:
        """End it now, from any thread; `ensure_running` starts it again."""


def start_again(
    start: Callable[[], object], what: str, times: int, stop: threading.Event | None = None
) -> None:
    """Start a process that has ended, with pauses between failures.

    what: how it ended, for the log. Raises `SubjectGoneError` after `times` failures in a row.
    """
    stop = stop or threading.Event()
    last: SnellenError | None = None
    for attempt in range(times):
        if stop.wait(PAUSE * 2 ** (attempt - 1) if attempt else 0.0):
            raise SubjectError("the run has ended")
        log.warning("%s; it is started again, attempt %d of %d", what, attempt + 1, times)
        began = time.monotonic()
        try:
            start()
        except SnellenError as error:
            last = error
            log.warning("no start within %.1f s: %s", time.monotonic() - began, error)
        else:
            log.info("it is running again after %.1f s", time.monotonic() - began)
            return
    if stop.is_set():
        raise SubjectError("the run has ended")
    raise SubjectGoneError(
        f"{what}, and {times} attempts to start it again failed (subject.restarts), so the run "
        f"stops. Finished scenes are saved; --resume continues. The last attempt: {last}"
    )
