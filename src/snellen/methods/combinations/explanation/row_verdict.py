"""The verdict of a row: its cases, the counterfactuals, and a copy of the causes in its notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from snellen.contract.explanation import Explanation, evidence_of
from snellen.contract.verdict import Case, Verdict
from snellen.methods.combinations.cause import INTERACTIONS, Cause
from snellen.methods.combinations.explanation.conclusion import (
    CompositionExplanation,
    SmallestPart,
)
from snellen.methods.combinations.recorded_diagnosis import FailingPart, RecordedDiagnosis


def concluded(
    notes: Mapping[str, Any],
    names: Sequence[str],
    cases: Sequence[Case],
    explanations: Mapping[int, Explanation],
) -> Verdict:
    """The verdict of a row: its cases, then those of the rungs, and the cause of each finding.

    notes: of the row. names: of the subject's classes.
    """
    out, causes = [*cases, *evidence_of(explanations)], {}
    numbers = {id(case): number for number, case in enumerate(out)}
    for number, one in explanations.items():
        rungs = [numbers[id(rung.case)] for rung in one.rungs]
        parts = one.parts if isinstance(one, CompositionExplanation) else ()
        recorded = RecordedDiagnosis(
            cause=one.cause,
            minimal=tuple(
                _recorded(part, names, number if part.rung is None else rungs[part.rung])
                for part in parts
            ),
        )
        causes[str(number)] = recorded.model_dump(mode="json")
        if one.cause != Cause.UNEXPLAINED:
            measured = {"interaction": float(one.cause in INTERACTIONS)}
            out[number] = replace(
                out[number], measurements={**out[number].measurements, **measured}
            )
    return Verdict(tuple(out), {**notes, "causes": causes})


def _recorded(part: SmallestPart, names: Sequence[str], case: int) -> FailingPart:
    gone, come = part.symptom.gone, part.symptom.come
    label = come if gone is None else gone
    assert label is not None
    return FailingPart(
        kind=str(part.symptom.kind),
        label=names[label],
        new_label=names[come] if gone is not None and come is not None else None,
        labels=tuple(names[one] for one in part.labels),
        case=case,
    )
