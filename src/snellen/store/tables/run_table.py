"""The cases, events and faults of a run as columns of plain values, for data frames and files.

One row per case, per event, or per finding of a fault; `CASE_COLUMNS`, `EVENT_COLUMNS` and
`FAULT_COLUMNS` are the schemas. Values are None, str, int, float or bool, so no other library is
needed to read them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from snellen.store.faults import Fault, FaultFinding
from snellen.store.findings import EventRow, Finding, cases
from snellen.store.journal import Journal

Columns: TypeAlias = dict[str, list[Any]]
"""Columns by name, all of the same length."""


class ColumnType(StrEnum):
    """The type of the values of a column; any of them may be missing unless the column says so."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"


@dataclass(frozen=True)
class Column:
    """One column of a table. required: whether every row has a value."""

    name: str
    type: ColumnType
    meaning: str
    required: bool = False


_WORST = (
    Column("class", ColumnType.TEXT, "class of the object or label before the change"),
    Column("new_class", ColumnType.TEXT, "class after the change, if it was relabelled"),
    Column("margin", ColumnType.NUMBER, "by how much the relation broke, 0 to 1"),
    Column("iou", ColumnType.NUMBER, "IoU of the boxes before and after"),
    Column("score_before", ColumnType.NUMBER, "confidence before the change"),
    Column("score_after", ColumnType.NUMBER, "confidence after the change"),
    Column("x1", ColumnType.NUMBER, "left edge of the box, pixels"),
    Column("y1", ColumnType.NUMBER, "top edge of the box, pixels"),
    Column("x2", ColumnType.NUMBER, "right edge of the box, pixels, exclusive"),
    Column("y2", ColumnType.NUMBER, "bottom edge of the box, pixels, exclusive"),
    Column("solid", ColumnType.TEXT, "JSON: x y z length width height yaw, LiDAR frame, metres"),
    Column("truth", ColumnType.TEXT, "what the annotations say: object, duplicate, phantom, ..."),
)
"""Of one event; in the table of cases, of the worst event."""

_KEY = (
    Column("run", ColumnType.TEXT, "name of the run folder", required=True),
    Column("scene", ColumnType.TEXT, "id of the scene", required=True),
    Column("case", ColumnType.TEXT, "id of the case, unique in the run", required=True),
)
"""What identifies a case; both tables start with it, and a join uses it."""

_PROVEN = Column(
    "proven",
    ColumnType.FLAG,
    "whether they rule out any other cause, of a deterministic subject",
    required=True,
)

CASE_COLUMNS = (
    *_KEY,
    Column("method", ColumnType.TEXT, "name of the method", required=True),
    Column("subject", ColumnType.TEXT, "name of the subject", required=True),
    Column("unit", ColumnType.TEXT, "id of the unit that the case belongs to", required=True),
    Column(
        "kind",
        ColumnType.TEXT,
        "test, control, check, part (of an explanation), or a kind of the method's own",
        required=True,
    ),
    Column("variant", ColumnType.TEXT, "which control or check, such as background"),
    Column(
        "status",
        ColumnType.TEXT,
        "holds, borderline, failing, or not counted: flaky, unconfirmed",
        required=True,
    ),
    Column(
        "finding", ColumnType.FLAG, "whether it is a finding: a test that failed", required=True
    ),
    Column("recipe_kind", ColumnType.TEXT, "what was done to the scene, such as insert", True),
    Column("recipe", ColumnType.TEXT, "JSON: the recipe with all parameters", required=True),
    Column("measurements", ColumnType.TEXT, "JSON: what was measured of the case", required=True),
    Column("events", ColumnType.INTEGER, "number of hard events, the counted ones", required=True),
    Column("borderline_events", ColumnType.INTEGER, "number of borderline events", required=True),
    Column("event_kinds", ColumnType.TEXT, "kinds of its hard events, sorted, joined by a comma"),
    Column("event", ColumnType.TEXT, "kind of the worst event: hard first, then largest margin"),
    *_WORST,
    Column(
        "fault", ColumnType.TEXT, "id of its first fault, proven first; the table of faults has all"
    ),
    Column("faults", ColumnType.INTEGER, "number of faults that the finding belongs to", True),
    Column("target", ColumnType.TEXT, "what the finding strikes in that fault, in words"),
    Column("cause", ColumnType.TEXT, "why, as its counterfactual questions showed; or unexplained"),
    _PROVEN,
)
"""The schema of the table of cases: one row per case, in the order of the journal."""

EVENT_COLUMNS = (
    *_KEY,
    Column("number", ColumnType.INTEGER, "place of the event in its case, from 0", required=True),
    Column("event", ColumnType.TEXT, "kind: lost, appeared, relabelled, moved, ...", required=True),
    Column("severity", ColumnType.TEXT, "hard, which is counted, or borderline", required=True),
    *_WORST,
)
"""The schema of the table of events: one row per event, in the order of the journal."""

