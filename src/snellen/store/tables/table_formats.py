"""Tables of a run as pandas data frames, and as Parquet and CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import write_atomically
from snellen.errors import MissingExtraError
from snellen.store.tables.run_table import Column, Columns, ColumnType, rows_of

EXTRA = "analytics"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text starts that spreadsheets take for a formula."""


def data_frame(table: Columns, schema: Sequence[Column]) -> Any:
    """The table as a `pandas.DataFrame`; types do not depend on which values are missing.

    Text is `str` where pandas has it (since 3.0), else `object`, so that comparing a missing value
    gives False.
    """
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError("A data frame", EXTRA) from error
    text = "str" if int(pandas.__version__.partition(".")[0]) >= 3 else "object"
    types = {one.name: _pandas_type(one, text) for one in schema}
    return pandas.DataFrame(
        {name: pandas.Series(table[name], dtype=type) for name, type in types.items()}
    )


def _pandas_type(column: Column, text: str) -> str:
    """The pandas type of a column; one that may lack values needs a type that has missing ones."""
    if column.type == ColumnType.TEXT:
        return text
    if column.type == ColumnType.INTEGER:
        return "int64" if column.required else "Int64"
    if column.type == ColumnType.FLAG:
        return "bool" if column.required else "boolean"
    return "float64"


def write_parquet(table: Columns, schema: Sequence[Column], path: Path) -> None:
    """Write the table as a Parquet file; the meaning of each column is in its metadata."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("A Parquet file", EXTRA) from error
    types = {
        ColumnType.TEXT: pyarrow.string(),
        ColumnType.INTEGER: pyarrow.int64(),
        ColumnType.NUMBER: pyarrow.float64(),
        ColumnType.FLAG: pyarrow.bool_(),
    }
    fields = [
        pyarrow.field(
            one.name, types[one.type], nullable=not one.required, metadata={"meaning": one.meaning}
        )
        for one in schema
    ]
    made = pyarrow.table(table, schema=pyarrow.schema(fields))
    written = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(made, written)
    write_atomically(path, written.getvalue().to_pybytes())


def write_csv(table: Columns, path: Path) -> None:
    """Write the table as CSV with a header; missing values are empty, flags `true` and `false`.

    A text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(table)
    for row in rows_of(table):
        writer.writerow([_csv(value) for value in row])
    write_atomically(path, text.getvalue().encode(errors="backslashreplace"))


def _csv(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return csv_text(value) if isinstance(value, str) else value


def csv_text(text: str) -> str:
    """A text as a cell that no spreadsheet runs as a formula.

    >>> csv_text("=1+1"), csv_text("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if text.startswith(FORMULA) else text
