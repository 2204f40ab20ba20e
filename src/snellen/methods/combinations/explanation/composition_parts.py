"""A composition and its parts: the same canvas with some of the objects, asked on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from snellen.changes.compose.compose import Compose
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import PART, Case
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Bools
from snellen.vision.label_vector import LabelVector

Places = frozenset[int]
"""The objects of a composition that are shown, as indices in its recipe."""


@dataclass(eq=False)
class CompositionParts:
    """A judged composition, and the judged parts of it.

    labels: for each object of the recipe, its label's id. case: the composition, judged.
    """

    recipe: Compose
    labels: tuple[int, ...]
    case: Case
    known: dict[Places, Case] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known[self.everything] = self.case

    @property
    def everything(self) -> Places:
        """All of its objects."""
        return frozenset(range(len(self.labels)))

    def shown(self, places: Iterable[int]) -> set[int]:
        """The labels of these objects."""
        return {self.labels[place] for place in places}

    def question(self, scene: Scene, places: Places) -> Question:
        """The question about a part."""
        return Question(scene, self.recipe.only(places))

    def learn(
        self, judge: Callable[[Asked], Case], scene: Scene, places: Places, answer: Answer
    ) -> None:
        """Judge and store the answer about a part."""
        recipe = self.recipe.only(places)
        self.known[places] = judge(Asked(scene, recipe, answer, role=PART))

    def output(self, places: Places, score: float) -> Bools:
        """Which labels the subject outputs for a part, (C,)."""
        after = self.known[places].after
        assert isinstance(after, LabelVector)
        return after.present(score)

    def exact(self, places: Places) -> bool:
        """Whether a part got exactly the right labels, not even borderline."""
        return not self.known[places].events
