"""Simulated studies: coverage of the interval, and answers saved by adaptive placement.

    python -m experiments.study [--studies N] [--seeds N] [--publish]

Prints Markdown; --publish writes it to `results.md` next to this file. Everything is seeded.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from experiments.study.coverage import PARTICIPANTS, CoverageTrial, simulated_study
from experiments.study.designs import design_rows, saved
from experiments.study.fake_opener import fake_opener
from snellen.study.estimates.simulation.simulated_people import SimulatedPeople

SIZES = (400, 800)
UNIFORM_SIZES = (*SIZES, 1600, 3200)
WORLDS = {
    "people as assumed": SimulatedPeople(inattentive=0.15),
    "people differ twice as much": SimulatedPeople(people=0.16, inattentive=0.15),
    "scenes differ as much as people": SimulatedPeople(scenes=0.12, people=0.12),
    "everyone alike": SimulatedPeople(people=0.0, scenes=0.0),
}


def coverage_table(studies: int) -> str:
    """How often the interval holds the threshold in each world."""
    lines = [
        f"{PARTICIPANTS} participants, 40 answers each and 4 sanity images; {studies} studies.",
        "",
        "| world | covered | mean length | bias | RMSE | bad raters found | good ones kept |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, people in WORLDS.items():
        found = [simulated_study(fake_opener, people, seed) for seed in range(studies)]
        lines.append(_row(name, people, found))
    return "\n".join(lines)


def _row(name: str, people: SimulatedPeople, found: list[CoverageTrial]) -> str:
    errors = np.array([one.fit.value - people.threshold() for one in found])
    length = np.mean([one.fit.high - one.fit.low for one in found])
    raters = sum((one.raters for one in found), start=found[0].raters.__class__())
    bad = raters[False, False], raters[False, False] + raters[False, True]
    good = raters[True, True], raters[True, True] + raters[True, False]
    return (
        f"| {name} | {sum(one.covered for one in found)} of {len(found)} | {length:.3f} "
        f"| {errors.mean():+.3f} | {np.sqrt(np.mean(errors**2)):.3f} "
        f"| {bad[0]} of {bad[1]} | {good[0]} of {good[1]} |"
    )


def design_table(seeds: int) -> str:
    """Uniform and adaptive designs with the same number of answers."""
    people = SimulatedPeople()
    uniform = design_rows(people, UNIFORM_SIZES, range(seeds), adaptive=False)
    adaptive = design_rows(people, SIZES, range(seeds), adaptive=True)
    lines = [
        f"20 answers of each participant; {seeds} seeds.",
        "",
        "| design | answers | mean length | RMSE | covered |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {'adaptive' if one.adaptive else 'uniform'} | {one.answers} | {one.length:.3f} "
            f"| {one.error:.3f} | {one.covered} of {one.seeds} |"
            for one in (*uniform, *adaptive)
        ),
        "",
        *(
            f"- {answers} adaptive answers give an interval as short as {instead:.0f} uniform ones."
            for answers, instead in saved(uniform, adaptive)
        ),
    ]
    return "\n".join(lines)


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--publish", action="store_true")
    chosen = parser.parse_args()
    parts = [f"# Simulated studies\n\n## Coverage\n\n{coverage_table(chosen.studies)}"]
    print(parts[-1], flush=True)
    parts.append(f"## Adaptive placement\n\n{design_table(chosen.seeds)}")
    print(parts[-1], flush=True)
    if chosen.publish:
        (Path(__file__).parent / "results.md").write_text("\n\n".join(parts) + "\n", "utf-8")


main()
