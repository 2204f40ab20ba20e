"""A run of method `requirements` rejudged at another score threshold from recorded answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from snellen.contract.verdict import TEST, Status, status_of
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.relation import RequirementsRelation, change_events
from snellen.store.case_rows import CaseRow
from snellen.store.codec import prediction_from_text
from snellen.store.compared_run import ComparedRun
from snellen.subjects.subject import Prediction, Task

Notes = Mapping[str, Mapping[str, Any]]


def rescored(
    run: ComparedRun, rows: Sequence[CaseRow], score: float
) -> tuple[list[CaseRow], dict[str, Mapping[str, Any]]]:
    """The cases and notes of a run judged at this threshold.

    Nothing is asked: answers are recorded down to the subject's floor. The answer about the
    unchanged scene, and so what must be preserved, changes with the threshold too.
    """
    options = RequirementOptions.model_validate(dict(run.options))
    predictions = _predictions(run, rows)
    judged = [_rejudged(row, predictions, options, score) for row in rows]
    notes: dict[str, Mapping[str, Any]] = dict(run.notes)
    for unit, cases in groupby(rows, key=lambda row: row.unit):
        tests = [row for row in cases if row.role == TEST]
        if tests:
            notes[unit] = _noted(run, notes[unit], tests, predictions, options, score)
    return judged, notes


def _predictions(run: ComparedRun, rows: Sequence[CaseRow]) -> dict[int, Prediction]:
    wanted = {row.before for row in rows} | {row.after for row in rows}
    found = run.journal.rows("SELECT number, value FROM predictions")
    return {number: prediction_from_text(text) for number, text in found if number in wanted}


def _rejudged(
    row: CaseRow, predictions: Mapping[int, Prediction], options: RequirementOptions, score: float
) -> CaseRow:
    assert row.before is not None
    events = change_events(predictions[row.before], predictions[row.after], options, score)
    return replace(row, failing=status_of(events) == Status.FAILING)


def _noted(
    run: ComparedRun,
    notes: Mapping[str, Any],
    tests: Sequence[CaseRow],
    predictions: Mapping[int, Prediction],
    options: RequirementOptions,
    score: float,
) -> dict[str, Any]:
    """The notes of a unit: first the unchanged scene, then its tests in the journal's order."""
    assert tests[0].before is not None
    before, subject = predictions[tests[0].before], run.subject
    judge = RequirementsRelation(
        Task(subject["task"]), options, score, len(subject["classes"]), None, before
    )
    answers = [before, *(predictions[row.after] for row in tests)]
    cases = [
        {**case, **judge.outcomes(answer)}
        for case, answer in zip(notes["cases"], answers, strict=True)
    ]
    return {**notes, "cases": cases}
