"""`snellen check`: does the configuration mean what you think it means?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.run import Config, Set, SkipInvalid, overrides
from snellen.terminal.options import Json


def check(
    config: Config,
    settings: Set = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Where to write the picture.")
    ] = None,
    scenes: Annotated[int, typer.Option("--scenes", min=1, help="How many scenes to ask.")] = 3,
    skip_invalid: SkipInvalid = False,
    as_json: Json = False,
) -> None:
    """Load subject and scenes, ask about a few, and show what was understood."""
    from snellen.engine.campaign import load_campaign
    from snellen.engine.trial import run_trial
    from snellen.report.check_words import print_checkup, save_looks

    campaign = load_campaign(config, overrides(settings, skip_invalid=skip_invalid))
    trial = run_trial(campaign, scenes)
    path = picture or config.with_name(f"{config.stem}-check.png")
    save_looks(trial, path)
    print_checkup(trial, path, as_json=as_json)
