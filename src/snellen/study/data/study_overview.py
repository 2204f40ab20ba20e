"""The state of a study, for its owner."""

from __future__ import annotations

import sqlite3

from snellen.study.data.record_reader import record_of
from snellen.study.design.study_cost import answers_wanted
from snellen.study.design.study_design import StudyDesign
from snellen.study.record import StudyRecord
from snellen.study.trial import Overview, Stage, StudyCurve, StudyTask, TrialKind


def study_overview(db: sqlite3.Connection, design: StudyDesign, *, curves: bool) -> Overview:
    """The state of a study now. curves: whether to fit them, which takes a while."""
    stages = dict(db.execute("SELECT stage, count(*) FROM participant GROUP BY stage"))
    [running] = db.execute("SELECT running FROM state").fetchone()
    tasks = design.options.tasks
    return Overview(
        name=design.options.name,
        running=bool(running),
        stages={Stage(stage): count for stage, count in stages.items()},
        answers=_answers(db, design),
        expected={one: answers_wanted(design, one) for one in tasks},
        exposures=_exposures(db, design.options.flash_ms),
        curves=_curves(record_of(db, design)) if curves else (),
    )


def _answers(db: sqlite3.Connection, design: StudyDesign) -> dict[StudyTask, int]:
    """Answers to test trials by task."""
    found = dict.fromkeys(design.options.tasks, 0)
    rows = db.execute(
        "SELECT trial.trial, count(*) FROM answer JOIN trial ON trial.number = answer.trial "
        "GROUP BY answer.trial"
    )
    for name, count in rows:
        trial = design.trials.get(name) or design.added.get(name)
        if trial is not None and trial.kind == TrialKind.TEST:
            found[trial.task] += count
    return found


def _exposures(db: sqlite3.Connection, flash_ms: float) -> tuple[float, int] | None:
    """The share of measured flashes within one frame of the target, and how many there are."""
    good, measured = db.execute(
        "SELECT count(*) FILTER (WHERE abs(shown_ms - ?) <= frame_ms), count(*) FROM answer "
        "WHERE shown_ms IS NOT NULL AND frame_ms IS NOT NULL",
        (flash_ms,),
    ).fetchone()
    return (good / measured, measured) if measured else None


def _curves(record: StudyRecord) -> tuple[StudyCurve, ...]:
    if not record.answers:
        return ()
    from snellen.study.estimates.overview_curves import curves_of

    return curves_of(record)
