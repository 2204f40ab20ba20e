"""How a kind of method is configured and set up, and the kinds there are."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from snellen.configuration import Options
from snellen.contract.method import Method, Setting
from snellen.contract.repairs import Retrains
from snellen.errors import UserError
from snellen.plugins import Registry
from snellen.scenes.scene import SceneSet

if TYPE_CHECKING:
    from snellen.methods.exam_entry import ExamEntry
    from snellen.methods.view import View

log = logging.getLogger(__name__)


class Starter(Protocol):
    """Writes the files that a new configuration needs, and returns the method's options."""

    def __call__(self, config: Path, scenes: SceneSet, *, force: bool) -> dict[str, Any]:
        """config: the configuration, not yet written; force: overwrite files."""


@dataclass(frozen=True)
class MethodKind:
    """How one kind of method is configured and set up, and what it shows.

    objects, scenes: whether it needs any. view: a `View`, or its `module:attribute`, imported on
    first use; None for the default.
    repairs: the ability `Repairs`, or `Retrains` alone; None where it offers neither.
    starter: a `Starter` as `module:attribute`, for a method that needs files of its own to run.
    exam: an `ExamEntry`, or its `module:attribute`; None for a method that is in no exam.
    """

    options: type[Options]
    prepare: Callable[[Any, Setting], Method]
    objects: bool = False
    scenes: bool = True
    view: View | str | None = None
    repairs: Retrains | None = None
    starter: str | None = None
    exam: ExamEntry | str | None = None

    def opened_exam(self) -> ExamEntry | None:
        """The method's part in an exam, imported now; None if it has none."""
        if not isinstance(self.exam, str):
            return self.exam
        module, _, attribute = self.exam.partition(":")
        found: ExamEntry = getattr(import_module(module), attribute)
        return found

    def opened_starter(self) -> Starter | None:
        """What writes the files of a new configuration, imported now; None if it needs none."""
        if self.starter is None:
            return None
        module, _, attribute = self.starter.partition(":")
        found: Starter = getattr(import_module(module), attribute)
        return found

    def opened_view(self) -> View:
        """What the method shows, imported now."""
        if isinstance(self.view, str):
            module, _, attribute = self.view.partition(":")
            found: View = getattr(import_module(module), attribute)
            return found
        return _default_view() if self.view is None else self.view


def view_of(method: str) -> View:
    """What a method shows; for one that is no longer installed, that it is missing."""
    if method not in METHODS.kinds():
        from snellen.methods.absent_view import AbsentView

        log.warning("method %s is not installed: its own numbers are left out", method)
        return AbsentView(method)
    kind: MethodKind = METHODS.load(method)
    return kind.opened_view()


def check_installed(method: str, run: Path) -> None:
    """An error if the method of a run is not installed; run: the folder that the error names."""
    if method not in METHODS.kinds():
        raise UserError(
            f"{run}: is a run of method '{method}', which is not installed. Install the package "
            "that brings it, as it was when the run was made."
        )


def _default_view() -> View:
    from snellen.methods.view import View  # imports the page code

    return View()


METHODS = Registry(
    "method",
    "snellen.methods",
    expected=MethodKind,
    builtin={
        "combinations": "snellen.methods.combinations.method:METHOD",
        "fusion": "snellen.methods.fusion.method:METHOD",
        "identity": "snellen.methods.identity.method:METHOD",
        "insertion": "snellen.methods.insertion.method:METHOD",
        "requirements": "snellen.methods.requirements.method:METHOD",
        "robustness": "snellen.methods.robustness.method:METHOD",
    },
)


def kinds_offering(ability: type) -> list[str]:
    """Names of the registered methods that offer `Retrains` or `Repairs`.

    A plug-in that does not load is left out.
    """
    return [name for name in METHODS.kinds() if isinstance(_repairs(name), ability)]


def _repairs(name: str) -> object:
    try:
        return METHODS.load(name).repairs
    except UserError:
        return None
