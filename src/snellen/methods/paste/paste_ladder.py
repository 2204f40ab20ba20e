"""The explanation of a failing insertion: a ladder of counterfactual questions, nearest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Generator as Yielding
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import PART, Case
from snellen.methods.paste.paste_causes import (
    COPIES,
    PATCHES,
    PasteEvidence,
    RungKind,
    clearest,
    struck_events,
)
from snellen.methods.paste.paste_counterfactuals import Counterfactual, PasteCounterfactuals
from snellen.methods.paste.paste_evidence_words import evidence_words
from snellen.vision.arrays import Boxes

OTHERS = 2
FAR = 2
FAR_PATCHES = 3

Asks = Yielding[Sequence[Question], Sequence[Answer], None]
Planned = tuple[RungKind, Counterfactual]


def struck_boxes(case: Case) -> Boxes:
    """(N, 4) xyxy boxes of what a finding strikes."""
    boxes = [event.box for event in struck_events(case) if event.box is not None]
    return np.array(boxes, dtype=np.float32).reshape(-1, 4)


@dataclass(eq=False)
class PasteLadder:
    """Asks the counterfactual questions about one finding.

    judge: the method's relation. facts: the measurements that it needs. things: the evidence about
    each thing that the finding strikes, from the same answers; questions follow the clearest.
    """

    finding: Case
    counterfactuals: PasteCounterfactuals
    judge: Callable[[Asked], Case]
    facts: Mapping[str, float]
    things: list[PasteEvidence] = field(init=False)

    def __post_init__(self) -> None:
        self.things = PasteEvidence.of(self.finding)

    def climb(self, rng: Generator) -> Explaining:
        """The explanation; if the budget ends early, what is known by then."""
        try:
            yield from self._near(rng)
            yield from self._further(clearest(self.things), rng)
        except BudgetSpentError:
            pass
        return explanation_of(self.things)

    def _further(self, found: PasteEvidence, rng: Generator) -> Asks:
        """What tells the remaining causes apart; then the smallest case that fails."""
        made = self.counterfactuals
        edge = [(RungKind.BLENDING, made.blended())]
        if found.seamed:
            far = made.far_patches(FAR_PATCHES, rng)
            yield from self._ask([*_of(RungKind.FAR_PATCH, far), *edge])
        elif found.stable:
            yield from self._ask([*_of(RungKind.FAR, made.far(FAR)), *edge])
            yield from self._shrink(found)

    def _near(self, rng: Generator) -> Asks:
        """Background, copies and other objects at the place; more of those that disagree."""
        made = self.counterfactuals
        patches = _of(RungKind.PATCH, made.patches(2 * PATCHES, rng))
        copies = _of(RungKind.COPY, made.copies(2 * COPIES))
        others = _of(RungKind.OTHER, made.others(2 * OTHERS, rng))
        yield from self._ask([*patches[:PATCHES], *copies[:COPIES], *others[:OTHERS]])
        found = clearest(self.things)
        failing, asked = found.counts(RungKind.PATCH)
        more = patches[PATCHES:] if 0 < failing < asked else []
        more += copies[COPIES:] if found.stable is None else []
        more += others[OTHERS:] if found.crowded is None else []
        if more and (failing or found.stable is not False):
            yield from self._ask(more)

    def _shrink(self, found: PasteEvidence) -> Asks:
        """The smallest size that still fails, then the least opacity at that size."""
        whole = self.counterfactuals.recipe
        small = yield from self._bisected(found, self.counterfactuals.sizes())
        yield from self._bisected(found, self.counterfactuals.opacities(small or whole))

    def _bisected(
        self, of: PasteEvidence, series: Sequence[Counterfactual]
    ) -> Yielding[Sequence[Question], Sequence[Answer], Insert | None]:
        """The last of a series that fails, if failing ones come first; None if none does."""
        low, high, found = -1, len(series), None
        while high - low > 1:
            middle = (low + high) // 2
            yield from self._ask([(RungKind.SMALLER, series[middle])])
            if of.asked[-1].persists:
                low, found = middle, series[middle].recipe
            else:
                high = middle
        assert found is None or isinstance(found, Insert)
        return found

    def _ask(self, planned: Sequence[Planned]) -> Asks:
        """Ask in one step, and add the answers to the evidence."""
        scene = self.counterfactuals.around.scene
        answers = yield [Question(scene, one.recipe) for _, one in planned]
        assert self.finding.before is not None
        before = Answer(self.finding.before)
        for (kind, one), answer in zip(planned, answers, strict=False):
            asked = Asked(scene, one.recipe, answer, before, PART, self.facts)
            case = self.judge(asked)
            for thing in self.things:
                thing.add(kind, one.name, case)


def explanation_of(things: Sequence[PasteEvidence]) -> Explanation:
    """The explanation of the clearest thing, with those of the others.

    Of another one only what the questions about the first can tell: they do not ask far away about
    an edge that strikes another one.
    """
    first = clearest(things)
    smaller = [one.case for one in first.by_kind[RungKind.SMALLER] if one.persists]
    others = [one for one in things if one is not first and one.seamed == first.seamed]
    return Explanation(
        first.cause,
        tuple(first.asked),
        smaller[-1] if smaller else None,
        first.proven,
        evidence_words(first),
        first.events if len(things) > 1 else (),
        tuple(
            Explanation(one.cause, (), None, one.proven, evidence_words(one), one.events)
            for one in others
        ),
    )


def _of(kind: RungKind, made: Sequence[Counterfactual]) -> list[Planned]:
    return [(kind, one) for one in made]
