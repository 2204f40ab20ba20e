"""A failing composition: its labels, the answer, the cause, and its smallest failing part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from snellen.methods.combinations.cases import UNDIAGNOSED
from snellen.store.findings import Finding, case_at
from snellen.store.journal import Journal
from snellen.subjects.subject import Prediction
from snellen.vision.label_vector import LabelVector

CAUSE_WORDS = {
    "interaction": "interaction: every object alone in its place gets exactly its label",
    "single-object": "single object: one of the objects is also wrong alone",
    "background": "background: the bare background is also wrong",
    UNDIAGNOSED: "the cause was not diagnosed",
}


def diagnosis_of(journal: Journal, finding: Finding) -> dict[str, Any]:
    """The diagnosis of a failing composition: `cause` and `minimal`; {} without one."""
    [(notes,)] = journal.rows("SELECT notes FROM units WHERE number = ?", (finding.unit,))
    found: dict[str, Any] = (json.loads(notes).get("causes") or {}).get(str(finding.number), {})
    return found


def smallest_part(journal: Journal, finding: Finding, diagnosis: dict[str, Any]) -> Finding | None:
    """The case of the smallest part that still shows the worst event; None if it is the whole.

    diagnosis: from `diagnosis_of`.
    """
    worst = finding.worst
    parts = [one for one in diagnosis.get("minimal") or () if one["case"] != finding.number]
    if worst is not None:
        parts.sort(key=lambda one: (one["kind"], one["label"]) != (worst.kind, worst.name))
    return case_at(journal, finding.unit, parts[0]["case"]) if parts else None


def composite_lines(
    diagnosis: dict[str, Any],
    truth: Prediction | None,
    said: Prediction,
    classes: Sequence[str],
    score: float,
) -> tuple[str, ...]:
    """The lines of a caption: truth and answer, the cause, and the smallest part of each event."""
    lines = [
        f"shows {_named(truth, classes, 0.5)}; answer {_named(said, classes, score, scores=True)}"
    ]
    lines.append(CAUSE_WORDS.get(diagnosis.get("cause", UNDIAGNOSED), ""))
    lines += [_left(one) for one in diagnosis.get("minimal") or ()]
    return tuple(filter(None, lines))


def _named(
    answer: Prediction | None, classes: Sequence[str], score: float, *, scores: bool = False
) -> str:
    if not isinstance(answer, LabelVector):
        return "nothing"
    shown = np.flatnonzero(answer.present(score)).tolist()
    names = [f"{classes[n]} {answer.scores[n]:.2f}" if scores else classes[n] for n in shown]
    return ", ".join(names) or "nothing"


def _left(one: dict[str, Any]) -> str:
    """One event and the labels it needs."""
    what = {
        "missing": f"no {one['label']}",
        "extra": f"extra {one['label']}",
        "mismatch": f"{one['new_label']} for {one['label']}",
    }.get(one["kind"], one["kind"])
    labels = ", ".join(one["labels"]) or "the bare background"
    sure = "" if one.get("minimal", True) else " (search not finished)"
    return f"{what}: persists with only {labels}{sure}"