FAULT_COLUMNS = (
    Column("run", ColumnType.TEXT, "name of the run folder", required=True),
    Column("fault", ColumnType.TEXT, "id of the fault, the same in runs that find it", True),
    Column("rank", ColumnType.INTEGER, "place of the fault, worst first, from 0", required=True),
    Column("case", ColumnType.TEXT, "id of a finding of the fault", required=True),
    Column("scene", ColumnType.TEXT, "id of that finding's scene", required=True),
    Column("representative", ColumnType.FLAG, "whether it is the finding to show", required=True),
    Column("target", ColumnType.TEXT, "what the finding strikes, in words", required=True),
    Column("cause", ColumnType.TEXT, "why, as counterfactual questions showed", required=True),
    _PROVEN,
    Column("says", ColumnType.TEXT, "the evidence in one sentence; empty if unexplained", True),
)
"""The schema of the table of faults: one row per finding of a fault, worst fault first."""


def case_columns(journal: Journal, known: Sequence[Fault]) -> Columns:
    """The table of cases, as `CASE_COLUMNS` describes it.

    known: the faults of the run in the method's order (`ranked_faults`).
    """
    subject = journal.get("subject")
    first = {
        "run": journal.path.parent.resolve().name,
        "method": journal.get("method"),
        "subject": subject["name"],
    }
    units = dict(journal.rows("SELECT number, id FROM units"))
    parts = _parts(known)
    rows = (
        first
        | {"unit": units[one.unit]}
        | _case(one)
        | _fault(parts.get((one.unit, one.number), ()))
        for one in cases(journal)
    )
    return _columns(CASE_COLUMNS, rows)


def event_columns(journal: Journal) -> Columns:
    """The table of events, as `EVENT_COLUMNS` describes it."""
    run = journal.path.parent.resolve().name
    rows = (
        {"run": run, "scene": one.scene, "case": one.id, "number": number}
        | {"severity": event.severity}
        | _event(event)
        for one in cases(journal)
        for number, event in enumerate(one.events)
    )
    return _columns(EVENT_COLUMNS, rows)


def fault_columns(journal: Journal, known: Sequence[Fault]) -> Columns:
    """The table of faults, as `FAULT_COLUMNS` describes it; known: as of `case_columns`."""
    run = journal.path.parent.resolve().name
    rows = (
        {
            "run": run,
            "fault": fault.id,
            "rank": rank,
            "case": part.finding.id,
            "scene": part.finding.scene,
            "representative": part is fault.parts[0],
            "target": part.place.target.words,
            "cause": fault.cause,
            "proven": part.cause.proven and fault.deterministic,
            "says": part.cause.says,
        }
        for rank, fault in enumerate(known)
        for part in fault.parts
    )
    return _columns(FAULT_COLUMNS, rows)


def _columns(schema: Sequence[Column], rows: Iterable[dict[str, Any]]) -> Columns:
    table: Columns = {column.name: [] for column in schema}
    for row in rows:
        for name, values in table.items():
            values.append(row.get(name))
    return table


def _case(case: Finding) -> dict[str, Any]:
    kind, _, variant = case.role.partition(":")
    hard = sum(one.hard for one in case.events)
    worst = {} if case.worst is None else _event(case.worst)
    return {
        "scene": case.scene,
        "case": case.id,
        "kind": kind,
        "variant": variant or None,
        "status": case.status,
        "finding": case.is_finding,
        "recipe_kind": case.recipe["kind"],
        "recipe": json.dumps(case.recipe, sort_keys=True),
        "measurements": json.dumps(case.measurements, sort_keys=True),
        "events": hard,
        "borderline_events": len(case.events) - hard,
        "event_kinds": ",".join(case.kinds) if hard else None,
        **worst,
    }


def _event(event: EventRow) -> dict[str, Any]:
    x1, y1, x2, y2 = event.box or (None,) * 4
    return {
        "event": event.kind,
        "class": event.name,
        "new_class": event.new_name,
        "margin": event.margin,
        "iou": event.iou,
        "score_before": event.score_before,
        "score_after": event.score_after,
        "x1": x1,
        "y1": y1,
        "x2": x2,
        "y2": y2,
        "solid": None if event.solid is None else json.dumps(event.solid),
        "truth": event.truth,
    }


def _parts(known: Sequence[Fault]) -> dict[tuple[int, int], list[tuple[Fault, FaultFinding]]]:
    """The faults of each finding with its part in them, its own proven ones first."""
    parts: dict[tuple[int, int], list[tuple[Fault, FaultFinding]]] = {}
    for fault in known:
        for one in fault.parts:
            key = one.finding.unit, one.finding.number
            parts.setdefault(key, []).append((fault, one))
    for found in parts.values():
        found.sort(key=lambda pair: (not pair[1].cause.proven, not pair[1].cause.known))
    return parts


def _fault(parts: Sequence[tuple[Fault, FaultFinding]]) -> dict[str, Any]:
    if not parts:
        return {"faults": 0, "proven": False}
    fault, part = parts[0]
    return {
        "fault": fault.id,
        "faults": len(parts),
        "target": part.place.target.words,
        "cause": part.cause.cause,
        "proven": part.cause.proven and fault.deterministic,
    }


def rows_of(table: Columns) -> Iterator[tuple[Any, ...]]:
    """The rows of a table."""
    return zip(*table.values(), strict=True)
