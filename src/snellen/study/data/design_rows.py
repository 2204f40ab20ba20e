"""A study's design as rows: written once, and read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.study.data.schema import create_tables
from snellen.study.design.study_design import StudyDesign
from snellen.study.options import StudyOptions
from snellen.study.record import PlannedTrial, StudySample, TrueObject
from snellen.study.trial import ShownPicture

_TRIAL = "INSERT INTO trial (trial, slot, parent, plan) VALUES (?, ?, ?, ?)"


def write_design(path: Path, design: StudyDesign) -> None:
    """Create the database of a study; the same bytes for the same design."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        create_tables(db)
        db.execute("BEGIN")
        facts = {
            "options": design.options.model_dump_json(exclude={"base"}),
            "measure": design.measure,
            "versions": _text(dict(design.versions)),
        }
        db.executemany("INSERT INTO study VALUES (?, ?)", sorted(facts.items()))
        db.executemany(
            "INSERT INTO sample (sample, scene, transformation, level, delta_v, recipe, width, "
            "height) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            _sample_rows(design),
        )
        db.executemany(
            "INSERT INTO mask (name, width, height) VALUES (?, ?, ?)",
            [(one.name, *size) for size, masks in design.masks.items() for one in masks],
        )
        db.executemany(
            "INSERT INTO object (scene, object) VALUES (?, ?)",
            [
                (scene, one.model_dump_json())
                for scene, objects in design.objects.items()
                for one in objects
            ],
        )
        db.executemany(
            _TRIAL,
            [
                (one.trial, design.slots.get(one.trial), None, one.model_dump_json())
                for one in design.trials.values()
            ],
        )
        db.execute("COMMIT")
        db.execute("VACUUM")


def _sample_rows(design: StudyDesign) -> Iterable[tuple[Any, ...]]:
    for name, one in design.samples.items():
        picture = design.pictures[name]
        yield (
            name,
            one.scene,
            one.transformation,
            one.level,
            one.delta_v,
            _text(dict(one.recipe)),
            picture.width,
            picture.height,
        )


def read_design(db: sqlite3.Connection) -> StudyDesign:
    """The design of a study, with the trials that people's boxes have added."""
    facts = dict(db.execute("SELECT key, value FROM study"))
    samples, pictures = {}, {}
    for name, scene, transformation, level, change, recipe, width, height in db.execute(
        "SELECT sample, scene, transformation, level, delta_v, recipe, width, height FROM sample "
        "ORDER BY number"
    ):
        samples[name] = StudySample(
            sample=name,
            scene=scene,
            transformation=transformation,
            level=level,
            delta_v=change,
            recipe=json.loads(recipe),
        )
        pictures[name] = ShownPicture(name=name, width=width, height=height)
    slots = dict(db.execute("SELECT trial, slot FROM trial WHERE slot IS NOT NULL"))
    return StudyDesign(
        StudyOptions.model_validate_json(facts["options"]),
        facts["measure"],
        samples,
        pictures,
        _masks(db),
        _objects(db),
        _trials(db, "parent IS NULL"),
        slots,
        json.loads(facts["versions"]),
        _trials(db, "parent IS NOT NULL"),
    )


def add_trial(db: sqlite3.Connection, trial: PlannedTrial, parent: str) -> None:
    """Add a trial about a box that people drew, in place of a planned one of the same sample."""
    db.execute(_TRIAL, (trial.trial, None, parent, trial.model_dump_json()))


def trial_numbers(db: sqlite3.Connection) -> dict[str, int]:
    """The number of each trial, by which other rows refer to it."""
    return dict(db.execute("SELECT trial, number FROM trial"))


def parents(db: sqlite3.Connection) -> dict[str, str]:
    """The planned trial in whose place each added trial stands."""
    return dict(db.execute("SELECT trial, parent FROM trial WHERE parent IS NOT NULL"))


def _trials(db: sqlite3.Connection, which: str) -> dict[str, PlannedTrial]:
    rows = db.execute(f"SELECT plan FROM trial WHERE {which} ORDER BY number")
    plans = [PlannedTrial.model_validate_json(plan) for (plan,) in rows]
    return {one.trial: one for one in plans}


def _masks(db: sqlite3.Connection) -> dict[tuple[int, int], tuple[ShownPicture, ...]]:
    found: dict[tuple[int, int], tuple[ShownPicture, ...]] = {}
    for name, width, height in db.execute("SELECT name, width, height FROM mask ORDER BY number"):
        one = ShownPicture(name=name, width=width, height=height)
        found[width, height] = (*found.get((width, height), ()), one)
    return found


def _objects(db: sqlite3.Connection) -> dict[str, tuple[TrueObject, ...]]:
    found: dict[str, tuple[TrueObject, ...]] = {}
    for scene, text in db.execute("SELECT scene, object FROM object ORDER BY number"):
        found[scene] = (*found.get(scene, ()), TrueObject.model_validate_json(text))
    return found


def _text(values: Any) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"))
