"""Registries of named kinds (subjects, scene readers, methods), built in or from plug-ins.

A kind is imported on first use. Other packages add kinds through entry points; a plug-in that fails
to import is reported and skipped, never fatal.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from typing import Any

from snellen.errors import UserError, nearest

log = logging.getLogger(__name__)


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group by name; cached, as the lookup reads every package's metadata."""
    return {point.name: point for point in entry_points(group=group)}


@cache
def reinstall_hint() -> str:
    """A sentence that asks for a reinstall if Snellen's own entry points are missing; else empty.

    They are read from the metadata of the installed package. A source tree on the path has none,
    and an editable installation keeps those of the day it was made.
    """
    try:
        points = list(distribution("snellen").entry_points)
    except PackageNotFoundError:
        points = []
    if any(point.group.startswith("snellen.") for point in points):
        return ""
    return (
        " Snellen's package metadata is missing or out of date, so kinds that it declares as entry "
        "points are not listed: reinstall it (in a source tree with `pip install -e .`)."
    )


@dataclass(frozen=True)
class Registry:
    """The kinds of one group, each as `module:attribute`, including those of plug-ins.

    what: the word for messages, such as `subject`. group: the entry-point group. expected: what
    every kind is an instance or a subclass of; None where anything goes.
    """

    what: str
    group: str
    builtin: Mapping[str, str]
    expected: type | None = None

    def kinds(self) -> list[str]:
        """The names of all kinds, built-in ones first."""
        return [*self.builtin, *sorted(set(self._plugins()) - set(self.builtin))]

    def check(self, kind: object, where: str) -> str:
        """The kind's name; raises an error that starts with `where` if there is no such kind."""
        if not isinstance(kind, str):
            expected = ", ".join(self.kinds())
            raise UserError(f"{where}: found {kind!r}, expected one of {expected}")
        if kind not in self.kinds():
            raise UserError(f"{where}: unknown {self.what} {self._unknown(kind)}")
        return kind

    def is_foreign(self, kind: object) -> bool:
        """Whether another package than Snellen brings the kind."""
        known = isinstance(kind, str) and kind not in self.builtin and kind in self._plugins()
        return known and not self._is_own(str(kind))

    def load(self, kind: str) -> Any:
        """The object registered for the kind, imported now."""
        if kind in self.builtin:
            module, _, attribute = self.builtin[kind].partition(":")
            return getattr(import_module(module), attribute)
        plugin = self._plugins().get(kind)
        if plugin is None:
            raise UserError(f"unknown {self.what} kind {self._unknown(kind)}")
        try:
            return self._checked(plugin.load())
        except Exception as error:
            raise UserError(
                f"the plug-in '{plugin.value}' for {self.what} kind '{kind}' does not load: "
                f"{error!r}. Fix or uninstall it."
            ) from error

    def broken(self) -> dict[str, str]:
        """The plug-ins that fail to import, with the reason of each."""
        found = {}
        for name, plugin in self._plugins().items():
            try:
                self._checked(plugin.load())
            except Exception as error:
                log.warning("plug-in %s (%s) is skipped: %r", name, plugin.value, error)
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

    def _unknown(self, kind: str) -> str:
        clause, hint = nearest(kind, self.kinds()), reinstall_hint()
        stop = "." if hint and not clause.endswith("?") else ""
        return f"'{kind}'{clause}{stop}{hint}"

    def _plugins(self) -> dict[str, EntryPoint]:
        return installed(self.group)
