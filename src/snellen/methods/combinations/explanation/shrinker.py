"""Shrinking: objects are removed from a failing composition while one error persists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.methods.combinations.explanation.composition_parts import CompositionParts, Places
from snellen.vision.events import Event, EventKind


@dataclass(eq=False)
class Shrinker:
    """The search for a minimal part of a composition in which one label is still wrong.

    kind: missing or extra, of the label. kept: the smallest part so far. It is minimal if removing
    any one object makes the label right.
    """

    composite: CompositionParts
    kind: EventKind
    label: int
    score: float
    kept: Places
    done: bool = False

    def wanted(self) -> list[Places]:
        """The parts to ask about next."""
        return [] if self.done else [one for one in self._smaller() if not self._known(one)]

    def advance(self) -> None:
        """Move to a smaller part in which the error persists, if any; all must be judged."""
        persisting = (one for one in self._smaller() if self._persists(one))
        found = next(persisting, None)
        if found is None:
            self.done = True
        else:
            self.kept = found

    def shortcut(self) -> None:
        """Start from the bare background or one object, if it is known to suffice."""
        least = [frozenset[int](), *(frozenset([place]) for place in sorted(self.kept))]
        for places in least:
            if self._known(places) and self._fits(places) and self._persists(places):
                self.kept, self.done = places, True
                return

    def _known(self, places: Places) -> bool:
        return places in self.composite.known

    def _smaller(self) -> list[Places]:
        parts = [self.kept - {place} for place in sorted(self.kept)]
        return [one for one in parts if self._fits(one)]

    def _fits(self, places: Places) -> bool:
        """Whether the part still shows the label, for a missing label."""
        return self.kind == EventKind.EXTRA or self.label in self.composite.shown(places)

    def _persists(self, places: Places) -> bool:
        present = bool(self.composite.output(places, self.score)[self.label])
        if self.kind == EventKind.EXTRA:
            return present
        return not present and self.label in self.composite.shown(places)


@dataclass(frozen=True, eq=False)
class EventShrinker:
    """An event and the searches for the smallest part that shows it.

    A mismatch is searched as its two halves, a missing and an extra label: it counts as a mismatch
    only if both need the same objects.
    """

    event: Event
    searches: tuple[Shrinker, ...]

    @classmethod
    def of(cls, composite: CompositionParts, event: Event, score: float) -> EventShrinker:
        """The searches for an event of a composition, not yet started."""
        parts = [(event.kind, event.label)]
        if event.kind == EventKind.MISMATCH:
            assert event.new_label is not None
            parts = [(EventKind.MISSING, event.label), (EventKind.EXTRA, event.new_label)]
        whole = composite.everything
        return cls(event, tuple(Shrinker(composite, *part, score, whole) for part in parts))

    def notes(self, names: Sequence[str], numbers: dict[Places, int]) -> list[dict[str, Any]]:
        """Its notes: one entry, or two where the searches differ. numbers: of cases."""
        event, first = self.event, self.searches[0]
        if len({search.kept for search in self.searches}) == 1:
            new = None if event.new_label is None else names[event.new_label]
            return [_note(event.kind, event.label, new, first, names, numbers)]
        return [
            _note(search.kind, search.label, None, search, names, numbers)
            for search in self.searches
        ]


def _note(
    kind: EventKind,
    label: int,
    new: str | None,
    search: Shrinker,
    names: Sequence[str],
    numbers: dict[Places, int],
) -> dict[str, Any]:
    return {
        "kind": str(kind),
        "label": names[label],
        "new_label": new,
        "labels": [names[one] for one in sorted(search.composite.shown(search.kept))],
        "case": numbers[search.kept],
        "minimal": search.done,
    }
