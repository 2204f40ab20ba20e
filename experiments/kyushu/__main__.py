"""Which instances fail, and what retraining does: Table 1, Fig. 6, and Tables 2 to 4.

    python -m experiments.kyushu [--data FOLDER] [--tables 1 2 3 4] [--quick] [--out FILE]

Predictions are cached, and what was broken off goes on. `--tables` makes some of the tables; the
others are taken as the folder of the runs has them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from experiments.kyushu import material
from experiments.kyushu.characteristics import JUDGES, characteristics
from experiments.kyushu.cluster_tables import clusters
from experiments.kyushu.cluster_training import clustered
from experiments.kyushu.crosstab import crossed
from experiments.kyushu.crosstab_tables import crossing
from experiments.kyushu.grid_tables import grid
from experiments.kyushu.retraining_rows import SPLIT, Row, named, rows
from experiments.kyushu.robustness_runs import tested
from experiments.kyushu.rq1_tables import rq1
from experiments.kyushu.scale import FAILING_ROWS, FULL, QUICK, RATE, THRESHOLD, Scale
from snellen.repair.options import TABLE_2

HERE = Path(__file__).parent
DATA = Path(os.environ.get("SNELLEN_DATA", HERE.parents[2] / "shared" / "data"))
TABLES = (1, 2, 3, 4)
Values = Mapping[str, Any]


def made(
    which: Sequence[int],
    subject: Values,
    scenes: Values,
    scale: Scale,
    runs: Path,
    seconds: float | None = None,
) -> dict[int, str]:
    """The tables that are asked for, as Markdown, by number; seconds: for the test of RQ1."""
    found = {}
    if 1 in which:
        print("== RQ1", flush=True)
        found[1] = rq1(
            characteristics(tested(subject, scenes, scale.robustness(), runs / "rq1", seconds))
        )
    if 2 in which or 4 in which:
        print("== RQ2, Tables 2 and 4", flush=True)
        retrained = rows(subject, scenes, scale, runs / "repair")
        found[2], found[4] = grid(retrained), _crossed(retrained)
    if 3 in which:
        print("== RQ2, Table 3", flush=True)
        found[3] = clusters(clustered(subject, scenes, scale, runs / "repair"))
    return {table: text for table, text in found.items() if table in which}


def _crossed(retrained: Mapping[str, Row]) -> str:
    """Table 4, over all subjects that were retrained at failing places alone."""
    ways = [named(row) for row in FAILING_ROWS if named(row) in retrained]
    chosen = [retrained[name] for name in ways]
    own = {judge: crossed([one.own[judge] for one in chosen]) for judge in JUDGES}
    held = {judge: crossed([one.held_out[judge] for one in chosen]) for judge in JUDGES}
    return crossing(own, held, ways)


def main(words: Sequence[str] | None = None) -> None:
    """Run what is missing, then write the tables."""
    given = arguments(words)
    scale, runs = (QUICK if given.quick else FULL), given.runs.resolve()
    if given.rows is not None:
        scale = replace(scale, grid=tuple(row for row in TABLE_2 if named(row) in given.rows))
    scenes = material.scenes(given.data, runs / "coco", scale.scenes)
    subject = material.subject()
    parts = made(given.tables, subject, scenes, scale, runs, given.seconds)
    for table, text in parts.items():
        (runs / f"table-{table}.md").write_text(text, encoding="utf-8")
    kept = [runs / f"table-{table}.md" for table in TABLES]
    texts = [one.read_text(encoding="utf-8") for one in kept if one.exists()]
    whole = "\n\n".join(["# The Kyushu paper again: measured", _said(scale), *texts]) + "\n"
    given.out.write_text(whole, encoding="utf-8")
    print(whole)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.kyushu")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--tables", type=int, nargs="*", default=list(TABLES), choices=TABLES)
    names = [named(row) for row in TABLE_2]
    parser.add_argument("--rows", nargs="*", choices=names, help="of Table 2; all if not given")
    parser.add_argument("--seconds", type=float, help="of RQ1: open no further scene after these")
    parser.add_argument("--quick", action="store_true", help="a few scenes, rows and steps")
    parser.add_argument("--runs", type=Path, default=None, help="where runs and repairs are kept")
    parser.add_argument("--out", type=Path, default=None, help="the file of all tables")
    given = parser.parse_args(words)
    given.runs = given.runs or Path("runs/kyushu-quick" if given.quick else "runs/kyushu")
    given.out = given.out or (given.runs if given.quick else HERE) / "results.md"
    return given


def _said(scale: Scale) -> str:
    low, high = scale.size_ratio
    shares = ", ".join(f"{100 * share:g}% {use}" for use, share in SPLIT.items())
    return (
        f"Made on {date.today().isoformat()} by `python -m experiments.kyushu`. Base instances "
        f"score {THRESHOLD:g} or more; {scale.tests} tests at each of five levels of distance to "
        f"the Grad-CAM contour, of objects with {low:g} to {high:g} times the instance's area, "
        f"that hide up to {100 * scale.cover:g}% of its box; {scale.passes} passes with dropout "
        f"{material.DROPOUT:g}. Up to {scale.per_scene} instances of a scene. RQ2: scenes "
        f"divided into {shares}; {scale.epochs * scale.steps} steps of {scale.batch} pictures, "
        f"rate {RATE:g}, backbone frozen; Table 3 with {scale.cluster_tests} tests a level. "
        "Intervals are 95%, by scene."
    )


if __name__ == "__main__":
    main()
