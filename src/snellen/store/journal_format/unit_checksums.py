"""Checksums of units and facts: whether a journal's rows are still the ones that were written."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from snellen.store.verdict_rows import PREDICTIONS_A_UNIT

ROWS = {
    "units": "number",
    "predictions": "number",
    "cases": "unit, number",
    "events": 'unit, "case", number',
    "struck": 'unit, "case", number',
    "explanations": 'unit, "case"',
    "causes": 'unit, "case", target',
    "rungs": 'unit, "case", number',
    "errors": "unit",
}
"""The tables whose rows depend on configuration and seed alone, and their order."""
FACTS = "facts_checksum"
"""The fact that is the checksum of all others."""
_UNIT = {"units": "number", "predictions": f"number / {PREDICTIONS_A_UNIT}"}
"""The unit of a row, where it is not in the column `unit`."""


def unit_checksum(db: sqlite3.Connection, unit: int) -> str:
    """The checksum of a unit's rows, as they are in the database now."""
    found = {
        table: db.execute(
            f"SELECT * FROM {table} WHERE {_condition(table)} ORDER BY {order}", _range(table, unit)
        ).fetchall()
        for table, order in ROWS.items()
    }
    return _digest(found)


def facts_checksum(db: sqlite3.Connection) -> str:
    """The checksum of a run's facts and of its manifest, as they are in the database now."""
    state = hashlib.blake2b(digest_size=16)
    rows = "SELECT key, value FROM run WHERE key NOT IN (?, 'schema') ORDER BY key", (FACTS,)
    for row in db.execute(*rows):
        state.update(f"run{row!r}".encode())
    for row in db.execute("SELECT * FROM manifest ORDER BY unit"):
        state.update(f"manifest{row!r}".encode())
    return state.hexdigest()


def damaged_units(db: sqlite3.Connection) -> list[int]:
    """Units whose rows differ from their checksums, or that have only one of the two.

    Raises an `sqlite3.DatabaseError` for rows whose unit is no number.
    """
    known = dict(db.execute("SELECT unit, digest FROM checksums"))
    rows: dict[int, dict[str, list[tuple[Any, ...]]]] = {}
    for table, order in ROWS.items():
        unit = _UNIT.get(table, "unit")
        every = db.execute(f"SELECT {unit}, * FROM {table} ORDER BY {order}")
        for number, some in groupby(every, key=lambda row: row[0]):
            if not isinstance(number, int):
                raise sqlite3.DatabaseError(f"rows of {table} belong to no unit")
            rows.setdefault(number, {})[table] = [row[1:] for row in some]
    found = {number: _digest(some) for number, some in rows.items()}
    return sorted(one for one in found.keys() | known.keys() if found.get(one) != known.get(one))


def remove_unit(db: sqlite3.Connection, unit: int) -> None:
    """Remove a unit's rows from all tables; inside a transaction with deferred foreign keys."""
    for table in (*ROWS, "timing", "checksums"):
        db.execute(f"DELETE FROM {table} WHERE {_condition(table)}", _range(table, unit))


def _condition(table: str) -> str:
    return "number BETWEEN ? AND ?" if table == "predictions" else f"{_UNIT.get(table, 'unit')} = ?"


def _range(table: str, unit: int) -> tuple[int, ...]:
    if table != "predictions":
        return (unit,)
    return unit * PREDICTIONS_A_UNIT, (unit + 1) * PREDICTIONS_A_UNIT - 1


def _digest(rows: Mapping[str, Iterable[tuple[Any, ...]]]) -> str:
    state = hashlib.blake2b(digest_size=16)
    for table in ROWS:
        for row in rows.get(table, ()):
            state.update(f"{table}{row!r}".encode())
    return state.hexdigest()
