"""The owner's overview, made once for all who ask at a time: fitting its curves takes a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from snellen.study.participation import Participation
from snellen.study.trial import Overview

FRESH_SECONDS = 2.0


class LiveOverview:
    """The overview of a study, at most `FRESH_SECONDS` old. Several threads may ask."""

    def __init__(self, study: Participation, clock: Callable[[], float] = time.monotonic) -> None:
        self._study, self._clock, self._lock = study, clock, Lock()
        self._last: tuple[float, Overview] | None = None

    def now(self) -> Overview:
        """The overview as it is, or was a moment ago."""
        with self._lock:
            if self._last is None or self._clock() - self._last[0] > FRESH_SECONDS:
                made = self._study.overview()
                self._last = self._clock(), made  # also for those who waited for it
            return self._last[1]

    def after(self, running: bool) -> Overview:
        """The overview after the study was stopped or resumed."""
        self._study.set_running(running)
        with self._lock:
            self._last = None
        return self.now()
