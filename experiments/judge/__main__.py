"""How often the judge is right, by simulation.

    python -m experiments.judge [--quick] [--cells N] [--sets N] [--seed N] [--only WORD]
        [--keep FOLDER] [--publish]

Prints Markdown tables; --publish writes them to `results.md` next to this file. Coverage is tried
in every cell of the grid; --cells limits the cells of each further world (chosen at random). --only
runs the parts whose name contains a word. --keep appends the coverage of each cell to files of a
folder and reads what they hold, so that a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np

from experiments.judge import tables
from experiments.judge.cells import GROUPS, WHOLE, bound_of, chosen
from experiments.judge.coverage import compared, group_coverage
from experiments.judge.decisions import controls, looked, sized, verdicts
from experiments.judge.properties import moves
from snellen.statistics.looks import Spending

HERE = Path(__file__).parent
QUICK = 12
log = logging.getLogger("experiments.judge")


def coverage_part(cells: int, sets: int, seed: int, keep: Path | None) -> str:
    """Coverage in all worlds, and the cells that miss."""
    found = {}
    for name, every in GROUPS.items():
        whole = name in WHOLE and cells > QUICK
        some = every if whole else chosen(every, cells, np.random.default_rng(seed))
        place = keep / f"{name.replace(', ', '-').replace(' ', '_')}.jsonl" if keep else None
        found[name] = group_coverage(some, sets, bound_of(name), seed, place)
        log.info("%s: worst %.3f", name, min(one.share for one in found[name]))
    return tables.coverage_table(found) + "\n\nCells that miss:\n\n" + tables.missed_table(found)


def competitor_part(cells: int, sets: int, seed: int, keep: Path | None) -> str:
    """The judge and other intervals on the same data, without cells whose answers are identical."""
    del keep
    names = ("rate", "rate, busy scenes fail more", "paired difference",
             "paired difference, few scenes broken whole")  # fmt: skip
    found = {}
    for name in names:
        every = [cell for cell in GROUPS[name] if cell.change or cell.alike < 1]
        some = chosen(every, max(cells // 2, 1), np.random.default_rng(seed + 1))
        found[name] = compared(some, max(3 * sets // 5, 1), seed)
    return tables.competitor_table(found)


def property_part(cells: int, sets: int, seed: int, keep: Path | None) -> str:
    """Wrong moves and identical answers."""
    del cells, keep
    places = [(scenes, cases) for scenes in (8, 16, 24, 48, 96) for cases in (1, 2, 10, 40)]
    return tables.moves_table([moves(scenes, cases, sets, seed) for scenes, cases in places])


def verdict_part(cells: int, sets: int, seed: int, keep: Path | None) -> str:
    """Verdicts of subjects that lose nothing, something, or the margin (4 times the sets)."""
    del cells, keep
    kinds = [
        (margin, loss, alike)
        for margin in (0.02, 0.05)
        for loss, alike in ((0, 1), (0, 0.95), (0, 0.8), (margin, 0.95), (margin, 0.5),
                            (margin + 0.05, 0.9), (margin + 0.1, 0.9))
    ]  # fmt: skip
    return tables.verdict_table([
        verdicts(scenes, margin, loss, alike, 4 * sets if loss == margin else sets, seed)
        for margin, loss, alike in kinds
        for scenes in (20, 64, 300)
    ])  # fmt: skip


def look_part(cells: int, sets: int, seed: int, keep: Path | None) -> str:
    """Runs that end at looks after 25, 75, 200 and 400 scenes."""
    del cells, keep
    kinds = [(0.02, 0.0, 1.0), (0.05, 0.0, 0.95), (0.05, 0.0, 0.8), (0.05, 0.15, 0.9)]
    kinds += [(0.05, 0.05, 0.95), (0.05, 0.05, 0.5), (0.02, 0.02, 0.9)]
    spendings: tuple[Spending, ...] = ("pocock", "obrien-fleming")
    found = [looked(spending, *kind, sets, seed) for spending in spendings for kind in kinds]
    return tables.look_table(found)


def control_part(cells: int, sets: int, seed: int, keep: Path | None) -> str:
    """Insertions against sampled patches: equal rates, then a difference."""
    del cells, keep
    kinds = [(rate, rate, share) for rate in (0.02, 0.05, 0.15) for share in (0.2, 1.0)]
    kinds += [(0.05, 0.015, 0.2), (0.05, 0.015, 1.0)]
    return tables.control_table(
        [controls(scenes, *kind, sets, seed) for kind in kinds for scenes in (24, 48, 96)]
    )


def size_part(cells: int, sets: int, seed: int, keep: Path | None) -> str:
    """Numbers of scenes that are said to decide, tried out."""
    del cells, keep
    kinds = [(0.0, 0.02, 0.8), (0.0, 0.03, 0.5), (0.02, 0.05, 0.8), (0.03, 0.05, 0.95)]
    kinds += [(0.08, 0.05, 0.8)]
    return tables.size_table([sized(*kind, sets, seed) for kind in kinds])


PARTS: dict[str, Callable[[int, int, int, Path | None], str]] = {
    "Coverage": coverage_part,
    "Competitors": competitor_part,
    "Properties": property_part,
    "Verdicts against a margin": verdict_part,
    "Looks": look_part,
    "Sampled controls": control_part,
    "Sample sizes": size_part,
}


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description="Simulate the judge.")
    parser.add_argument("--quick", action="store_true", help="12 cells a world, 100 sets each")
    parser.add_argument("--cells", type=int, default=100, help="cells of each world at most")
    parser.add_argument("--sets", type=int, default=300, help="data sets of each cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="parts whose name contains this")
    parser.add_argument("--keep", type=Path, help="folder of the coverage that is known")
    parser.add_argument("--publish", action="store_true", help="write results.md")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cells, sets = (QUICK, 100) if options.quick else (options.cells, options.sets)
    texts = [
        f"## {name}\n\n{part.__doc__}\n\n{part(cells, sets, options.seed, options.keep)}\n"
        for name, part in PARTS.items()
        if options.only.lower() in name.lower()
    ]
    command = f"python -m experiments.judge --cells {cells} --sets {sets} --seed {options.seed}"
    page = f"# The judge, simulated\n\n`{command}`\n\n" + "\n".join(texts)
    if options.publish:
        (HERE / "results.md").write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
