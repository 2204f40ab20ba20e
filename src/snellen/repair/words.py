"""The outcome of a repair in words."""

from __future__ import annotations

from collections.abc import Iterator

from snellen.repair.data_split.division import EVALUATE, NAMES, REPAIR
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.page.page_writer import PAGE
from snellen.repair.page.words import LONG, verdict_sentence
from snellen.repair.repair_outcome import Outcome
from snellen.repair.round_words import round_lines
from snellen.repair.trained_subject import SUBJECT


def lines(outcome: Outcome) -> list[str]:
    """What was measured and on which scenes, the verdicts, and the next step."""
    return [*_measured(outcome), *_verdicts(outcome), *round_lines(outcome.rounds), _next(outcome)]


def _measured(outcome: Outcome) -> Iterator[str]:
    name, sets = outcome.workspace.baseline.name, outcome.workspace.split.sets
    for use, test in ((REPAIR, outcome.test), (EVALUATE, outcome.tests)):
        share = 100 * test.failing / test.cases if test.cases else 0.0
        yield (
            f"{name} fails in {test.failing} of {test.cases} tests ({share:.1f}%) on {NAMES[use]} "
            f"({len(sets[use])})."
        )


def _verdicts(outcome: Outcome) -> Iterator[str]:
    for row in outcome.rows:
        one = row.named.evaluation
        yield f"{row.named.name}: {LONG[one.verdict]}. {verdict_sentence(one)}"
    if all(row.named.evaluation.held.held_out for row in outcome.rows):
        yield "Verdicts are based on the evaluation scenes, which were not used in training."


def _next(outcome: Outcome) -> str:
    best = outcome.best
    place = (best.folder / SUBJECT).relative_to(outcome.root)
    look = f"open {outcome.root / PAGE}"
    advice = {
        RepairVerdict.MORE_ROBUST: f"Next: {look}, and use the subject in {place}.",
        RepairVerdict.BOLDER: f"Next: {look}. Lower the original subject's threshold "
        "(subject.score) instead, or lower training.repair_weight and add repair scenes.",
        RepairVerdict.NOT_SHOWN: f"Next: {look}. If an interval is wide, add evaluation scenes; "
        "otherwise add repair scenes, or try another training.rate or a larger training.mix.",
        RepairVerdict.WORSE: f"Next: keep the original subject. Then {look}, and try a smaller "
        "training.rate or training.mix, or training.freeze: backbone.",
        RepairVerdict.SEEN_BEFORE: "Next: use evaluation scenes and objects that were not used in "
        "the repair.",
    }
    return advice[best.named.evaluation.verdict]
