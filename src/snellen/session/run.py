"""A run in Python: its numbers, findings and faults, tables and comparison."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, TypeVar, overload

from snellen.disk.trust import TRUST
from snellen.errors import UserError
from snellen.report.comparison.comparison import compared
from snellen.report.words import REPORT
from snellen.session.notebook_markup import table, titled
from snellen.session.run_difference import RunDifference
from snellen.session.run_fault import RunFault
from snellen.session.run_finding import RunFinding
from snellen.session.run_source import RunSource
from snellen.store.journal import journal_of
from snellen.store.run_folder import JOURNAL
from snellen.store.summary import Summary
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
from snellen.store.tables.table_formats import data_frame, write_parquet

T = TypeVar("T")
Table = Literal["cases", "events", "faults"]
LISTED = 10
"""Findings or faults that a list shows."""


class RunList(Sequence[T]):
    """Findings or faults, worst first, with a short form and a table for notebooks."""

    def __init__(self, name: str, items: Sequence[T]) -> None:
        self._name, self._items = name, tuple(items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> RunList[T]: ...
    def __getitem__(self, index: int | slice) -> T | RunList[T]:
        if isinstance(index, slice):
            return RunList(self._name, self._items[index])
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        shown = "".join(f"\n  {one!r}" for one in self._items[:LISTED])
        more = len(self) - LISTED
        return f"<{len(self)} {self._name}{shown}{f'{chr(10)}  and {more} more' * (more > 0)}>"

    def _repr_html_(self) -> str:
        rows = [[repr(one)[1:-1]] for one in self._items[:LISTED]]
        more = len(self) - LISTED
        rest = f"and {more} more" if more > 0 else ""
        return titled(f"{len(self)} {self._name}", table((self._name,), rows), rest)


class Run:
    """A finished run, read from its folder.

    Attributes of the summary, such as `failing_cases`, also work on the run, with a warning: read
    them from `run.summary`.
    """

    def __init__(self, source: RunSource) -> None:
        self._source = source

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self._source.folder

    @property
    def report(self) -> Path:
        """The page of the run; it may not be written yet."""
        return self.folder / REPORT

    @property
    def summary(self) -> Summary:
        """The numbers of the run, typed."""
        return self._source.summary

    @property
    def subject_traits(self) -> dict[str, Any]:
        """The name, task, classes and threshold of the subject, as recorded."""
        return self._source.traits

    @property
    def findings(self) -> RunList[RunFinding]:
        """The findings, worst first, those that are not counted last."""
        rows = self._source.findings
        return RunList("findings", [RunFinding(self._source, one) for one in rows])

    @property
    def faults(self) -> RunList[RunFault]:
        """The faults, proven ones first, each worst first."""
        return RunList("faults", [RunFault(self._source, one) for one in self._source.faults])

    def finding(self, id: str) -> RunFinding:
        """The finding with an id, or with a unique prefix of one."""
        found = [one for one in self.findings if one.id.startswith(id)]
        if len(found) != 1 or not id:
            raise UserError(
                f"{self.folder}: {len(found)} findings start with '{id}', expected one. Their ids "
                "are in run.findings and in the report."
            )
        return found[0]

    def to_pandas(self, table: Table = "cases") -> Any:
        """A `pandas.DataFrame` with one row per case, per event, or per finding of a fault."""
        schema, columns = self._table(table)
        return data_frame(columns, schema)

    def to_parquet(self, path: str | Path, table: Table = "cases") -> Path:
        """The path of a Parquet file, written with the rows of `to_pandas`."""
        schema, columns = self._table(table)
        write_parquet(columns, schema, Path(path))
        return Path(path)

    def _table(self, name: str) -> tuple[tuple[Column, ...], Columns]:
        with closing(journal_of(self.folder)) as journal:
            if name == "cases":
                return CASE_COLUMNS, case_columns(journal, self._source.faults)
            if name == "events":
                return EVENT_COLUMNS, event_columns(journal)
            if name == "faults":
                return FAULT_COLUMNS, fault_columns(journal, self._source.faults)
        raise UserError(f"table: found {name!r}, expected 'cases', 'events' or 'faults'.")

    def to_fiftyone(self, out: str | Path) -> int:
        """Write the findings to a new folder that `fiftyone.Dataset.from_dir` reads; their number.

        Each is a sample whose image is the case, with both answers, the events and the fault.
        """
        from snellen.session.fiftyone.dataset_folder import write_fiftyone

        return write_fiftyone(self, out)

    def compare(
        self, other: Run | str | Path, *, match: Literal["threshold", "precision"] | None = None
    ) -> RunDifference:
        """The other run minus this one, on the scenes that both examined.

        match: judge the other subject at this one's score threshold, or at the threshold that gives
        this one's precision on unchanged scenes.
        """
        folder = other.folder if isinstance(other, Run) else Path(other)
        return RunDifference(compared(self.folder, folder, match))

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.summary}>"

    def _repr_html_(self) -> str:
        summary = self.summary
        rows = [[repr(one)[1:-1]] for one in self.faults[:LISTED]]
        return titled(
            f"{summary.method} of {summary.subject.name}",
            summary.verdict.sentence or str(summary),
            table((f"{summary.faults.count} faults",), rows),
            f"Report: {self.report}",
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in {*Summary.model_fields, "to_json", "to_text"}:
            raise AttributeError(f"'Run' object has no attribute '{name}'")
        warnings.warn(
            f"run.{name} is deprecated: use run.summary.{name}", DeprecationWarning, stacklevel=2
        )
        return getattr(self.summary, name)


def open_run(folder: str | Path, *, trust: bool = False) -> Run:
    """The run in a folder that `snellen run`, `sn.run` or `sn.test` wrote.

    trust: whether this process may run code that the folder names although you did not write it on
    this machine, such as to explain a finding. Reading needs no trust.
    """
    place = Path(folder)
    if trust:
        TRUST.add(place.parent if place.name == JOURNAL else place)
    if not place.exists():
        raise UserError(f"{place}: no such folder. Give the `out` of a run, such as runs/first.")
    return Run(RunSource(place.parent if place.name == JOURNAL else place))
