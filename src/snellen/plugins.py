"""Named kinds of things (subjects, scene readers, methods): built in, or brought by a plug-in.

A kind is imported when it is first used. Other packages add kinds through entry points; one that
does not import is reported and left out, never fatal.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from snellen.errors import UserError, nearest

log = logging.getLogger(__name__)


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group by name; looked up once, since it reads every package's file."""
    return {point.name: point for point in entry_points(group=group)}


@dataclass(frozen=True)
class Registry:
    """The kinds of one group, each as `module:attribute`, with those of plug-ins added.

    what: the word for messages, such as `subject`. group: the entry-point group. expected: what
    every kind is an instance or a subclass of; None where anything goes.
    """

    what: str
    group: str
    builtin: Mapping[str, str]
    expected: type | None = None

    def kinds(self) -> list[str]:
        """Every kind's name, the built-in ones first."""
        return [*self.builtin, *sorted(set(self._plugins()) - set(self.builtin))]

    def check(self, kind: object, where: str) -> str:
        """The kind's name if there is one of that name; else an error that begins with `where`."""
        if not isinstance(kind, str):
            expected = ", ".join(self.kinds())
            raise UserError(f"{where}: found {kind!r}, expected one of {expected}")
        if kind not in self.kinds():
            raise UserError(f"{where}: unknown {self.what} '{kind}'{nearest(kind, self.kinds())}")
        return kind

    def load(self, kind: str) -> Any:
        """What the kind stands for, imported now."""
        if kind in self.builtin:
            module, _, attribute = self.builtin[kind].partition(":")
            return getattr(import_module(module), attribute)
        plugin = self._plugins().get(kind)
        if plugin is None:
            raise UserError(f"unknown {self.what} kind '{kind}'{nearest(kind, self.kinds())}")
        try:
            return self._checked(plugin.load())
        except Exception as error:
            raise UserError(
                f"the plug-in '{plugin.value}' for {self.what} kind '{kind}' does not load: "
                f"{error!r}. Mend or uninstall it."
            ) from error

    def broken(self) -> dict[str, str]:
        """The plug-ins that do not import, with the reason of each."""
        found = {}
        for name, plugin in self._plugins().items():
            try:
                self._checked(plugin.load())
            except Exception as error:
                log.warning("plug-in %s (%s) is left out: %r", name, plugin.value, error)
                found[name] = repr(error)
        return found

    def load_all(self, *, own: bool = False) -> dict[str, Any]:
        """Every kind that imports, by name; broken plug-ins are reported and left out.

        own: only those that Snellen itself brings.
        """
        left_out = set() if own else set(self.broken()) - set(self.builtin)
        wanted = [kind for kind in self.kinds() if not own or self._is_own(kind)]
        return {kind: self.load(kind) for kind in wanted if kind not in left_out}

    def _is_own(self, kind: str) -> bool:
        if kind in self.builtin:
            return True
        package = getattr(self._plugins()[kind], "dist", None)
        return package is not None and package.name == "snellen"

    def _checked(self, found: Any) -> Any:
        """What a plug-in brings, if it is of the expected type."""
        if self.expected is None or isinstance(found, self.expected):
            return found
        if isinstance(found, type) and issubclass(found, self.expected):
            return found
        raise TypeError(f"found {found!r}, expected {self.expected.__name__}")

    def _plugins(self) -> dict[str, EntryPoint]:
        return installed(self.group)
