"""YOLOv4-tiny tested, trained on its failures, and tested again on held-out photographs.

    python -m experiments.repair [final | half-way | tries | half | all | quick] [--publish]

`final` compares three arms of training from the same weights: on the same photographs, with
pictures of failing cases, and with as many pictures of arbitrary insertions; each photograph is
held out once. `half-way` repeats it with weights half-way back to the original ones. `tries` trains
with several settings, on one half; `final` uses the setting chosen from them. `half` is the first
measurement, with another choice, on the other half. `quick` is a small version. Finished parts are
reused from the folder `--runs`. `--publish` writes `results.md` next to this file.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Collection, Sequence
from datetime import date
from pathlib import Path

from experiments.coco import photographs
from experiments.repair import tables
from experiments.repair.photograph_split import folds, held_back_split, tuning_split
from experiments.repair.pooled_evaluation import PooledEvaluation, opened_folds, pool_folds
from experiments.repair.repair_run import SEED, repair
from experiments.repair.settings import (
    CHOSEN,
    FIRST_CHOSEN,
    HALF_WAY,
    QUICK,
    QUICK_NAMES,
    QUICK_TESTED,
    TESTED,
    TRIES,
    Setting,
)
from snellen.repair.options import ArmKind
from snellen.repair.repair_outcome import Outcome

HERE = Path(__file__).parent
DATA = Path(os.environ.get("SNELLEN_DATA", HERE.parents[2] / "shared" / "data"))
PARTS = ("final", "half-way", "tries", "half", "all", "quick")
HELD_OUT = "## Three training arms, every photograph held out once"
HALF_WAY_BACK = "## The same, half-way back to the original weights"
UNTRIED = "Of these, the photographs that no setting was tried on:"
TRIED = "## What was tried, on one half"
HALF = "## What was measured before, by another choice, on the other half"
ARMS = tuple(one.value for one in ArmKind)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write."""
    given = _parser().parse_args(arguments)
    begun = time.monotonic()
    names = photographs(given.data)
    parts = []
    if given.part == "quick":
        parts.append(tables.compared(_quick(given, names)))
    if given.part in ("final", "all"):
        parts += _final(given, names)
    if given.part in ("half-way", "all"):
        parts += _half_way(given, names)
    if given.part in ("tries", "all"):
        parts += [TRIED, _tries(given, names)]
    if given.part in ("half", "all"):
        parts += [HALF, tables.compared(_half(given, names))]
    print(f"took {(time.monotonic() - begun) / 60:.0f} min", flush=True)
    _write(given, parts)


def _quick(given: argparse.Namespace, names: Sequence[str]) -> Outcome:
    """A small version of the chosen setting, on a few of the photographs."""
    few = tuning_split([one for one in names if one in QUICK_NAMES])
    out = given.runs / "quick" / "repair"
    return repair(given.data, out, few, QUICK_TESTED, QUICK.options(), ARMS, fresh=False)


def _final(given: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """The chosen setting, each photograph held out from one repair."""
    return [HELD_OUT, *_folds(given, names, "folds", CHOSEN, ARMS)]


def _half_way(given: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """The same with interpolated weights."""
    return [HALF_WAY_BACK, *_folds(given, names, "half-way", HALF_WAY, ARMS[1:])]


def _folds(
    given: argparse.Namespace,
    names: Sequence[str],
    folder: str,
    setting: Setting,
    arms: Sequence[str],
) -> list[str]:
    """Repairs with all but one part of the photographs, for each part, pooled."""
    found = []
    for number, fold in enumerate(folds(names), start=1):
        print(f"== {folder}, repair {number}", flush=True)
        out = given.runs / folder / str(number) / "repair"
        options = setting.options()
        found.append(repair(given.data, out, fold, TESTED, options, arms, fresh=False))
    untried = set(names) - set(tuning_split(names).evaluate)
    return [
        tables.across(found, _pooled(found, names, arms)),
        UNTRIED,
        tables.few(_pooled(found, untried, arms)),
    ]


def _pooled(
    outcomes: Sequence[Outcome], names: Collection[str], arms: Sequence[str]
) -> dict[str, PooledEvaluation]:
    found = {}
    for arm in arms:
        with opened_folds(outcomes, arm) as opened:
            found[arm] = pool_folds(opened, SEED, names)
    return found


def _half(given: argparse.Namespace, names: Sequence[str]) -> Outcome:
    """The first chosen setting, on the half that was not used for tuning."""
    out, options = given.runs / "half" / "repair", FIRST_CHOSEN.options()
    return repair(given.data, out, held_back_split(names), TESTED, options, ARMS, fresh=True)


def _tries(given: argparse.Namespace, names: Sequence[str]) -> str:
    """Each setting that was tried; the answers before training are computed once."""
    half = tuning_split(names)
    found = {}
    for name in given.only or TRIES:
        print(f"== {name}", flush=True)
        out = given.runs / "tries" / name.replace(" ", "-") / "repair"
        options = TRIES[name].options()
        found[name] = repair(given.data, out, half, TESTED, options, ("failing",), fresh=False)
    return tables.tried(found, TRIES)


def _write(given: argparse.Namespace, parts: Sequence[str]) -> None:
    note = f"Made on {date.today()} by `python -m experiments.repair`, seed 1."
    text = "\n\n".join(["# Repair of YOLOv4-tiny: measured", note, *parts]) + "\n"
    for folder in [given.runs, *([HERE] if given.publish else [])]:
        (folder / "results.md").write_text(text, encoding="utf-8")
    print(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments.repair")
    parser.add_argument("part", nargs="?", default="final", choices=PARTS)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--runs", type=Path, default=Path("runs/repair"))
    parser.add_argument("--only", nargs="+", choices=list(TRIES), help="some of the tries")
    parser.add_argument("--publish", action="store_true", help="write results.md next to this file")
    return parser


if __name__ == "__main__":
    main()
