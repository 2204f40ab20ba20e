"""Time and peak memory of `snellen report` on a run of 100,000 cases.

    python -m benchmarks.report_writing [CASES [FOLDER]]

An insertion run of a planted subject on 60 generated scenes is made; its units are then copied,
with other scenes and ids, until there are as many cases. FOLDER keeps the run. Target: at most 8 s
of CPU and 300 MB.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import yaml

from benchmarks._measured_process import measured, print_cost
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.store.run_folder import CONFIG, JOURNAL
from snellen.store.verdict_rows import PREDICTIONS_A_UNIT

CASES, SCENES = 100_000, 60
TABLES = ("cases", "events", "struck", "explanations", "causes", "rungs", "timing")


def make_run(folder: Path, cases: int) -> None:
    run_campaign(
        campaign_from(
            {
                "method": "insertion",
                "insertion": {"relocate": False, "per_object": 10, "controls": 0.2},
                "subject": {"kind": "planted", "fault": "loses", "rate": 0.1},
                "scenes": {
                    "kind": "synthetic",
                    "count": SCENES,
                    "size": [72, 72],
                    "objects": [1, 2],
                    "sides": [16, 20],
                    "gap": 4,
                },
                "objects": {"kind": "synthetic", "count": 12, "shade": "deep", "seed": 2},
                "engine": {"workers": 0},
                "out": str(folder),
            },
            folder.parent / "report.yaml",
        )
    )
    with closing(sqlite3.connect(folder / JOURNAL)) as journal:
        [(count,)] = journal.execute("SELECT count(*) FROM cases")
        copies = -(-cases // count)
        for copy in range(1, copies):
            _copy_units(journal, copy * SCENES, copy)
        facts = {"units": copies * SCENES, "scenes": copies * SCENES}
        for key, value in facts.items():
            journal.execute("UPDATE run SET value = ? WHERE key = ?", (json.dumps(value), key))
        journal.commit()
    config = yaml.safe_load((folder / CONFIG).read_text())
    config["scenes"]["count"] = copies * SCENES
    (folder / CONFIG).write_text(yaml.safe_dump(config))


def _copy_units(journal: sqlite3.Connection, shift: int, copy: int) -> None:
    """Copy the units of the run itself as those of further scenes."""
    name = f"printf('synthetic-%05d', number + {shift})"
    journal.execute(
        f"INSERT INTO units SELECT number + {shift}, {name}, {name}, status, questions, notes "
        f"FROM units WHERE number < {SCENES}"
    )
    first = shift * PREDICTIONS_A_UNIT
    journal.execute(
        f"INSERT INTO predictions SELECT number + {first}, value FROM predictions "
        f"WHERE number < {SCENES * PREDICTIONS_A_UNIT}"
    )
    for table in TABLES:
        columns = [row[1] for row in journal.execute(f"PRAGMA table_info({table})")]
        new = {
            "unit": f"unit + {shift}",
            "id": f"id || printf('%03x', {copy})",
            "before": f"before + {first}" if table == "cases" else "before",
            "after": f"after + {first}" if table == "cases" else "after",
        }
        chosen = ", ".join(new.get(column, f'"{column}"') for column in columns)
        journal.execute(f"INSERT INTO {table} SELECT {chosen} FROM {table} WHERE unit < {SCENES}")


def main(cases: int, folder: Path) -> None:
    if not (folder / JOURNAL).exists():
        make_run(folder, cases)
    cost = measured("benchmarks.report_writing", "report", str(folder))
    print(f"report of {cases} cases: {cost} (targets 8 s, 300 MB)")


def report(folder: Path) -> None:
    from snellen.report.report import write_report

    print_cost(lambda: write_report(folder))


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["report"]:
        report(Path(words[1]))
    else:
        with tempfile.TemporaryDirectory() as name:
            main(int(words[0]) if words else CASES, Path(words[1] if words[1:] else f"{name}/run"))
