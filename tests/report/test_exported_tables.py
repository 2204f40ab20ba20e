"""Tables of a run as files, and the documented queries on them."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pyarrow.parquet
import pytest

from snellen.errors import UserError
from snellen.report.exported_tables import SCHEMAS, write_tables
from snellen.store.tables.run_table import Column, ColumnType
from snellen.store.tables.table_formats import write_csv

DOCS = Path(__file__).parents[2] / "docs"
ARROW = {
    ColumnType.TEXT: "string",
    ColumnType.INTEGER: "int64",
    ColumnType.NUMBER: "double",
    ColumnType.FLAG: "bool",
}
Runs = Callable[[str], Path]


@pytest.fixture
def tables(runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder `tables` of the current folder, with the Parquet files of a run of insertion."""
    monkeypatch.chdir(tmp_path)
    write_tables(runs("insertion"), Path("tables"), "parquet")
    return tmp_path / "tables"


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


def test_every_table_has_the_documented_columns_and_types(tables: Path) -> None:
    for name, schema in SCHEMAS.items():
        found = pyarrow.parquet.read_schema(tables / f"{name}.parquet")
        assert [(one.name, str(one.type)) for one in found] == [
            (one.name, ARROW[one.type]) for one in schema
        ]


def test_findings_are_the_cases_marked_as_findings(tables: Path) -> None:
    cases = pandas.read_parquet(tables / "cases.parquet")
    findings = pandas.read_parquet(tables / "findings.parquet")
    assert 0 < len(findings) < len(cases)
    assert list(findings["case"]) == list(cases[cases["finding"]]["case"])


@pytest.mark.parametrize("query", blocks("how-to/export.md", "sql"))
def test_a_documented_duckdb_query_gives_rows(tables: Path, query: str) -> None:
    assert duckdb.sql(query).fetchall()


def test_the_documented_failure_rate_is_that_of_the_run(tables: Path) -> None:
    cases = pandas.read_parquet(tables / "cases.parquet")
    tests = cases[cases["kind"] == "test"]
    query = blocks("how-to/export.md", "sql")[0]
    rates = {kind: (count, rate) for kind, count, rate in duckdb.sql(query).fetchall()}
    assert rates["test"][0] == len(tests)
    assert rates["test"][1] == pytest.approx((tests["status"] == "failing").mean())


@pytest.mark.parametrize("code", blocks("how-to/export.md", "python"))
def test_a_documented_pandas_query_gives_rows(tables: Path, code: str) -> None:
    values: dict[str, Any] = {}
    exec(code, values)
    assert len(values["found"])


def test_the_schema_page_has_every_column_of_every_table() -> None:
    page = (DOCS / "reference/export-schema.md").read_text()
    for name, schema in SCHEMAS.items():
        section = page.split(f"## `{name}`")[1].split("\n## ")[0]
        if name != "findings":
            assert [line for line in section.splitlines() if line.startswith("| `")] == [
                row(one) for one in schema
            ]


def row(one: Column) -> str:
    return f"| `{one.name}` | {one.type} | {'yes' if one.required else ''} | {one.meaning} |"


def test_csv_texts_that_start_like_a_formula_are_escaped_and_numbers_are_not(
    tmp_path: Path,
) -> None:
    texts = ["=1+1", "+1", "-1", "@a", "\tb", "\rc", "a=1", "", None]
    numbers = [-1.5, 2, -3, 0, 1, 2, 3, 4, 5]
    write_csv({"text": texts, "number": numbers}, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        found = list(csv.reader(file))[1:]
    assert [one[0] for one in found] == [
        "'=1+1", "'+1", "'-1", "'@a", "'\tb", "'\rc", "a=1", "", "",
    ]  # fmt: skip
    assert [float(one[1]) for one in found] == numbers


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_the_same_run_gives_the_same_bytes(runs: Runs, tmp_path: Path, format: str) -> None:
    counts = [write_tables(runs("insertion"), tmp_path / one, format) for one in ("a", "b")]
    assert counts[0] == counts[1]
    for name in SCHEMAS:
        file = f"{name}.{format}"
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_folder_that_is_not_empty_is_not_overwritten(runs: Runs, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(UserError, match="not empty"):
        write_tables(runs("insertion"), tmp_path, "csv")
    assert [one.name for one in tmp_path.iterdir()] == ["mine.txt"]
