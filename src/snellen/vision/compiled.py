"""The one way in which Snellen compiles a loop.

Modules with compiled loops are imported inside the functions that call them: numba takes a third of
a second to import, which `snellen --help` must not pay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code, made at its first call and kept on disk where that is possible.

    Division follows numpy (1/0 is inf), and the interpreter lock is let go while it runs.
    """
    from numba import njit

    options = {"nogil": True, "error_model": "numpy"}
    try:
        return cast(Callable[P, R], njit(cache=True, **options)(function))
    except RuntimeError:  # no folder to write the cache to
        return cast(Callable[P, R], njit(**options)(function))
