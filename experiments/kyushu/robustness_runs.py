"""Runs of the method `robustness`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snellen.cli.run_progress import display_run
from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.report.summary import write_summary

HERE = Path(__file__).parent
SEED = 1
ENGINE = {"workers": 0}
"""The subject takes the core that there is; another process would only wait for it."""


def tested(
    subject: Mapping[str, Any],
    scenes: Mapping[str, Any],
    options: Mapping[str, Any],
    out: Path,
    seconds: float | None,
) -> Path:
    """The folder of a run on all scenes, with objects cut out of the other scenes.

    seconds: open no scene after so many, None for no limit.
    """
    values = {
        "method": "robustness",
        "seed": SEED,
        "subject": dict(subject),
        "scenes": dict(scenes),
        "objects": dict(scenes),
        "robustness": dict(options),
        "engine": {**ENGINE, "seconds": seconds},
        "out": str(out.resolve()),
    }
    return carried_out(campaign_from(values, HERE / "experiment.yaml"))


def carried_out(campaign: Campaign) -> Path:
    """The folder of a campaign that was run to its end, or goes on where it was left."""
    with display_run(campaign) as watcher:
        run_campaign(campaign, resume=True, watcher=watcher)
    write_summary(campaign.out_folder)
    return campaign.out_folder
