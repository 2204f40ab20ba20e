"""What the demo shows with different seeds, and how long it takes.

    python -m experiments.demo_seeds [--seeds 10] [--out FOLDER]

Each seed is one run of the demo's configuration, with a prediction cache that starts empty. The
table is written to `results.md` next to this file.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from experiments.demo_seeds.tables import SeedResult, results_page
from snellen.cli.run_progress import display_run
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.report.report import write_report
from snellen.starter.demo import ITEMS, demo_values
from snellen.starter.fetch import fetch

HERE = Path(__file__).parent


def measured(values: Mapping[str, Any], seed: int, folder: Path) -> SeedResult:
    """One run of the demo with this seed, without stored predictions."""
    engine = {**values.get("engine", {}), "cache": False}
    chosen = {**values, "seed": seed, "engine": engine, "out": str(folder / f"seed-{seed}")}
    campaign = campaign_from(chosen, HERE / "experiment.yaml")
    load, started = os.getloadavg()[0], time.perf_counter()
    with display_run(campaign) as watcher:
        run_campaign(campaign, watcher=watcher)
    summary = write_report(campaign.out_folder)
    return SeedResult(seed, summary, time.perf_counter() - started, load)


def main() -> None:
    """Run the seeds, then write the table."""
    parser = argparse.ArgumentParser(prog="python -m experiments.demo_seeds")
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds, from 1 on")
    parser.add_argument("--out", type=Path, default=Path("runs/demo_seeds"))
    given = parser.parse_args()
    values, results = demo_values(fetch(ITEMS)), list[SeedResult]()
    for seed in range(1, given.seeds + 1):
        results.append(measured(values, seed, given.out.resolve()))
        print(results[-1].line(), flush=True)
    text = results_page(results, date.today().isoformat())
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
