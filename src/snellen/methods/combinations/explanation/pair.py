"""Two objects that fail together: which one triggers it, and their layouts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from snellen.changes.compose.compose import Compose
from snellen.methods.combinations.explanation.conclusion import Conclusion
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.pair_layout import PairLayout
from snellen.objects.library.library import Library


@dataclass(frozen=True, eq=False)
class Nearness:
    """Whether the symptom persists with the two apart (in each layout), touching, and as found.

    touching: None if they do not overlap as found.
    """

    apart: list[bool]
    touching: bool | None
    together: bool

    @property
    def mostly_apart(self) -> bool:
        """Whether it persists in most layouts apart."""
        return 2 * sum(self.apart) > len(self.apart)


@dataclass(frozen=True, eq=False)
class Pair:
    """The two objects that the symptom of a composition takes."""

    found: Conclusion
    library: Library

    @cached_property
    def layout(self) -> PairLayout:
        """Their layouts."""
        return PairLayout(self.found.ladder.recipe.only(self.found.places), self.library)

    @cached_property
    def labels(self) -> tuple[int, ...]:
        """The class id of the one behind and of the one in front."""
        return tuple(self.found.ladder.labels[place] for place in sorted(self.found.places))

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.found.ladder.names[label] for label in self.labels)

    @property
    def triggers(self) -> list[int]:
        """Which of the two may be the trigger: the one that is not missing, or both."""
        return [place for place in (0, 1) if self.labels[place] != self.found.symptom.gone]

    @property
    def _who(self) -> str:
        """The trigger with its place, or both."""
        if len(self.triggers) == 2:
            return f"With the {self.names[0]} and the {self.names[1]} together"
        [place] = self.triggers
        _, x, y, width, height = self.layout.pair.placed[place]
        return f"With the {self.names[place]} at ({x + width // 2}, {y + height // 2})"

    @property
    def effect(self) -> str:
        """What happens with the two, as the start of a sentence."""
        return f"{self._who} {self.found.symptom.words(self.found.ladder.names)}"

    @property
    def alone(self) -> str:
        """What happens with each alone, as a clause."""
        return "each is right alone" if self.found.recognised_alone else "not so with each alone"

    @property
    def founded(self) -> bool:
        """Whether the symptom is steady, and the objects alone get exactly their labels."""
        return self.found.steady and self.found.recognised_alone

    @property
    def canvas(self) -> str:
        """The end of a rung's name that says how the canvas was enlarged."""
        width, height = self.layout.size
        return f", on a canvas of {width} x {height}" if self.layout.enlarged else ""

    def rung(self, words: str, recipe: Compose) -> tuple[str, Compose]:
        """A layout of the two, named."""
        return f"{self.names[0]} and {self.names[1]} {words}{self.canvas}", recipe

    def nearness(self) -> Inquiry[Nearness]:
        """The two apart, touching if they overlap, and as found if the canvas was enlarged."""
        layout, overlapping = self.layout, max(self.layout.overlaps) > 0
        rungs = [
            self.rung("apart", layout.apart()),
            self.rung("apart, sides swapped", layout.apart(swapped=True)),
            self.rung("as found", layout.together()),
        ]
        rungs += [self.rung("touching", layout.in_contact())] if overlapping else []
        ladder, symptom = self.found.ladder, self.found.symptom
        first, second, together, *touching = yield from ladder.persisting(symptom, rungs)
        apart = [first, second]
        if first != second:
            third = self.rung("apart, shifted by 1 px", layout.apart().padded(1, 1, 0, 0))
            apart += yield from ladder.persisting(symptom, [third])
        return Nearness(apart, touching[0] if touching else None, together)
