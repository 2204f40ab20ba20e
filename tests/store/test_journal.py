"""The journal writes a unit whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from snellen.changes.identity import Identity
from snellen.contract.verdict import TEST, Case, Status, Verdict, status_of
from snellen.errors import UserError
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Failure, Journal, UnitEnd
from snellen.store.run_folder import JOURNAL
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind, Severity, compare_predictions
from tests.frozen_runs import recorded_run

CLASSES = ("cat", "dog")


def seen(*scores: float) -> Detections:
    boxes = np.array([[10 * k, 0, 10 * k + 8, 8] for k in range(len(scores))], dtype=np.float32)
    return Detections(
        boxes, np.arange(len(scores)) % 2, np.array(scores, dtype=np.float32)
    ).rounded()


def verdict() -> Verdict:
    before, after = seen(0.9, 0.8), seen(0.9)
    events = compare_predictions(before, after, score=0.5)
    return Verdict(
        (
            Case(Identity(), TEST, status_of(events), after, before, events, {"change": 0.25}),
            Case(Identity(), "control:identity", Status.HOLDS, seen(0.9, 0.8), before, parent=0),
        ),
        {"reach": 3},
    )


def test_a_unit_can_be_read_back(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        journal.write(UnitEnd(0, "u0", "scene-0", 5, verdict()), CLASSES)
        assert journal.rows("SELECT id, scene, status, questions, notes FROM units") == [
            ("u0", "scene-0", "done", 5, '{"reach": 3}')
        ]
        [first, control] = journal.rows("SELECT role, status, before, after, parent FROM cases")
        assert first[:2] == ("test", "failing")
        assert control[:2] == ("control:identity", "holds")
        assert control[4] == 0
        assert control[2] == control[3] == first[2], "equal predictions share a row"
        [(kind, name, severity, margin, x1)] = journal.rows(
            "SELECT kind, class, severity, margin, x1 FROM events"
        )
        assert (kind, name, severity, margin, x1) == ("lost", "dog", "hard", 0.8, 10.0)
        [(text,)] = journal.rows("SELECT value FROM predictions WHERE number = ?", (first[2],))
        assert prediction_from_text(text) == seen(0.9, 0.8)
        assert journal.rows("SELECT scene, events, margin FROM findings") == [("scene-0", 1, 0.8)]


def test_what_an_object_became_is_kept(tmp_path: Path) -> None:
    event = Event(EventKind.RELABELLED, 0, 0, 0, 0.9, Severity.HARD, 1.0, 0.9, 0.9, (0, 0, 8, 8), 1)
    case = Case(Identity(), TEST, Status.FAILING, seen(0.9), seen(0.9), (event,))
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        journal.write(UnitEnd(0, "u0", "s", 1, Verdict((case,))), CLASSES)
        assert journal.rows("SELECT class, new_class FROM events") == [("cat", "dog")]


def test_a_unit_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        journal.write(UnitEnd(0, "u0", "s", 1, verdict()), CLASSES)
        before = journal.digest()
        with pytest.raises(sqlite3.IntegrityError):
            journal.write(UnitEnd(1, "u0", "s", 1, verdict()), CLASSES)
        assert journal.digest() == before
        assert journal.ended() == {0}


def test_rows_do_not_depend_on_which_unit_ended_first(tmp_path: Path) -> None:
    ends = [
        UnitEnd(0, "a", "a", 2, verdict(), building=1.0),
        UnitEnd(1, "b", "b", 1, None, Failure("subject", "ValueError", "no")),
        UnitEnd(2, "c", "c", 2, verdict(), cache_hits=1),
    ]
    digests = set()
    for place, order in enumerate(([0, 1, 2], [2, 0, 1])):
        with closing(Journal(tmp_path / f"{place}.sqlite")) as journal:
            for number in order:
                journal.write(ends[number], CLASSES)
            digests.add(journal.digest())
    assert len(digests) == 1


def test_errors_can_be_forgotten_and_nothing_else(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        journal.write(UnitEnd(0, "a", "a", 2, verdict()), CLASSES)
        journal.write(UnitEnd(1, "b", "b", 1, None, Failure("build", "OSError", "no")), CLASSES)
        assert journal.forget_errors() == 1
        assert journal.ended() == {0}
        assert journal.rows("SELECT count(*) FROM errors") == [(0,)]


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        journal.put({"schema": "0"})
    with pytest.raises(UserError, match="found journal schema '0', expected '5'"):
        Journal(tmp_path / "j.sqlite")


def test_checks_of_an_older_journal_are_no_controls(tmp_path: Path) -> None:
    roles = ("control:self-paste", "control:patch", "test")
    cases = tuple(replace(verdict().cases[0], role=role) for role in roles)
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        journal.write(UnitEnd(0, "u", "s", 1, Verdict(cases)), ("cat", "dog"))
        journal.put({"schema": "2"})
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as old:
        old.execute("ALTER TABLE events DROP COLUMN truth")
        for table in ("causes", "struck", "rungs", "explanations", "manifest", "checksums"):
            old.execute(f"DROP TABLE {table}")
        old.commit()
    with closing(Journal(tmp_path / "j.sqlite")) as journal:
        found = [role for (role,) in journal.rows("SELECT role FROM cases ORDER BY number")]
    assert found == ["check:self-paste", "control:patch", "test"]


def test_a_journal_without_unconfirmed_cases_takes_them_from_now_on(tmp_path: Path) -> None:
    path = recorded_run("insertion", tmp_path, tmp_path) / JOURNAL
    every_case = "SELECT unit, number, id, status, recipe, before, after, parent FROM cases"
    with closing(sqlite3.connect(path)) as old:
        old_cases = old.execute(every_case).fetchall()
        found = old.execute("SELECT * FROM findings ORDER BY id").fetchall()
        with pytest.raises(sqlite3.IntegrityError):
            old.execute("UPDATE cases SET status = 'unconfirmed'")
    with closing(Journal(path)) as journal:
        assert journal.rows(every_case) == old_cases
        assert journal.rows("SELECT * FROM findings ORDER BY id") == found
        more = replace(verdict().cases[0], status=Status.UNCONFIRMED)
        journal.write(UnitEnd(10**6, "more", "more", 1, Verdict((more,))), ("cat", "dog"))
        assert journal.rows("SELECT count(*) FROM findings") == [(len(found) + 1,)]
        journal.forget([10**6])
        assert journal.rows("PRAGMA foreign_key_check") == []
        with pytest.raises(sqlite3.IntegrityError):
            journal.rows(
                'DELETE FROM cases WHERE (unit, number) IN (SELECT unit, "case" FROM events)'
            )
