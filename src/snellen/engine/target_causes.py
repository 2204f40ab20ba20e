"""What the findings of a unit strike, and why each of it is struck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from snellen.contract.explanation import Explanation, NamedCause
from snellen.contract.fault_target import FaultTarget, is_among
from snellen.contract.method import Method
from snellen.contract.verdict import Case
from snellen.vision.events import Event


@dataclass(frozen=True, eq=False)
class FindingTargets:
    """What each finding among the cases of a unit strikes, by its number.

    classes: the subject's.
    """

    method: Method
    cases: Sequence[Case]
    classes: Sequence[str]
    struck: Mapping[int, tuple[FaultTarget, ...]]

    @classmethod
    def of(
        cls, method: Method, cases: Sequence[Case], numbers: Sequence[int], classes: Sequence[str]
    ) -> FindingTargets:
        """Those of the findings with these numbers."""
        struck = {number: method.struck(cases[number], classes) for number in numbers}
        return cls(method, cases, classes, struck)

    def causes(self, number: int, explanation: Explanation) -> tuple[NamedCause, ...]:
        """Why a finding strikes each of its targets; unexplained where no answer is about it.

        What proves that one object is lost proves nothing about another one that the same picture
        loses as well.
        """
        targets = self.struck.get(number, ())
        known = [
            (self._struck_by(number, one.about) if one.about else targets, one.named)
            for one in (explanation, *explanation.others)
        ]
        return tuple(_cause(target, known) for target in targets)

    def proven(self, explanations: Mapping[int, Explanation]) -> list[FaultTarget]:
        """The targets that these explanations prove to be struck."""
        return [
            target
            for number, one in explanations.items()
            for target, cause in zip(
                self.struck.get(number, ()), self.causes(number, one), strict=True
            )
            if cause.proven
        ]

    def without(self, number: int, proven: Sequence[FaultTarget]) -> Case:
        """A finding without the events that strike proven targets alone; whole if none is left."""
        case = self.cases[number]
        left = tuple(
            event
            for event in case.events
            if not (struck := self._struck_by(number, (event,)))
            or not all(is_among(one, proven) for one in struck)
        )
        return replace(case, events=left) if left else case

    def _struck_by(self, number: int, events: tuple[Event, ...]) -> tuple[FaultTarget, ...]:
        return self.method.struck(replace(self.cases[number], events=events), self.classes)


def _cause(
    target: FaultTarget, known: Sequence[tuple[Sequence[FaultTarget], NamedCause]]
) -> NamedCause:
    return next(
        (named for about, named in known if is_among(target, about)),
        NamedCause(),
    )
