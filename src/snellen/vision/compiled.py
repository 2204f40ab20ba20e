"""The one way in which Snellen compiles a loop.

Modules with compiled loops are imported inside the functions that call them: numba takes a third of
a second to import, which `snellen --help` must not pay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numpy as np
import numpy.typing as npt

P = ParamSpec("P")
R = TypeVar("R")
Kind = TypeVar("Kind", bound=np.generic)


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


def still(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """The array in C order, as a view that is not to be written to.

    A loop is compiled anew for arrays that may be written to and for those that may not, and for
    each order in memory. What a loop only reads is given to it like this, so that it is compiled
    once, wherever the array comes from.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
