"""Shrinking: objects are taken away from a failing composition while one event persists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snellen.methods.combinations.parts import Composite, Places
from snellen.vision.events import Event, Kind


@dataclass(eq=False)
class Shrink:
    """The search for a minimal part of a composition in which one event still happens.

    kept: the least part known. It is minimal when taking any one object away ends the event.
    """

    composite: Composite
    event: Event
    score: float
    kept: Places
    done: bool = False

    def wanted(self) -> list[Places]:
        """The parts to know next."""
        return [] if self.done else [one for one in self._smaller() if not self._known(one)]

    def advance(self) -> None:
        """Go to a smaller part in which the event persists, if there is one; all are known."""
        persisting = (one for one in self._smaller() if self._persists(one))
        found = next(persisting, None)
        if found is None:
            self.done = True
        else:
            self.kept = found

    def shortcut(self) -> None:
        """Start from the bare background or one object, if it is known to be enough."""
        least = [frozenset[int](), *(frozenset([place]) for place in sorted(self.kept))]
        for places in least:
            if self._known(places) and self._fits(places) and self._persists(places):
                self.kept, self.done = places, True
                return

    def note(self, names: tuple[str, ...], number: int) -> dict[str, Any]:
        """What is kept of it. number: of the minimal part's case."""
        new = self.event.new_label
        shown = sorted(self.composite.shown(self.kept))
        return {
            "kind": str(self.event.kind),
            "label": names[self.event.label],
            "new_label": None if new is None else names[new],
            "labels": [names[one] for one in shown],
            "case": number,
            "minimal": self.done,
        }

    def _known(self, places: Places) -> bool:
        return places in self.composite.known

    def _smaller(self) -> list[Places]:
        parts = [self.kept - {place} for place in sorted(self.kept)]
        return [one for one in parts if self._fits(one)]

    def _fits(self, places: Places) -> bool:
        """Whether the part still shows the label that the event is about, where it must."""
        return self.event.kind == Kind.EXTRA or self.event.label in self.composite.shown(places)

    def _persists(self, places: Places) -> bool:
        seen, event = self.composite.seen(places, self.score), self.event
        shown = self.composite.shown(places)
        if event.kind == Kind.EXTRA:
            return bool(seen[event.label])
        gone = event.label in shown and not seen[event.label]
        if event.kind == Kind.MISSING:
            return gone
        assert event.new_label is not None
        return gone and bool(seen[event.new_label])
