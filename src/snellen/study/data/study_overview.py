"""The state of a study, for its owner."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from snellen.study.data.design_rows import read_design
from snellen.study.data.record_reader import record_of
from snellen.study.data.study_file import readable_study
from snellen.study.design.study_cost import answers_wanted
from snellen.study.design.study_design import StudyDesign
from snellen.study.record import StudyRecord
from snellen.study.trial import Overview, Stage, StudyCurve, StudyTask, TrialKind


def study_overview(folder: Path) -> Overview:
    """The state of the study in a folder now, with the curves so far; changes nothing.

    The file is read first and the curves are fitted after that: while it is being read, what was
    deleted stays in its log.
    """
    with readable_study(folder) as db:
        db.execute("BEGIN")  # all of one moment
        design = read_design(db)
        found, record = _counted(db, design), record_of(db, design)
    return found.model_copy(update={"curves": _curves(record)})


def _counted(db: sqlite3.Connection, design: StudyDesign) -> Overview:
    stages = dict(db.execute("SELECT stage, count(*) FROM participant GROUP BY stage"))
    [running] = db.execute("SELECT running FROM state").fetchone()
    return Overview(
        name=design.options.name,
        running=bool(running),
        stages={Stage(stage): count for stage, count in stages.items()},
        answers=_answers(db, design),
        expected={one: answers_wanted(design, one) for one in design.options.tasks},
        exposures=_exposures(db, design.options.flash_ms),
        curves=(),
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
