"""A failing composition: its labels, the answer, the cause, and its smallest failing part."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.recorded_diagnosis import FailingPart, RecordedDiagnosis
from snellen.store.findings import Finding, case_at
from snellen.store.journal import Journal
from snellen.subjects.subject import Prediction
from snellen.vision.label_vector import LabelVector

CAUSE_WORDS: dict[str, str] = {
    Cause.CORRELATION: "two labels together: it also fails with the objects apart, and with others",
    Cause.CONTACT: "two objects that touch or overlap; it does not fail with them apart",
    Cause.OCCLUSION: "one object covers part of another; it does not fail where they only touch",
    Cause.CROWDING: "it takes three objects or more; no pair of them fails",
    Cause.LIKENESS: "an object alone already gets the extra label",
    Cause.SINGLE: "an object alone at its place is already missed",
    Cause.BACKGROUND: "the bare background fails, or the failure is gone on other backgrounds",
    Cause.ANY_CHANGE: "the answer changes if the image shifts by a pixel or two",
    Cause.UNEXPLAINED: "no cause was established, or the budget ran out",
    Cause.INTERACTION: "every object alone is recognised; an earlier version did not look further",
}


def evidence_of(journal: Journal, finding: Finding) -> str:
    """The evidence for the cause of a failing composition in a sentence; empty without any."""
    rows = journal.rows(
        'SELECT says, proven FROM explanations WHERE unit = ? AND "case" = ?',
        (finding.unit, finding.number),
    )
    return " ".join(f"{says}{' Proven.' * proven}" for says, proven in rows)


def diagnosis_of(journal: Journal, finding: Finding) -> RecordedDiagnosis:
    """The recorded cause and smallest parts of a failing composition; unexplained without any."""
    [(notes,)] = journal.rows("SELECT notes FROM units WHERE number = ?", (finding.unit,))
    causes = json.loads(notes).get("causes") or {}
    return RecordedDiagnosis.model_validate(causes.get(str(finding.number), {}))


def smallest_part(
    journal: Journal, finding: Finding, diagnosis: RecordedDiagnosis
) -> Finding | None:
    """The case of the smallest part that still shows the worst event; None if it is the whole.

    diagnosis: from `diagnosis_of`.
    """
    worst = finding.worst
    parts = [one for one in diagnosis.minimal if one.case != finding.number]
    if worst is not None:
        parts.sort(key=lambda one: (one.kind, one.label) != (worst.kind, worst.name))
    return case_at(journal, finding.unit, parts[0].case) if parts else None


def composite_lines(
    diagnosis: RecordedDiagnosis,
    truth: Prediction | None,
    said: Prediction,
    classes: Sequence[str],
    score: float,
    evidence: str = "",
) -> tuple[str, ...]:
    """The lines of a caption: truth and answer, the cause, and the smallest part of each event.

    evidence: from `evidence_of`.
    """
    lines = [
        f"shows {_named(truth, classes, 0.5)}; answer {_named(said, classes, score, scores=True)}"
    ]
    lines.append(f"{diagnosis.cause}: {evidence or CAUSE_WORDS.get(diagnosis.cause, '')}")
    lines += [_left(one) for one in diagnosis.minimal]
    return tuple(filter(None, lines))


def _named(
    answer: Prediction | None, classes: Sequence[str], score: float, *, scores: bool = False
) -> str:
    if not isinstance(answer, LabelVector):
        return "nothing"
    shown = np.flatnonzero(answer.present(score)).tolist()
    names = [f"{classes[n]} {answer.scores[n]:.2f}" if scores else classes[n] for n in shown]
    return ", ".join(names) or "nothing"


def _left(one: FailingPart) -> str:
    """One event and the labels it needs."""
    what = {
        "missing": f"no {one.label}",
        "extra": f"extra {one.label}",
        "mismatch": f"{one.new_label} for {one.label}",
    }.get(one.kind, one.kind)
    labels = ", ".join(one.labels) or "the bare background"
    sure = "" if one.minimal else " (search not finished)"
    return f"{what}: persists with only {labels}{sure}"
