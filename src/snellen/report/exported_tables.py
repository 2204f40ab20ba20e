"""The tables of a run as files of one folder: cases, findings, faults and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from snellen.disk.atomic_file import new_folder
from snellen.report.verdict.fault_summary import ranked_faults
from snellen.store.journal import Journal, journal_of
from snellen.store.tables.run_table import (
    CASE_COLUMNS,
    EVENT_COLUMNS,
    FAULT_COLUMNS,
    Column,
    Columns,
    case_columns,
    event_columns,
    fault_columns,
)
from snellen.store.tables.table_formats import write_csv, write_parquet

Schema = Sequence[Column]

SCHEMAS: Mapping[str, Schema] = {
    "cases": CASE_COLUMNS,
    "findings": CASE_COLUMNS,
    "faults": FAULT_COLUMNS,
    "events": EVENT_COLUMNS,
}
"""The tables by name. Findings are the cases whose `finding` is true."""

TABLE_FORMATS: Mapping[str, Callable[[Columns, Schema, Path], None]] = {
    "parquet": write_parquet,
    "csv": lambda table, _, path: write_csv(table, path),
}
"""The formats by name, which is also the suffix of the files."""


def run_tables(journal: Journal) -> dict[str, Columns]:
    """The tables of a run by name, as `SCHEMAS` describes them."""
    known = ranked_faults(journal)
    cases = case_columns(journal, known)
    return {
        "cases": cases,
        "findings": _chosen(cases, cases["finding"]),
        "faults": fault_columns(journal, known),
        "events": event_columns(journal),
    }


def _chosen(table: Columns, wanted: Sequence[bool]) -> Columns:
    return {
        name: [value for value, keep in zip(values, wanted, strict=True) if keep]
        for name, values in table.items()
    }


def write_tables(run: Path, out: Path, format: str) -> dict[str, int]:
    """Write the tables of the run folder to the new folder `out`; the number of rows of each."""
    with closing(journal_of(run)) as journal:
        tables = run_tables(journal)
    with new_folder(out) as draft:
        for name, table in tables.items():
            TABLE_FORMATS[format](table, SCHEMAS[name], draft / f"{name}.{format}")
    return {name: len(next(iter(table.values()))) for name, table in tables.items()}
