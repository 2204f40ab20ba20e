"""The search of one frame: insert, ask, accept what raises the fitness, and continue.

MultiTest's Algorithm 1: up to `objects` insertions one after the other, up to `tries` for each; one
that raises the fitness is accepted, and the next is added to it. When a chain ends, another starts
from the original frame until the questions are used up, so that every search asks equally many.
"""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from numpy.random import Generator

from snellen.changes.measures.registry import VISIBILITY
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import Case
from snellen.methods.fusion.null_controls import NullControls
from snellen.methods.fusion.options import Search
from snellen.methods.fusion.prepared_frame import SEEDS, MeshInsertion, PreparedFrame
from snellen.methods.fusion.relation import FusionRelation, detections3d_in
from snellen.methods.fusion.search.proposers import InformedProposer, Proposer
from snellen.vision.events import Event, Severity

MEASURES = (VISIBILITY,)


@dataclass
class SearchResult:
    """The cases of a search. chains: for each chain, the numbers of the accepted cases."""

    cases: list[Case] = field(default_factory=list)
    chains: list[list[int]] = field(default_factory=list)
    full: bool = False

    def drop(self, first: int) -> None:
        """Remove the cases from number `first` on."""
        del self.cases[first:]
        self.chains = [[number for number in chain if number < first] for chain in self.chains]


@dataclass
class _Chain:
    """An open chain: its insertions, its fitness, and its accepted cases."""

    fitness: float
    placed: tuple[MeshInsertion, ...] = ()
    kept: list[int] = field(default_factory=list)


def search_frame(
    frame: PreparedFrame,
    judge: FusionRelation,
    rng: Generator,
    questions: int,
    nulls: NullControls,
) -> Yielding[list[Question], Sequence[Answer], SearchResult]:
    """The cases of a search that asks `questions` questions; fewer where nothing more fits.

    nulls: asked along with it. The last test is dropped if the budget ends before its null.
    """
    informed = frame.options.search == Search.INFORMED
    proposer = InformedProposer(frame) if informed else Proposer(frame)
    found = SearchResult()
    try:
        while len(found.cases) < questions:
            began = len(found.cases)
            yield from _chain(frame, judge, proposer, rng, questions, found, nulls)
            if len(found.cases) == began:
                found.full = True
                break
    except BudgetSpentError:
        pass
    yield from nulls.ask_rest()
    found.drop(nulls.settled)
    return found


def _chain(
    frame: PreparedFrame,
    judge: FusionRelation,
    proposer: Proposer,
    rng: Generator,
    questions: int,
    found: SearchResult,
    nulls: NullControls,
) -> Yielding[list[Question], Sequence[Answer], None]:
    chain = _Chain(judge.fitness_before)
    found.chains.append(chain.kept)
    for _ in range(frame.options.objects):
        for attempt in range(frame.options.tries):
            if len(found.cases) >= questions:
                return
            new = proposer.propose(chain.placed, rng)
            if new is None:
                return
            last = attempt == frame.options.tries - 1
            if (yield from _tried(frame, judge, proposer, rng, chain, new, last, found, nulls)):
                break


def _tried(
    frame: PreparedFrame,
    judge: FusionRelation,
    proposer: Proposer,
    rng: Generator,
    chain: _Chain,
    new: MeshInsertion,
    last: bool,
    found: SearchResult,
    nulls: NullControls,
) -> Yielding[list[Question], Sequence[Answer], bool]:
    """Ask about one insertion; whether it is accepted."""
    placed = (*chain.placed, new)
    recipe = frame.recipe(placed, int(rng.integers(SEEDS)))
    parent = chain.kept[-1] if chain.kept else None
    answer = yield from nulls.ask(Question(frame.scene, recipe, MEASURES))
    judged = judge.case(Asked(frame.scene, recipe, answer, parent=parent), placed)
    gain = judge.fitness(detections3d_in(answer), placed, answer.measurements) - chain.fitness
    before = () if parent is None else found.cases[parent].events
    failed = _hard(judged.events) > _hard(before)
    proposer.learn(new, frame.present(chain.placed), failed=failed)
    # As in the authors' code: the last attempt is accepted even if it is worse.
    anyway = frame.options.as_published and last
    kept = frame.options.search == Search.RANDOM or gain > 0 or anyway
    facts = {
        "fitness": round(chain.fitness + gain, 6),
        "kept": float(kept),
        "new_failure": float(failed),
    }
    measured = {**judged.measurements, **facts}
    found.cases.append(replace(judged, measurements=measured))
    nulls.judged(judged)
    if kept:
        chain.placed = placed
        chain.kept.append(len(found.cases) - 1)
        chain.fitness += max(gain, 0.0) if anyway else gain
    return kept


def _hard(events: Sequence[Event]) -> int:
    return sum(event.severity == Severity.HARD for event in events)
