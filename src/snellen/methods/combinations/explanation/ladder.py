"""The ladder of counterfactual questions about one failing composition, each asked once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Generator as Yielding
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from snellen.changes.compose.compose import Compose
from snellen.contract.asked import Asked
from snellen.contract.explanation import Rung
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import PART, Case
from snellen.methods.combinations.explanation.symptom import Symptom
from snellen.scenes.scene import Scene

Returned = TypeVar("Returned")
Inquiry: TypeAlias = Yielding[list[Question], Sequence[Answer], Returned]
"""A step that asks counterfactual questions and returns what they show."""
Places: TypeAlias = frozenset[int]
"""The objects of a composition that are shown, as indices in its recipe."""
Counterfactual: TypeAlias = tuple[str, Compose]
"""The name of a rung, and its recipe."""

TINY: tuple[tuple[str, tuple[int, int, int, int]], ...] = (
    ("shifted by 2 px to the right", (2, 0, 0, 0)),
    ("shifted by 2 px down", (0, 2, 0, 0)),
    ("with a border of 1 px more", (1, 1, 1, 1)),
    ("shifted by 1 px to the right and down", (1, 1, 0, 0)),
    ("with a border of 2 px more", (2, 2, 2, 2)),
)
"""Variations that no cause survives by accident: pixels added left, on top, right and below."""


@dataclass(eq=False)
class CompositionLadder:
    """A failing composition and the counterfactuals asked about it so far.

    case: the finding. labels: for each object of its recipe, its label's id. names: of all labels.
    score: the subject's threshold.
    """

    case: Case
    labels: tuple[int, ...]
    names: Sequence[str]
    scene: Scene
    judge: Callable[[Asked], Case]
    score: float
    asked: dict[Compose, tuple[str, Case]] = field(default_factory=dict)

    @property
    def recipe(self) -> Compose:
        """The recipe of the finding."""
        assert isinstance(self.case.recipe, Compose)
        return self.case.recipe

    @property
    def everything(self) -> Places:
        """All objects of the finding."""
        return frozenset(range(len(self.labels)))

    def ask(self, wanted: Iterable[Counterfactual]) -> Inquiry[list[Case]]:
        """The judged counterfactuals; those asked before are not asked again."""
        rungs = list(wanted)
        new = {one: name for name, one in rungs if one != self.recipe and one not in self.asked}
        if new:
            answers = yield [Question(self.scene, one) for one in new]
            for (one, name), answer in zip(new.items(), answers, strict=True):
                self.asked[one] = name, self.judge(Asked(self.scene, one, answer, role=PART))
        return [self.known(one) for _, one in rungs]

    def persisting(self, symptom: Symptom, wanted: Iterable[Counterfactual]) -> Inquiry[list[bool]]:
        """For each counterfactual, whether the symptom persists."""
        cases = yield from self.ask(wanted)
        return [symptom.persists(case, self.score) for case in cases]

    def answered(self, symptom: Symptom, wanted: Iterable[Counterfactual]) -> list[bool]:
        """The same for those of the counterfactuals that were asked."""
        known = [self.known(one) for _, one in wanted if one in self.asked]
        return [symptom.persists(case, self.score) for case in known]

    def known(self, recipe: Compose) -> Case:
        """The judged case of a recipe that was asked."""
        return self.case if recipe == self.recipe else self.asked[recipe][1]

    def part(self, places: Places) -> Counterfactual:
        """The composition with only some of its objects, at their places."""
        return self.named(places, ""), self.recipe.only(places)

    def tiny(self, places: Places, which: slice) -> list[Counterfactual]:
        """Tiny variations of a part."""
        recipe = self.recipe.only(places)
        return [(self.named(places, words), recipe.padded(*by)) for words, by in TINY[which]]

    def named(self, places: Places, words: str) -> str:
        """The name of a rung about some of the objects, such as `cat alone, shifted ...`."""
        whole = places == self.everything
        shown = [self.names[self.labels[place]] for place in sorted(places)]
        what = " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
        what = f"only {what}" if len(shown) > 1 else f"{what} alone" if shown else "bare background"
        return words if whole and words else ", ".join(filter(None, [what, words]))

    def shown(self, places: Places) -> set[int]:
        """The labels of some of the objects."""
        return {self.labels[place] for place in places}

    def rungs(self, symptom: Symptom) -> tuple[Rung, ...]:
        """The rungs in the order asked, and whether the symptom persists in each."""
        return tuple(
            Rung(name, case, symptom.persists(case, self.score))
            for name, case in self.asked.values()
        )
