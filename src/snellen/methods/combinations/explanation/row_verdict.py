"""The verdict of a row: its cases, the counterfactuals, and a copy of the causes in its notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from snellen.contract.explanation import Explanation, NamedCause, evidence_of
from snellen.contract.fault_target import FaultTarget
from snellen.contract.verdict import Case, Verdict
from snellen.methods.combinations.explanation.cause import INTERACTIONS, Cause
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

    notes: of the row. names: of the subject's classes. What an explained finding strikes is named
    by its symptoms: which labels an event pairs is arbitrary if several are wrong.
    """
    out, causes = [*cases, *evidence_of(explanations)], {}
    struck = {number: struck_labels(one, names) for number, one in explanations.items()}
    numbers = {id(case): number for number, case in enumerate(out)}
    for number, one in explanations.items():
        rungs = [numbers[id(rung.case)] for rung in one.rungs]
        parts = one.parts if isinstance(one, CompositionExplanation) else ()
        triggers = one.triggers if isinstance(one, CompositionExplanation) else ()
        recorded = RecordedDiagnosis(
            cause=one.cause,
            minimal=tuple(
                _recorded(
                    part,
                    names,
                    number if part.rung is None else rungs[part.rung],
                    triggers if place == 0 else (),  # of the explained symptom alone
                )
                for place, part in enumerate(parts)
            ),
        )
        causes[str(number)] = recorded.model_dump(mode="json")
        if one.cause != Cause.UNEXPLAINED:
            measured = {"interaction": float(one.cause in INTERACTIONS)}
            out[number] = replace(
                out[number], measurements={**out[number].measurements, **measured}
            )
    known = {number: things for number, things in struck.items() if things}
    named = {number: _causes(explanations[number], len(things)) for number, things in known.items()}
    return Verdict(tuple(out), {**notes, "causes": causes}, struck=known, causes=named)


def struck_labels(one: Explanation, names: Sequence[str]) -> tuple[FaultTarget, ...]:
    """The labels that a finding strikes in any row, such as `missing cat with dog`; () if unknown.

    After `with` are the labels that the explained symptom is known to need.
    """
    if not isinstance(one, CompositionExplanation):
        return ()
    keys = [part.symptom.key(names) for part in one.parts]
    if keys and one.triggers:
        keys[0] += f" with {' and '.join(names[id] for id in one.triggers)}"
    return tuple(FaultTarget(key, key, shared=True) for key in keys)


def _causes(one: Explanation, count: int) -> tuple[NamedCause, ...]:
    """Why each of these symptoms is there: the first is explained, the others are only shrunk."""
    return one.named, *[NamedCause()] * (count - 1)


def _recorded(
    part: SmallestPart, names: Sequence[str], case: int, triggers: Sequence[int]
) -> FailingPart:
    gone, come = part.symptom.gone, part.symptom.come
    label = come if gone is None else gone
    assert label is not None
    return FailingPart(
        kind=str(part.symptom.kind),
        label=names[label],
        new_label=names[come] if gone is not None and come is not None else None,
        labels=tuple(names[one] for one in part.labels),
        case=case,
        triggers=tuple(names[one] for one in triggers),
    )
