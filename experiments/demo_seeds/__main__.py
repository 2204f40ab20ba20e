"""What the demo shows with different seeds.

    python -m experiments.demo_seeds [--seeds 10] [--first 1] [--out FOLDER]

Each seed is one run of the demo's configuration. What was run already is not run again, so seeds
can be run apart (`--first 6 --seeds 5`). The table of all seeds that were run is written to
`results.md` next to this file.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from experiments.demo_seeds.tables import results_page
from snellen.engine.campaign import campaign_from
from snellen.engine.progress import display_run
from snellen.engine.run import run_campaign
from snellen.report.summary import write_summary
from snellen.starter.demo import ITEMS, demo_values
from snellen.starter.fetch import fetch
from snellen.store.run_folder import JOURNAL
from snellen.store.summary import Summary

HERE = Path(__file__).parent


def run_seed(values: Mapping[str, Any], seed: int, folder: Path) -> Summary:
    """The summary of the demo with this seed."""
    chosen = {**values, "seed": seed, "out": str(folder)}
    campaign = campaign_from(chosen, HERE / "experiment.yaml")
    with display_run(campaign.method) as watcher:
        run_campaign(campaign, resume=True, watcher=watcher)
    return write_summary(campaign.out_folder)


def main() -> None:
    """Run what is missing, then write the table."""
    parser = argparse.ArgumentParser(prog="python -m experiments.demo_seeds")
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--out", type=Path, default=Path("runs/demo_seeds"))
    given = parser.parse_args()
    out, values = given.out.resolve(), demo_values(fetch(ITEMS))
    for seed in range(given.first, given.first + given.seeds):
        summary = run_seed(values, seed, out / f"seed-{seed}")
        print(f"seed {seed}: {summary.verdict.sentence}", flush=True)
    found = [write_summary(journal.parent) for journal in out.glob(f"seed-*/{JOURNAL}")]
    text = results_page(sorted(found, key=lambda one: one.seed), date.today().isoformat())
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
