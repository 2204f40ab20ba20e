"""The manifest of a run: its units and the content of their scenes, when it was started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snellen.store.journal import Journal

SHOWN = 3
"""Names listed in a message."""


@dataclass(frozen=True)
class ManifestChange:
    """How two manifests differ, by unit ids in order."""

    replaced: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: bool = False

    def __bool__(self) -> bool:
        return bool(self.replaced or self.added or self.removed or self.moved)

    def __str__(self) -> str:
        kinds = {"replaced": self.replaced, "added": self.added, "removed": self.removed}
        words = [f"{names_in_words(some)} {what}" for what, some in kinds.items() if some]
        return "; ".join(words or ["their order changed"])


def manifest_change(before: Mapping[str, str], now: Mapping[str, str]) -> ManifestChange:
    """What changed between two manifests: digests by unit id, in the order of the units.

    >>> str(manifest_change({"a": "1", "b": "2"}, {"a": "3", "c": "2"}))
    'a replaced; c added; b removed'
    """
    return ManifestChange(
        tuple(one for one, digest in before.items() if one in now and now[one] != digest),
        tuple(one for one in now if one not in before),
        tuple(one for one in before if one not in now),
        list(before) != list(now),
    )


def unit_names(journal: Journal, units: Sequence[int]) -> str:
    """The ids of units, by number, in a few words."""
    known = list(journal.manifest() or ())
    return names_in_words([known[one] if 0 <= one < len(known) else f"unit {one}" for one in units])


def names_in_words(some: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = len(some) - SHOWN
    return ", ".join(some[:SHOWN]) + (f" and {more} more" if more > 0 else "")
