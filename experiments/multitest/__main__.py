"""Realism, searches and numbers of objects: MultiTest's Tables 2, 3 and 5.

    python -m experiments.multitest [--data FOLDER] [--streets N] [--out FOLDER]

Predictions are cached, and a run that was broken off goes on. `--tables` makes some of the tables;
the others are taken as the folder of the runs has them. All go to `results.md` there, and with
`--publish` also beside this file.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from experiments.multitest import tables
from experiments.multitest.fusion_runs import Run, fusion_run
from experiments.multitest.likeness import likeness
from experiments.multitest.object_counts import MOST, TRIES, counts
from experiments.multitest.pipelines import CARS, MESHES, PIPELINES, made
from experiments.multitest.search_precision import Judged, judged
from experiments.multitest.subjects import KITTI, STREETS, scenes, street_subjects, subjects
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet

HERE = Path(__file__).parent
DATA = Path(os.environ.get("SNELLEN_DATA", HERE.parents[2] / "shared" / "data"))
SEARCHES = ("random", "guided", "informed")
OBJECTS = 3
SLOW = "Point-GNN"
COUNTED = ("lidar-only", "weak-fusion")
PER_FRAME = {KITTI: 10, STREETS: 2}
"""Insertions of each pipeline into each frame, in Table 2."""


def tried(name: str, frames: str, given: argparse.Namespace) -> dict[str, Any]:
    """The options of a search of a system."""
    tries = given.slow_tries if name == SLOW or frames == STREETS else given.tries
    return {
        "objects": OBJECTS,
        "tries": tries,
        "meshes": list(CARS),
        "variants": MESHES.variants,
    }


def realism(sets: Mapping[str, SceneSet], given: argparse.Namespace) -> list[str]:
    """Table 2 for each set of frames."""
    parts = []
    for name, opened in sets.items():
        print(f"== realism, {name}", flush=True)
        found = made(list(opened), min(given.insertions, PER_FRAME[name]), seed=1)
        figures = {one: likeness(found.real, found.inserted[one]) for one in PIPELINES}
        parts.append(tables.realism(name, found, figures, len(opened)))
    return parts


def compared(sets: Mapping[str, SceneSet], given: argparse.Namespace) -> list[str]:
    """Table 3."""
    found: dict[tables.Named, dict[str, Judged]] = {}
    for name, frames, subject, where in _systems(given, sets, given.subjects):
        by_search = {}
        repeats = given.repeats if frames == KITTI and name != SLOW else 1
        for search in SEARCHES:
            print(f"== {name} on {frames}, {search}", flush=True)
            runs = [
                fusion_run(
                    subject,
                    where,
                    {**tried(name, frames, given), "search": search},
                    given.out / f"{name}-{frames}-{search}-{seed}",
                    seed,
                )
                for seed in range(1, repeats + 1)
            ]
            by_search[search] = judged(runs, sets[frames])
        found[name, frames] = by_search
    return [tables.searches(found), tables.published_searches()]


def all_kinds(sets: Mapping[str, SceneSet], given: argparse.Namespace) -> list[str]:
    """The searches with every kind of object, at the same number of questions."""
    found: dict[tables.Named, dict[str, list[Run]]] = {}
    names = [name for name in given.subjects if name != SLOW]
    for name, frames, subject, where in _systems(given, sets, names):
        options = tried(name, frames, given)
        del options["meshes"]
        repeats = given.repeats if frames == KITTI else 1
        found[name, frames] = {}
        for search in SEARCHES:
            print(f"== {name} on {frames}, {search}, every kind", flush=True)
            found[name, frames][search] = [
                fusion_run(
                    subject,
                    where,
                    {**options, "search": search},
                    given.out / f"{name}-{frames}-{search}-{seed}-kinds",
                    seed,
                )
                for seed in range(1, repeats + 1)
            ]
    return [tables.kinds(found)]


def counted(sets: Mapping[str, SceneSet], given: argparse.Namespace) -> list[str]:
    """Table 5."""
    found = {}
    names = [name for name in given.subjects if name in COUNTED]
    chosen = {name: opened for name, opened in sets.items() if name in given.count_on}
    for name, frames, subject, where in _systems(given, chosen, names):
        print(f"== {name} on {frames}, number of objects", flush=True)
        options = {**tried(name, frames, given), "objects": MOST, "tries": given.count_tries}
        options |= {"search": "guided", "controls": 0.0}
        run = fusion_run(subject, where, options, given.out / f"{name}-{frames}-objects")
        found[name, frames] = counts(run, given.count_tries)
    return [tables.numbers(found)]


def _systems(
    given: argparse.Namespace, sets: Mapping[str, SceneSet], names: Sequence[str]
) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Name, frames, subject and scenes of all that is tested."""
    where = scenes(given.data, given.streets)
    known = {KITTI: subjects(given.data), STREETS: street_subjects()}
    chosen = {KITTI: names, STREETS: [name for name in names if name in given.on_streets]}
    return [
        (name, frames, known[frames][name], where[frames])
        for frames in sets
        for name in chosen[frames]
    ]


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.multitest")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=Path("runs/multitest"))
    parser.add_argument("--tables", type=int, nargs="*", default=[2, 3, 4, 5], choices=(2, 3, 4, 5))
    parser.add_argument("--frames", nargs="*", default=[KITTI, STREETS])
    parser.add_argument("--streets", type=int, default=50, help="generated streets; 0: none")
    parser.add_argument("--insertions", type=int, default=10, help="of a pipeline, a frame")
    parser.add_argument("--tries", type=int, default=5, help="for each of the three objects")
    parser.add_argument(
        "--slow-tries", type=int, default=2, help=f"the same for {SLOW}, and on streets"
    )
    parser.add_argument("--count-tries", type=int, default=TRIES, help="in Table 5")
    parser.add_argument("--count-on", nargs="*", default=[KITTI, STREETS], help="in Table 5")
    parser.add_argument("--repeats", type=int, default=2, help="of quick searches on KITTI")
    parser.add_argument("--subjects", nargs="*", default=list(subjects(DATA)))
    parser.add_argument("--on-streets", nargs="*", default=list(street_subjects()))
    parser.add_argument("--publish", action="store_true", help="write results.md here too")
    given = parser.parse_args(words)
    given.out = given.out.resolve()
    return given


