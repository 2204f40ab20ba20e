"""YOLOv4-tiny tested, trained on its failures, and tested again on photographs held out.

    python -m experiments.repair [--data FOLDER] [--runs FOLDER] [--quick] [--tries] [--publish]

Three ways to go on training from the same weights are compared: on the same photographs, with
pictures of failing cases, and with as many pictures of arbitrary insertions. `--tries` trains by
other settings too, on other photographs. What is done stays done in the folder of the runs.
`--publish` writes `results.md` beside this file.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from experiments.coco import photographs
from experiments.repair import tables
from experiments.repair.halves import uses
from experiments.repair.repairing import repair
from experiments.repair.settings import (
    CHOSEN,
    QUICK,
    QUICK_NAMES,
    QUICK_TESTED,
    TESTED,
    TRIES,
)
from snellen.repair.options import Configuration
from snellen.repair.outcome import Outcome

HERE = Path(__file__).parent
DATA = Path(os.environ.get("SNELLEN_DATA", HERE.parents[2] / "shared" / "data"))
WAYS = tuple(one.value for one in Configuration)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    given = _parser().parse_args(arguments)
    begun = time.monotonic()
    names = photographs(given.data)
    final = _final(given, names)
    parts = ["## Three ways to go on training, on photographs held out", tables.compared(final)]
    print(f"took {(time.monotonic() - begun) / 60:.0f} min", flush=True)
    if given.tries:
        chosen = {name: one for name, one in TRIES.items() if name in (given.only or TRIES)}
        found = {
            name: repair(
                given.data,
                given.runs / "tries" / name.replace(" ", "-") / "repair",
                uses(names, tries=True),
                TESTED,
                one.options(),
                ("failing",),
                fresh=False,
            )
            for name, one in chosen.items()
        }
        parts += ["## What was tried, on the other photographs", tables.tried(found, TRIES)]
    _write(given, parts)


def _final(given: argparse.Namespace, names: Sequence[str]) -> Outcome:
    """The chosen setting; or a small version of it, the other way round."""
    if given.quick:
        few = uses([one for one in names if one in QUICK_NAMES], tries=True)
        out = given.runs / "quick" / "repair"
        return repair(given.data, out, few, QUICK_TESTED, QUICK.options(), WAYS, fresh=False)
    out = given.runs / "final" / "repair"
    half = uses(names, tries=False)
    return repair(given.data, out, half, TESTED, CHOSEN.options(), WAYS, fresh=True)


def _write(given: argparse.Namespace, parts: Sequence[str]) -> None:
    told = f"Made on {date.today()} by `python -m experiments.repair`, seed 1."
    text = "\n\n".join(["# Repair of YOLOv4-tiny: measured", told, *parts]) + "\n"
    for folder in [given.runs, *([HERE] if given.publish else [])]:
        (folder / "results.md").write_text(text, encoding="utf-8")
    print(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments.repair")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--runs", type=Path, default=Path("runs/repair"))
    parser.add_argument("--quick", action="store_true", help="a few photographs, a few steps")
    parser.add_argument("--tries", action="store_true", help="train by other settings, too")
    parser.add_argument("--only", nargs="+", choices=list(TRIES), help="some of the tries")
    parser.add_argument("--publish", action="store_true", help="write results.md beside this file")
    return parser


if __name__ == "__main__":
    main()
