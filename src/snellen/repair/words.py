"""What a repair came to, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from snellen.repair.data_split.division import EVALUATE, NAMES, REPAIR
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.page.page_writer import PAGE
from snellen.repair.page.words import short, verdict_sentence
from snellen.repair.repair_outcome import Outcome
from snellen.repair.round_words import round_lines
from snellen.repair.trained_subject import SUBJECT


def lines(outcome: Outcome) -> list[str]:
    """What was measured, on what, the verdict, and what to do next."""
    return [*_measured(outcome), *_verdicts(outcome), *round_lines(outcome.rounds), _next(outcome)]


def _measured(outcome: Outcome) -> Iterator[str]:
    name, sets = outcome.bench.given.name, outcome.bench.split.sets
    for use, test in ((REPAIR, outcome.test), (EVALUATE, outcome.tests)):
        share = 100 * test.failing / test.cases if test.cases else 0.0
        yield (
            f"{name} fails in {test.failing} of {test.cases} tests ({share:.1f}%) on {NAMES[use]} "
            f"({len(sets[use])})."
        )


def _verdicts(outcome: Outcome) -> Iterator[str]:
    for row in outcome.rows:
        one = row.named.evaluation
        yield f"{row.named.name}: {short(one.word)}. {verdict_sentence(one)}"
    if all(row.named.evaluation.held.held_out for row in outcome.rows):
        yield "Verdicts are by the tests on the evaluation scenes, which no training has seen."


def _next(outcome: Outcome) -> str:
    best = outcome.best
    place = (best.folder / SUBJECT).relative_to(outcome.root)
    look = f"look at {outcome.root / PAGE}"
    advice = {
        RepairVerdict.ROBUSTER: f"Next: {look}, and use the subject of {place}.",
        RepairVerdict.BOLDER: f"Next: {look}. Lower the threshold of the subject as given "
        "(subject.score) instead, or lower training.repair_weight and give more repair scenes.",
        RepairVerdict.NOT_SHOWN: f"Next: {look}. Give more evaluation scenes if an interval is "
        "wide, else more repair scenes, another training.rate or a larger training.mix.",
        RepairVerdict.WORSE: f"Next: keep the subject as it was. Then {look}, and try a smaller "
        "training.rate or training.mix, or training.freeze: backbone.",
        RepairVerdict.SEEN_BEFORE: "Next: give evaluation scenes and objects that the repair has "
        "not seen.",
    }
    return advice[best.named.evaluation.word]
