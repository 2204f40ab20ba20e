"""The explanation of a failing insertion: a ladder of counterfactual questions, nearest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Generator as Yielding
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation, Rung
from snellen.contract.fault_target import strike_the_same
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import PART, Case, Status
from snellen.methods.paste_causes import (
    COPIES,
    PATCHES,
    PasteEvidence,
    RungKind,
)
from snellen.methods.paste_counterfactuals import Counterfactual, PasteCounterfactuals
from snellen.methods.paste_evidence_words import evidence_words
from snellen.vision.arrays import Boxes
from snellen.vision.events import Event, Severity

OTHERS = 2
FAR = 2
FAR_PATCHES = 3

Asks = Yielding[Sequence[Question], Sequence[Answer], None]
Planned = tuple[RungKind, Counterfactual]


def struck_events(case: Case) -> tuple[Event, ...]:
    """The hard events of a finding; all if it has none, as when any change counts as failing."""
    hard = tuple(event for event in case.events if event.severity == Severity.HARD)
    return hard or case.events


def struck_boxes(case: Case) -> Boxes:
    """(N, 4) xyxy boxes of what a finding strikes."""
    boxes = [event.box for event in struck_events(case) if event.box is not None]
    return np.array(boxes, dtype=np.float32).reshape(-1, 4)


def strikes_again(finding: Case, case: Case) -> bool:
    """Whether a failing counterfactual strikes something that the finding strikes, too."""
    if case.status != Status.FAILING:
        return False
    wanted = struck_events(finding)
    return not wanted or any(
        strike_the_same(one, event) for one in wanted for event in struck_events(case)
    )


@dataclass(eq=False)
class PasteLadder:
    """Asks the counterfactual questions about one finding.

    judge: the method's relation. facts: the measurements that it needs.
    """

    finding: Case
    counterfactuals: PasteCounterfactuals
    judge: Callable[[Asked], Case]
    facts: Mapping[str, float]
    evidence: PasteEvidence = field(default_factory=PasteEvidence)

    def climb(self, rng: Generator) -> Explaining:
        """The explanation; if the budget ends early, what is known by then."""
        found, made = self.evidence, self.counterfactuals
        try:
            yield from self._near(rng)
            edge = [(RungKind.BLENDING, made.blended())]
            if found.seamed:
                far = made.far_patches(FAR_PATCHES, rng)
                yield from self._ask([*_of(RungKind.FAR_PATCH, far), *edge])
            elif found.stable:
                yield from self._ask([*_of(RungKind.FAR, made.far(FAR)), *edge])
                yield from self._shrink()
        except BudgetSpentError:
            pass
        smaller = [one.case for one in found.by_kind[RungKind.SMALLER] if one.persists]
        smallest = smaller[-1] if smaller else None
        words = evidence_words(found)
        return Explanation(found.cause, tuple(found.asked), smallest, found.proven, words)

    def _near(self, rng: Generator) -> Asks:
        """Background, copies and other objects at the place; more of those that disagree."""
        made, found = self.counterfactuals, self.evidence
        patches = _of(RungKind.PATCH, made.patches(2 * PATCHES, rng))
        copies = _of(RungKind.COPY, made.copies(2 * COPIES))
        others = _of(RungKind.OTHER, made.others(2 * OTHERS, rng))
        yield from self._ask([*patches[:PATCHES], *copies[:COPIES], *others[:OTHERS]])
        failing, asked = found.counts(RungKind.PATCH)
        more = patches[PATCHES:] if 0 < failing < asked else []
        more += copies[COPIES:] if found.stable is None else []
        more += others[OTHERS:] if found.crowded is None else []
        if more and (failing or found.stable is not False):
            yield from self._ask(more)

    def _shrink(self) -> Asks:
        """The smallest size that still fails, then the least opacity at that size."""
        whole = self.counterfactuals.recipe
        small = yield from self._bisected(self.counterfactuals.sizes())
        yield from self._bisected(self.counterfactuals.opacities(small or whole))

    def _bisected(
        self, series: Sequence[Counterfactual]
    ) -> Yielding[Sequence[Question], Sequence[Answer], Insert | None]:
        """The last of a series that fails, if failing ones come first; None if none does."""
        low, high, found = -1, len(series), None
        while high - low > 1:
            middle = (low + high) // 2
            yield from self._ask([(RungKind.SMALLER, series[middle])])
            if self.evidence.asked[-1].persists:
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
            self.evidence.add(kind, Rung(one.name, case, strikes_again(self.finding, case)))


def _of(kind: RungKind, made: Sequence[Counterfactual]) -> list[Planned]:
    return [(kind, one) for one in made]
