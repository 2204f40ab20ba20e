"""The order in which the questions about a finding are asked."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from snellen.contract.questions import Answer, Question
from snellen.methods.fusion.explanation.ladder import InsertionLadder
from snellen.methods.fusion.explanation.smallest import fewest, smaller


def climb(ladder: InsertionLadder) -> Generator[list[Question], Sequence[Answer], None]:
    """Ask until the cause and the smallest failing case are known.

    What half of the slight changes undo needs no more. Insertions that are not needed are left out
    before the others are moved, since one of them could do the same in place of the moved one.
    """
    first = ladder.trials
    yield from ladder.ask(first.one_sensor())
    if first.target.inserted is None:
        yield from ladder.ask(first.background())
    yield from ladder.ask(first.slightly_off())
    if not ladder.settled:
        trials = yield from fewest(ladder)
        yield from ladder.ask(trials.other_places(), trials)
        yield from smaller(ladder, trials)
