"""The schema of a journal, and what brings journals of earlier versions up to it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from importlib.resources import files

from snellen.contract.verdict import CHECK, CONTROL
from snellen.store.journal_format.unit_checksums import unit_checksum

SCHEMA = "5"
ADOPTED = "adopted"
"""The fact that a journal was begun by a version without checksums: its rows then were as found."""
SINCE = {
    "3": ("struck", "explanations", "rungs"),
    "4": ("causes",),
    "5": ("manifest", "checksums"),
}
"""The tables that each schema added."""
SINGLE_TARGETS = """
    INSERT INTO causes
    SELECT unit, "case", number, cause,
           proven AND (SELECT count(*) FROM struck s WHERE s.unit = e.unit AND s."case" = e."case")
               = 1, says
    FROM explanations e JOIN struck USING (unit, "case")
"""
"""Schema 3 proved whole findings: of one that strikes several things none is proven by itself."""
CHECKS = ("identity", "reencode", "self-paste", "zero")
"""What schema 2 counted among the controls although it checks the tool."""


def create_tables(db: sqlite3.Connection) -> None:
    """Create all tables of an empty journal; inside a transaction."""
    for statement in _statements():
        db.execute(statement)
    _put_schema(db, SCHEMA)


def table_names(db: sqlite3.Connection) -> set[str]:
    """The names of the tables of a database."""
    return {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def schema_of(db: sqlite3.Connection) -> str | None:
    """The schema of a journal; None if it has none."""
    row = db.execute("SELECT value FROM run WHERE key = 'schema'").fetchone()
    return None if row is None else json.loads(row[0])


def bring_up(db: sqlite3.Connection) -> None:
    """Add what journals of earlier schemas lack; inside a transaction."""
    if schema_of(db) == "2":
        db.execute("ALTER TABLE events ADD COLUMN truth TEXT")
        _create(db, SINCE["3"])
        for name in CHECKS:
            roles = f"{CHECK}{name}", f"{CONTROL}{name}"
            db.execute("UPDATE cases SET role = ? WHERE role = ?", roles)
        _put_schema(db, "3")
    if schema_of(db) == "3":
        _create(db, SINCE["4"])
        db.execute(SINGLE_TARGETS)
        _put_schema(db, "4")
    if schema_of(db) == "4":
        _replace_cases(db)
        _create(db, SINCE["5"])
        for (unit,) in db.execute("SELECT number FROM units").fetchall():
            row = unit, unit_checksum(db, unit)
            db.execute("INSERT INTO checksums VALUES (?, ?)", row)
        db.execute("INSERT OR REPLACE INTO run VALUES (?, 'true')", (ADOPTED,))
        _put_schema(db, "5")


def _replace_cases(db: sqlite3.Connection) -> None:
    """Give `cases` its present constraints; foreign keys must be off.

    Schema 4 had no status for failures that were not asked again.
    """
    found = db.execute("SELECT * FROM cases").fetchall()
    db.execute("DROP VIEW findings")
    db.execute("DROP TABLE cases")
    for statement in _statements():
        if "CREATE TABLE cases " in statement or "CREATE VIEW findings " in statement:
            db.execute(statement)
    db.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", found)


def _put_schema(db: sqlite3.Connection, schema: str) -> None:
    db.execute("INSERT OR REPLACE INTO run VALUES ('schema', ?)", (json.dumps(schema),))


def _create(db: sqlite3.Connection, tables: Sequence[str]) -> None:
    for statement in _statements():
        if any(f"CREATE TABLE {name} " in statement for name in tables):
            db.execute(statement)


def _statements() -> list[str]:
    text = files("snellen.store.journal_format").joinpath("schema.sql").read_text(encoding="utf-8")
    bare = "\n".join(line.split("--")[0] for line in text.splitlines())
    return [statement for statement in bare.split(";") if statement.strip()]
