"""Packages that are installed, made to look as if they were not."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any


class _Finder:
    """A finder of modules that finds all but the hidden ones."""

    def __init__(self, finder: Any, hidden: Collection[str]) -> None:
        self._finder, self._hidden = finder, hidden

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """What the finder finds, None for a hidden package and all that is in it."""
        if name.partition(".")[0] in self._hidden:
            return None
        return self._finder.find_spec(name, path, target)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def hide(names: Collection[str]) -> None:
    """Let no package of these names be found from now on, in this process.

    An import raises ModuleNotFoundError and `find_spec` gives None, as where it is not installed.
    One that is imported already would still be there, so that is refused.
    """
    loaded = sorted(set(names) & set(sys.modules))
    if loaded:
        raise RuntimeError(f"{', '.join(loaded)}: imported before it could be hidden")
    sys.meta_path[:] = [_Finder(finder, names) for finder in sys.meta_path]
