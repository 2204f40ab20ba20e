"""The explanation of a finding: how little of a change still breaks it, and which subtask."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.changes.recipe import Recipe
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation, Rung
from snellen.contract.fault_target import events_by_thing, strike_the_same
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import PART, Case
from snellen.methods.requirements.change_axes import MEASURES
from snellen.scenes.scene import Scene
from snellen.vision.events import Event, Severity

VARIATION = "the same change, drawn again"
ENCODED = "the unchanged scene, encoded again"
LESS = "less of the same change"
AGAIN = {
    True: "; so does the same change drawn again",
    False: "; the same change drawn again does not",
    None: "",
}
ENCODED_AGAIN = {
    True: "; so does encoding the unchanged scene again",
    False: "; encoding the unchanged scene again does not",
    None: "",
}
NEAR = 0.1
"""The smallest change is known when it is within this share of itself."""
MOST_STEPS = 7

Asks = Generator[Sequence[Question], Sequence[Answer], bool]


@dataclass(eq=False)
class LevelLadder:
    """Asks about less of the change that breaks a case.

    finding: the case. judge: the method's relation. stage: the subtask that an event breaks in a
    case. rungs: those answered so far.
    """

    finding: Case
    scene: Scene
    judge: Callable[[Asked], Case]
    stage: Callable[[Case, Event], str]
    rungs: list[Rung] = field(default_factory=list)

    def climb(self, seed: int) -> Explaining:
        """The explanation; seed: of the same change drawn again.

        If the budget ends early, what is known by then.
        """
        recipe = self.finding.recipe
        assert isinstance(recipe, CorruptTo)
        try:
            yield from self._ask(VARIATION, replace(recipe, seed=seed))
            yield from self._ask(ENCODED, Reencode(*scene_encoding(self.scene)))
            if self._persists(VARIATION):
                yield from self._bisect(recipe)
        except BudgetSpentError:
            pass
        first, *others = self.things
        smaller = [one.case for one in self.rungs if one.name == LESS and one.persists]
        found = self._explained(first, min(smaller, key=_change, default=None))
        rest = [self._explained(one, None) for one in others]
        return replace(found, rungs=tuple(self.rungs), others=tuple(rest))

    def _explained(self, events: Sequence[Event], smallest: Case | None) -> Explanation:
        """The explanation of one thing, without rungs; smallest: the least change that breaks it.

        The same change drawn again and the unchanged scene tell about everything that is struck;
        less of it was asked only for the worst.
        """
        known = {one.name: _strikes(events, one.case) for one in self.rungs if one.name != LESS}
        at = smallest or self.finding
        cause = self.stage(at, next(one for one in _hard(at) if strike_the_same(events[0], one)))
        again, encoded = known.get(VARIATION), known.get(ENCODED)
        words = self._says(cause, at, again=again, encoded=encoded)
        proven = again is True and encoded is False
        return Explanation(cause, (), smallest, proven, words, tuple(events))

    def _bisect(self, recipe: CorruptTo) -> Generator[Sequence[Question], Sequence[Answer], None]:
        """The least visual change that still breaks it, by halving the range."""
        low, high = 0.0, min(recipe.delta_v, _change(self.finding))
        for _ in range(MOST_STEPS):
            if high - low <= NEAR * high:
                return
            middle = round((low + high) / 2, 4)
            breaks = yield from self._ask(LESS, replace(recipe, delta_v=middle))
            low, high = (low, middle) if breaks else (middle, high)

    def _ask(self, name: str, recipe: Recipe) -> Asks:
        """Ask about one counterfactual; whether the same thing is broken."""
        assert self.finding.before is not None
        [answer] = yield [Question(self.scene, recipe, MEASURES)]
        before = Answer(self.finding.before)
        case = self.judge(Asked(self.scene, recipe, answer, before, PART))
        breaks = _strikes(self.things[0], case)
        self.rungs.append(Rung(name, case, breaks))
        return breaks

    @property
    def things(self) -> list[tuple[Event, ...]]:
        """The hard events by what they strike, worst first; less is asked only for the first."""
        return events_by_thing(_hard(self.finding))

    def _persists(self, name: str) -> bool | None:
        return next((one.persists for one in self.rungs if one.name == name), None)

    def _says(self, cause: str, at: Case, *, again: bool | None, encoded: bool | None) -> str:
        """The evidence in one sentence. at: the least change known to break it."""
        recipe = self.finding.recipe
        assert isinstance(recipe, CorruptTo)
        least = f"from a visual change of {_change(at):.2g} on "
        asked = f"(asked at {_change(self.finding):.2g})"
        where = f"at a visual change of {_change(at):.2g}" if at is self.finding else least + asked
        return f"{recipe.corruption} breaks {cause} {where}{AGAIN[again]}{ENCODED_AGAIN[encoded]}"


def _hard(case: Case) -> list[Event]:
    return [one for one in case.events if one.severity == Severity.HARD]


def _strikes(events: Sequence[Event], case: Case) -> bool:
    """Whether a case breaks the same thing as these events."""
    return any(strike_the_same(events[0], one) for one in _hard(case))


def _change(case: Case) -> float:
    """The visual change of a case."""
    return float(case.measurements["delta_v"])


def seed_for(draw: int, own: int) -> int:
    """A seed other than a recipe's own; draw: a random one.

    >>> seed_for(4, 7), seed_for(7, 7)
    (4, 8)
    """
    return draw + (draw >= own)
