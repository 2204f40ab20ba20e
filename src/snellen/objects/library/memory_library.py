"""A library of cut-outs in memory, such as generated ones."""

from __future__ import annotations

from collections.abc import Iterable

from snellen.errors import UserError
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.library import Entry, entry_of


class MemoryLibrary:
    """The given cut-outs as a `Library`, without duplicates.

    >>> import numpy as np
    >>> dot = Cutout("dot", np.full((3, 3, 4), 255, np.uint8))
    >>> library = MemoryLibrary([dot, dot])
    >>> library.labels(), library.entries("dot")[0].area
    (('dot',), 9)
    """

    def __init__(self, cutouts: Iterable[Cutout]) -> None:
        self._cutouts = {cutout.id: cutout for cutout in cutouts}
        self._entries: dict[str, tuple[Entry, ...]] = {}
        for cutout in self._cutouts.values():
            before = self._entries.get(cutout.label, ())
            self._entries[cutout.label] = (*before, entry_of(cutout))

    def labels(self) -> tuple[str, ...]:
        """Names of the labels that have a cut-out, sorted."""
        return tuple(sorted(self._entries))

    def entries(self, label: str) -> tuple[Entry, ...]:
        """The cut-outs of a label, in the order given."""
        return self._entries.get(label, ())

    def cutout(self, id: str) -> Cutout:
        """The cut-out of an id."""
        if id not in self._cutouts:
            raise UserError(f"there is no object '{id}' among the {len(self._cutouts)} given.")
        return self._cutouts[id]