def main(words: Sequence[str] | None = None) -> None:
    """Run what is missing, then write the tables."""
    given = arguments(words)
    sets = {
        name: open_scenes(values, HERE)
        for name, values in scenes(given.data, given.streets).items()
        if name in given.frames
    }
    for number in given.tables:
        parts = MAKERS[number](sets, given)
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / f"table-{number}.md").write_text("\n\n".join(parts), encoding="utf-8")
    kept = [given.out / f"table-{number}.md" for number in MAKERS]
    found = [file.read_text(encoding="utf-8") for file in kept if file.exists()]
    text = tables.written(found, _said(given))
    (given.out / "results.md").write_text(text, encoding="utf-8")
    if given.publish:
        (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


MAKERS = {2: realism, 3: compared, 4: all_kinds, 5: counted}
"""What makes each table; 4 is ours: the searches of Table 3 with every kind of object."""


def _said(given: argparse.Namespace) -> str:
    facts = [
        f"8 frames of KITTI, {given.streets} generated streets",
        f"Table 3: {OBJECTS} x {given.tries} insertions a frame, runs on KITTI: {given.repeats} "
        f"({SLOW}, and all on streets: {OBJECTS} x {given.slow_tries}, once)",
        "Searches with every kind: runs as the table says",
        f"Table 5: up to {MOST} objects, {given.count_tries} tries each",
    ]
    command = f"Made on {date.today().isoformat()} by `python -m experiments.multitest`"
    return f"{command}. {'. '.join(facts)}."


if __name__ == "__main__":
    main()
