"""A library restricted to some labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.label_names import required_names
from snellen.objects.library.library import Entry, Library


@dataclass(frozen=True, eq=False)
class LabelSubset:
    """The objects of some labels of a library; a `Library` itself."""

    library: Library
    among: tuple[str, ...]

    def labels(self) -> tuple[str, ...]:
        """Names of the labels that have an object, sorted."""
        return tuple(label for label in self.library.labels() if label in self.among)

    def entries(self, label: str) -> Sequence[Entry]:
        """The objects of a label, in the library's order."""
        return self.library.entries(label) if label in self.among else ()

    def cutout(self, id: str) -> Cutout:
        """The cut-out of an id."""
        return self.library.cutout(id)


def of_label(library: Library, label: str | None, where: object) -> Library:
    """The objects of a label, whatever its spelling, or the library itself for None.

    A label without any object is an error that begins with `where`.
    """
    if label is None:
        return library
    return LabelSubset(library, required_names(label, library.labels(), where))
