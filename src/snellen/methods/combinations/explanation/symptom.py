"""What is wrong about a composition: a label that is missing, one that is extra, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.contract.verdict import Case
from snellen.vision.events import Event, EventKind
from snellen.vision.label_vector import LabelVector


@dataclass(frozen=True)
class Symptom:
    """Class ids of a label that is shown but not output, and of one output but not shown.

    A mismatch has both, one in place of the other.
    """

    gone: int | None = None
    come: int | None = None

    @classmethod
    def of(cls, event: Event) -> Symptom:
        """The symptom of an event."""
        if event.kind == EventKind.EXTRA:
            return cls(come=event.label)
        return cls(event.label, event.new_label if event.kind == EventKind.MISMATCH else None)

    @property
    def halves(self) -> tuple[Symptom, ...]:
        """Its missing and its extra label separately."""
        if self.gone is None or self.come is None:
            return (self,)
        return Symptom(gone=self.gone), Symptom(come=self.come)

    def persists(self, case: Case, score: float) -> bool:
        """Whether a judged case shows it, at the score threshold."""
        assert isinstance(case.before, LabelVector)
        assert isinstance(case.after, LabelVector)
        shown, said = case.before.scores > 0, case.after.present(score)
        missed = self.gone is None or bool(shown[self.gone] and not said[self.gone])
        added = self.come is None or bool(said[self.come] and not shown[self.come])
        return missed and added

    @property
    def kind(self) -> EventKind:
        """The kind of event that it is."""
        if self.gone is None:
            return EventKind.EXTRA
        return EventKind.MISSING if self.come is None else EventKind.MISMATCH

    def key(self, names: Sequence[str]) -> str:
        """The symptom as the key of a fault, as `targets_of_events` writes it.

        >>> Symptom(0, 1).key(["cat", "dog"]), Symptom(come=1).key(["cat", "dog"])
        ('mismatch cat as dog', 'extra dog')
        """
        labels = [names[id] for id in (self.gone, self.come) if id is not None]
        return f"{self.kind} {' as '.join(labels)}"

    def words(self, names: Sequence[str]) -> str:
        """The symptom as a clause.

        >>> Symptom(0, 1).words(["cat", "dog"]), Symptom(come=1).words(["cat", "dog"])
        ('the cat is labelled dog', 'the label dog is added')
        """
        if self.gone is None:
            assert self.come is not None
            return f"the label {names[self.come]} is added"
        if self.come is None:
            return f"the {names[self.gone]} is missed"
        return f"the {names[self.gone]} is labelled {names[self.come]}"
