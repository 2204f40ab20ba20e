"""`snellen check`: a configuration tried on a few scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.run import Config, Set, SkipInvalid, overrides
from snellen.terminal.options import Json


def check(
    config: Config,
    settings: Set = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="The picture to write.")] = None,
    scenes: Annotated[int, typer.Option("--scenes", min=1, help="Number of scenes to try.")] = 3,
    skip_invalid: SkipInvalid = False,
    as_json: Json = False,
) -> None:
    """Load subject and scenes, run the subject on a few scenes, and show the result."""
    from snellen.engine.campaign import load_campaign
    from snellen.engine.run_plan import decidable_lines
    from snellen.engine.trial import run_trial
    from snellen.report.check_words import print_checkup, save_looks

    campaign = load_campaign(config, overrides(settings, skip_invalid=skip_invalid))
    if not as_json and (lines := decidable_lines(campaign)):
        typer.echo("\n".join(lines))
    trial = run_trial(campaign, scenes)
    path = picture or config.with_name(f"{config.stem}-check.png")
    save_looks(trial, path)
    print_checkup(trial, path, as_json=as_json)
