"""What a ladder of counterfactual questions has shown so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from snellen.contract.explanation import Explanation
from snellen.contract.verdict import Case
from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.explanation.ladder import CompositionLadder, Places
from snellen.methods.combinations.explanation.symptom import Symptom

ALL = slice(None)
UNFINISHED = "The budget ran out before a cause could be named."


@dataclass(frozen=True, eq=False)
class SmallestPart:
    """The smallest part with a symptom. rung: its index in the ladder; None if it is the whole."""

    symptom: Symptom
    labels: tuple[int, ...]
    rung: int | None


@dataclass(frozen=True, eq=False)
class CompositionExplanation(Explanation):
    """Why a composition fails.

    parts: the smallest part for each of its symptoms, the explained one first. triggers: class ids
    of the labels whose presence matters for that one, as far as is known.
    """

    parts: tuple[SmallestPart, ...] = ()
    triggers: tuple[int, ...] = ()


@dataclass(eq=False)
class Conclusion:
    """What is known about the cause of a failing composition; it grows with the answers.

    symptom: the one that is explained. smallest: by symptom, the objects that it takes.
    """

    ladder: CompositionLadder
    symptom: Symptom
    smallest: dict[Symptom, Places] = field(default_factory=dict)
    cause: Cause = Cause.UNEXPLAINED
    proven: bool = False
    says: str = UNFINISHED
    triggers: set[int] = field(default_factory=set)

    @property
    def places(self) -> Places:
        """The objects that the explained symptom takes."""
        return self.smallest[self.symptom]

    def tiny(self, symptom: Symptom) -> list[bool]:
        """Whether a symptom persists in the tiny variations of the whole that were asked."""
        ladder = self.ladder
        return ladder.answered(symptom, ladder.tiny(ladder.everything, ALL))

    @property
    def steady(self) -> bool:
        """Whether the explained symptom persists in all tiny variations of whole and part."""
        part = self.ladder.answered(self.symptom, self.ladder.tiny(self.places, ALL))
        return all([*self.tiny(self.symptom), *part])

    @property
    def recognised_alone(self) -> bool:
        """Whether each object that the symptom takes gets exactly its label alone."""
        ladder = self.ladder
        alone = [ladder.known(ladder.recipe.only([place])) for place in self.places]
        return not any(case.events for case in alone)

    def name(self, cause: Cause, says: str, *, proven: bool = False) -> None:
        """Set the cause and the evidence in a sentence."""
        self.cause, self.says, self.proven = cause, says, proven

    def explanation(self) -> CompositionExplanation:
        """The explanation."""
        rungs = self.ladder.rungs(self.symptom)
        ordered = sorted(self.smallest.items(), key=lambda one: one[0] != self.symptom)
        parts = tuple(self._part(*one) for one in ordered)
        own = parts[0].rung if self.symptom in self.smallest else None
        smallest: Case | None = None if own is None else rungs[own].case
        return CompositionExplanation(
            str(self.cause),
            rungs,
            smallest,
            self.proven,
            self.says,
            parts=parts,
            triggers=tuple(sorted(self.triggers)),
        )

    def _part(self, symptom: Symptom, places: Places) -> SmallestPart:
        recipe = self.ladder.recipe.only(places)
        asked = list(self.ladder.asked)
        rung = None if recipe == self.ladder.recipe else asked.index(recipe)
        return SmallestPart(symptom, tuple(sorted(self.ladder.shown(places))), rung)
