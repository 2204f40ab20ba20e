"""Nulls and explanations do not depend on batches, workers or the cache."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.store.journal import journal_of

TABLES = {
    "cases": "id, number, role, status, parent, recipe, measurements FROM cases ORDER BY number",
    "explanations": "* FROM explanations ORDER BY 1, 2",
    "rungs": "* FROM rungs ORDER BY 1, 2, 3",
    "struck": "* FROM struck ORDER BY 1, 2, 3",
}


def rows(folder: Path, root: Path, engine: dict[str, Any]) -> dict[str, list[tuple[Any, ...]]]:
    folder.mkdir()
    values = {
        "method": "fusion",
        "seed": 2,
        "subject": {"kind": "planted-3d", "fault": "shifts"},
        "scenes": {"kind": "kitti", "root": str(root), "limit": 2},
        "fusion": {"objects": 1, "tries": 2, "controls": 1.0},
        "engine": {"cache": False, **engine},
        "out": "run",
    }
    run_campaign(campaign_from(values, folder / "snellen.yaml"))
    with closing(journal_of(folder / "run")) as journal:
        return {name: list(journal.rows(f"SELECT {what}")) for name, what in TABLES.items()}


def test_the_rows_are_the_same_whatever_the_batch_and_the_workers(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    root = shared("kitti")
    one = rows(tmp_path / "one", root, {"workers": 0, "batch": 1})
    many = rows(tmp_path / "many", root, {"workers": 2, "batch": 8})
    assert one == many
    assert {row[2] for row in one["cases"]} >= {"test", "control:null", "part"}
    assert one["explanations"]
    assert one["rungs"]
