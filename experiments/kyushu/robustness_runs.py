"""Runs of the method `robustness`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.progress import display_run
from snellen.engine.run import run_campaign
from snellen.report.summary import write_summary

HERE = Path(__file__).parent
SEED = 1
ENGINE = {"workers": 0}
"""The subject uses the only core; another process would only wait for it."""


def robustness_run(
    subject: Mapping[str, Any],
    scenes: Mapping[str, Any],
    options: Mapping[str, Any],
    out: Path,
    seconds: float | None,
) -> Path:
    """The folder of a run on all scenes, with objects cut from the other scenes.

    seconds: time budget, None for no limit.
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
    return finish_campaign(campaign_from(values, HERE / "experiment.yaml"))


def finish_campaign(campaign: Campaign) -> Path:
    """Run or resume a campaign to its end; returns its folder."""
    with display_run(campaign.method) as watcher:
        run_campaign(campaign, resume=True, watcher=watcher)
    write_summary(campaign.out_folder)
    return campaign.out_folder
