"""A pause of Python's cyclic garbage collector while millions of small values are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """A block in which the collector does not run.

    It would go through everything read so far, over and over, and find nothing: that takes more
    than half of the time of parsing a large JSON file.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
