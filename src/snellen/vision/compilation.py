"""Compilation of loops with numba, where they have enough to do for it to pay.

Modules with compiled loops are imported inside the functions that call them: importing numba takes
a third of a second, which `snellen --help` must not pay.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, wraps
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import numpy.typing as npt

from snellen.disk.lock import try_lock

P = ParamSpec("P")
R = TypeVar("R")
Kind = TypeVar("Kind", bound=np.generic)

FEW = 60_000
"""Steps of a loop that Python takes in about the time that compiling it would."""
PATIENCE = 300.0
"""Seconds to wait for another process that compiles the same loop before compiling it too."""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, compiled at its first call and cached on disk if possible.

    Division follows numpy (1/0 is inf), and the GIL is released while it runs. Processes that need
    the same loop at the same time wait for the one that compiles it.
    """
    from numba import njit

    _listen()
    # The wrapper for callers in C takes 5% of the compile time and has no callers.
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    try:
        return cast(Callable[P, R], _compiled_once(njit(cache=True, **options)(function)))
    except RuntimeError:  # no folder to write the cache to
        return cast(Callable[P, R], njit(**options)(function))


_waiting: list[Callable[[], None]] = []
"""What is called when something is compiled next."""


def announce_compilation(say: Callable[[], None]) -> None:
    """Call `say` once, when a loop is first compiled; not when it is read from the cache."""
    _waiting.append(say)


@cache
def _listen() -> None:
    """Watch for compilations, from now on."""
    from numba.core import event

    class Announcer(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            while _waiting:
                _waiting.pop()()

        def on_end(self, event: Any) -> None:
            """Nothing is said."""

    event.register("numba:compile", Announcer())


_steps: Counter[str] = Counter()
"""What each loop has had to do in this process so far."""


def worth_compiling(name: str, steps: int) -> bool:
    """Whether a loop that has `steps` more to do has enough for compiling it to pay.

    A first command after an installation has little to do, and would mostly compile.
    """
    _steps[name] += steps
    return _steps[name] > FEW


def loop_for(loop: Callable[P, R], steps: int) -> Callable[P, R]:
    """The compiled loop, or the same code as plain Python while it has had little to do."""
    function = getattr(loop, "py_func", None)
    if function is None or worth_compiling(f"{loop.__module__}.{loop.__name__}", steps):
        return loop
    return cast(Callable[P, R], _plain(loop))


@cache
def _plain(loop: Any) -> Any:
    """The Python function behind a loop, calling those behind the loops that it calls."""
    function = loop.py_func
    names = {
        name: _plain(value) if hasattr(value, "py_func") else value
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names
    }
    plain = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    return _numpy_division(plain)


def _numpy_division(function: Callable[P, R]) -> Callable[P, R]:
    """The function with numpy's division without warnings, as compiled."""

    @wraps(function)
    def quiet(*args: P.args, **kwargs: P.kwargs) -> R:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return quiet


def _compiled_once(loop: Any) -> Any:
    """The loop, compiled by one process at a time.

    Otherwise processes that start together all compile the same loop, and cache entries that two of
    them write at the same time for different argument types can be stored under the wrong types.
    """
    from numba.core.compiler_lock import global_compiler_lock

    if not hasattr(loop, "py_func"):  # with NUMBA_DISABLE_JIT it is the plain function
        return loop
    code, compile_loop = loop.py_func.__code__, loop.compile
    name = f"{Path(code.co_filename).stem}.{code.co_name}-{code.co_firstlineno}.lock"
    lock = Path(loop.stats.cache_path) / name

    def compile_alone(signature: Any) -> Any:
        # The process's own lock comes first: a loop compiles the loops it calls while holding both.
        with global_compiler_lock, ExitStack() as held:
            _wait_for(lock, held)
            return compile_loop(signature)

    loop.compile = compile_alone
    return loop


def _wait_for(lock: Path, held: ExitStack) -> None:
    """Take a lock file once no other process holds it; go without if it cannot be opened."""
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
    """A read-only view of the array in C order.

    Numba compiles a loop separately for writable and read-only arrays and for each memory order.
    Arrays that a loop only reads are passed like this, so that it is compiled once.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
