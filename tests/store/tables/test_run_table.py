"""The tables of a run: one row per case or event, with the values of the journal."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from snellen.report.verdict.fault_summary import ranked_faults
from snellen.store.findings import findings
from snellen.store.journal import Journal, journal_of
from snellen.store.tables.run_table import (
    CASE_COLUMNS,
    EVENT_COLUMNS,
    FAULT_COLUMNS,
    Column,
    Columns,
    ColumnType,
    case_columns,
    event_columns,
    fault_columns,
)
from snellen.store.tables.table_formats import data_frame, write_csv, write_parquet

PYTHON = {
    ColumnType.TEXT: str,
    ColumnType.INTEGER: int,
    ColumnType.NUMBER: float,
    ColumnType.FLAG: bool,
}


def tables(journal: Journal) -> list[tuple[tuple[Column, ...], Columns]]:
    return [
        (CASE_COLUMNS, case_columns(journal, ranked_faults(journal))),
        (EVENT_COLUMNS, event_columns(journal)),
        (FAULT_COLUMNS, fault_columns(journal, ranked_faults(journal))),
    ]


@pytest.mark.parametrize("name", ["insertion", "identity", "combinations", "fine"])
def test_every_value_has_the_type_of_its_column(runs: Callable[[str], Path], name: str) -> None:
    with closing(journal_of(runs(name))) as journal:
        counts = [journal.rows(f"SELECT count(*) FROM {one}")[0][0] for one in ("cases", "events")]
        counts.append(sum(len(one.parts) for one in ranked_faults(journal)))
        made = tables(journal)
    for (schema, table), count in zip(made, counts, strict=True):
        assert list(table) == [one.name for one in schema]
        for column in schema:
            values = table[column.name]
            assert len(values) == count, column.name
            allowed = {PYTHON[column.type]} | (set() if column.required else {type(None)})
            assert {type(one) for one in values} <= allowed, column.name


def test_findings_and_faults_are_those_of_the_report(runs: Callable[[str], Path]) -> None:
    with closing(journal_of(runs("insertion"))) as journal:
        known = ranked_faults(journal)
        table = case_columns(journal, known)
        found = {one.id: one for one in findings(journal)}
    rows = dict(zip(table["case"], zip(*table.values(), strict=True), strict=True))
    place = {name: number for number, name in enumerate(table)}
    assert found, "the planted fault is found"
    assert {id for id, row in rows.items() if row[place["finding"]]} == set(found)
    for id, row in rows.items():
        mine = [one for one in known if id in [other.id for other in one.findings]]
        assert row[place["faults"]] == len(mine)
        assert row[place["fault"]] in ({one.id for one in mine} if mine else {None})
        if row[place["proven"]]:
            assert any(one.proven and one.id == row[place["fault"]] for one in mine)


def test_the_table_of_faults_has_every_finding_of_every_fault(runs: Callable[[str], Path]) -> None:
    with closing(journal_of(runs("insertion"))) as journal:
        known = ranked_faults(journal)
        table = fault_columns(journal, known)
    members = [(fault.id, one.id) for fault in known for one in fault.findings]
    assert list(zip(table["fault"], table["case"], strict=True)) == members
    shown = [
        case for case, first in zip(table["case"], table["representative"], strict=True) if first
    ]
    assert shown == [one.representative.id for one in known]
    proven = {fault for fault, sure in zip(table["fault"], table["proven"], strict=True) if sure}
    assert proven == {one.id for one in known if one.proven}
    assert proven, "the planted fault is proven"


def test_a_case_has_its_worst_event_and_counts_of_all(runs: Callable[[str], Path]) -> None:
    """Checked against SQL on the journal's tables, which the code under test does not use."""
    with closing(journal_of(runs("insertion"))) as journal:
        table = case_columns(journal, ranked_faults(journal))
        events = event_columns(journal)
        expected = journal.rows(
            "SELECT id, role, cases.status, "
            "  (SELECT count(*) FROM events e WHERE e.unit = cases.unit "
            "   AND e.\"case\" = cases.number AND severity = 'hard'), "
            "  (SELECT kind || ' ' || margin FROM events e WHERE e.unit = cases.unit "
            '   AND e."case" = cases.number '
            "   ORDER BY severity != 'hard', margin DESC, number LIMIT 1) "
            "FROM cases ORDER BY unit, number"
        )
    roles = [
        kind if variant is None else f"{kind}:{variant}"
        for kind, variant in zip(table["kind"], table["variant"], strict=True)
    ]
    worst = [
        None if kind is None else f"{kind} {margin}"
        for kind, margin in zip(table["event"], table["margin"], strict=True)
    ]
    columns = table["case"], roles, table["status"], table["events"], worst
    assert list(zip(*columns, strict=True)) == expected
    assert any(role.startswith("control:") for role in roles)
    hard = [
        one for one, how in zip(events["case"], events["severity"], strict=True) if how == "hard"
    ]
    assert len(hard) == sum(table["events"])


def test_the_recipe_is_the_one_that_rebuilds_the_case(runs: Callable[[str], Path]) -> None:
    with closing(journal_of(runs("insertion"))) as journal:
        table = case_columns(journal, ranked_faults(journal))
        [(recipe,)] = journal.rows("SELECT recipe FROM cases WHERE id = ?", (table["case"][-1],))
    assert json.loads(table["recipe"][-1]) == json.loads(recipe)
    assert table["recipe_kind"][-1] == json.loads(recipe)["kind"]


@pytest.mark.parametrize("name", ["insertion", "fine"])
def test_parquet_and_pandas_have_the_same_values_and_types(
    runs: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    """A run without an event has the same types as one with events, so files can be joined."""
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("pandas")
    with closing(journal_of(runs(name))) as journal:
        made = tables(journal)
    for schema, table in made:
        frame = data_frame(table, schema)
        write_parquet(table, schema, tmp_path / "table.parquet")
        read = parquet.read_table(tmp_path / "table.parquet")
        assert read.to_pydict() == table
        types = {"text": "string", "integer": "int64", "number": "double", "flag": "bool"}
        assert [str(one.type) for one in read.schema] == [types[one.type] for one in schema]
        assert read.schema.field("run").metadata[b"meaning"] == b"name of the run folder"
        frames = {"text": "str", "integer": "int64", "number": "float64", "flag": "bool"}
        assert [str(one) for one in frame.dtypes] == [frames[one.type] for one in schema]
        assert not (frame["run"] == "other").any(), "a comparison gives plain flags"
        for column in schema:
            present = [one for one in table[column.name] if one is not None]
            assert frame[column.name].dropna().tolist() == present


def test_a_csv_file_has_a_header_and_every_row(runs: Callable[[str], Path], tmp_path: Path) -> None:
    with closing(journal_of(runs("insertion"))) as journal:
        table = case_columns(journal, ranked_faults(journal))
    write_csv(table, tmp_path / "cases.csv")
    with (tmp_path / "cases.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [one["case"] for one in rows] == table["case"]
    assert [one["recipe"] for one in rows] == table["recipe"]
    assert {one["proven"] for one in rows} <= {"true", "false"}
    assert [one["margin"] for one in rows] == [
        "" if one is None else str(one) for one in table["margin"]
    ]
