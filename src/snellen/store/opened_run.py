"""A reopened run folder: what its cases are rebuilt from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from snellen.changes.recipe import Materials
from snellen.contract.method import Method
from snellen.scenes.scene import Scene
from snellen.store.findings import Finding
from snellen.vision.arrays import Image


class OpenedRun(Protocol):
    """A reopened run folder, with its scenes and its method, to rebuild cases."""

    @property
    def method(self) -> Method:
        """The method, prepared as in the run."""

    @property
    def materials(self) -> Materials:
        """What recipes refer to."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The label of each object of the run's library, by its id."""

    def scene(self, id: str) -> Scene:
        """The scene with an id."""

    def case(self, finding: Finding) -> Image:
        """The image of a case, rebuilt from its recipe."""

    def label(self, recipe: dict[str, Any]) -> str | None:
        """The label of the object that a recipe inserts, or None."""
