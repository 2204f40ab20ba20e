"""The one way in which Snellen compiles a loop.

Modules with compiled loops are imported inside the functions that call them: numba takes a third of
a second to import, which `snellen --help` must not pay.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import numpy.typing as npt

from snellen.disk.lock import try_lock

P = ParamSpec("P")
R = TypeVar("R")
Kind = TypeVar("Kind", bound=np.generic)

PATIENCE = 300.0
"""Seconds to wait for another process that compiles the same loop, before doing so as well."""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, made at its first call and kept on disk where that is possible.

    Division follows numpy (1/0 is inf), and the interpreter lock is let go while it runs. Processes
    that need the same loop at the same time wait for the one that compiles it.
    """
    from numba import njit

    # A wrapper for callers in C would take a twentieth of the time to compile, and has no callers.
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    try:
        return cast(Callable[P, R], _one_at_a_time(njit(cache=True, **options)(function)))
    except RuntimeError:  # no folder to write the cache to
        return cast(Callable[P, R], njit(**options)(function))


def _one_at_a_time(loop: Any) -> Any:
    """The loop, compiled by one process at a time.

    Without that, processes that start together all compile the same; and what two of them write to
    the cache at the same time for different types of arguments can end up under the wrong types.
    """
    from numba.core.compiler_lock import global_compiler_lock

    if not hasattr(loop, "py_func"):  # NUMBA_DISABLE_JIT leaves it as it is
        return loop
    code, compile_loop = loop.py_func.__code__, loop.compile
    name = f"{Path(code.co_filename).stem}.{code.co_name}-{code.co_firstlineno}.lock"
    lock = Path(loop.stats.cache_path) / name

    def compile_alone(signature: Any) -> Any:
        # The process's own lock goes first: a loop compiles those that it calls with both in hand.
        with global_compiler_lock, ExitStack() as held:
            _wait_for(lock, held)
            return compile_loop(signature)

    loop.compile = compile_alone
    return loop


def _wait_for(lock: Path, held: ExitStack) -> None:
    """Take a lock file as soon as no other process holds it; do without it where there is none."""
    given_up, pause = time.monotonic() + PATIENCE, 0.001
    while time.monotonic() < given_up:
        with ExitStack() as attempt:
            try:
                lock.parent.mkdir(parents=True, exist_ok=True)
                mine = attempt.enter_context(try_lock(lock))
            except OSError:
                return
            if mine:
                held.push(attempt.pop_all())
                return
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def read_only(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """The array in C order, as a view that is not to be written to.

    A loop is compiled anew for arrays that may be written to and for those that may not, and for
    each order in memory. What a loop only reads is given to it like this, so that it is compiled
    once, wherever the array comes from.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
