"""The order in which the questions about a finding are asked."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from snellen.contract.questions import Answer, Question
from snellen.methods.fusion.explanation.ladder import InsertionLadder
from snellen.methods.fusion.explanation.rung_names import RungName
from snellen.methods.fusion.explanation.smallest import fewest, smaller
from snellen.methods.fusion.explanation.trials import Trials
from snellen.methods.fusion.placing.pose import GroundPose
from snellen.methods.fusion.prepared_frame import placed_by


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
        if ladder.evidence.nowhere:
            yield from ladder.ask(trials.others_at(_places(ladder, trials)), trials)
        yield from smaller(ladder, trials)


def _places(ladder: InsertionLadder, trials: Trials) -> list[GroundPose]:
    """The other places at which a missed insertion was missed as well."""
    tried = [rung for rung in ladder.evidence.rungs if rung.name == RungName.ELSEWHERE]
    made = [placed_by(rung.case.recipe, trials.frame.choices) for rung in tried]
    return [placed[trials.culprit].place for placed in made]
