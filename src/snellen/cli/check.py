"""`snellen check`: a configuration tried on a few scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.cli.run import Config, Set, SkipInvalid, overrides
from snellen.terminal.options import Json, Trusts


def check(
    config: Config,
    settings: Set = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="The picture to write.")] = None,
    scenes: Annotated[int, typer.Option("--scenes", min=1, help="Number of scenes to draw.")] = 3,
    ap_scenes: Annotated[
        int,
        typer.Option("--ap-scenes", min=0, help="Most annotated scenes to measure AP on; 0: none."),
    ] = 64,
    suggest: Annotated[
        bool,
        typer.Option("--suggest", help="Try other readings of a model file, whatever its AP."),
    ] = False,
    skip_invalid: SkipInvalid = False,
    trust: Trusts = False,
    as_json: Json = False,
) -> None:
    """Try a configuration: load it, draw answers, measure AP.

    Says how the model and the data were understood and what could not be verified, and how the
    model should be read if another reading fits the annotations better.
    """
    del trust  # decided when it was read
    typer.echo(f"checking {config}: loading the model and the data", err=True)
    from snellen.configuration.stored_configuration import check_storable
    from snellen.engine.campaign import load_campaign
    from snellen.engine.checkup import run_checkup
    from snellen.engine.start.run_plan import decidable_lines
    from snellen.report.check_words import print_checkup, save_looks
    from snellen.terminal.progress import progress_display
    from snellen.vision.compilation import announce_compilation

    announce_compilation(_say_compiling)
    campaign = load_campaign(config, overrides(settings, skip_invalid=skip_invalid))
    check_storable(campaign.resolved(), config)
    if not as_json and (lines := decidable_lines(campaign)):
        typer.echo("\n".join(lines))
    with progress_display("loading") as display:
        checkup = run_checkup(campaign, display, looks=scenes, scenes=ap_scenes, suggest=suggest)
    path = picture or config.with_name(f"{config.stem}-check.png")
    save_looks(checkup.trial, path)
    print_checkup(checkup, path, as_json=as_json)


def _say_compiling() -> None:
    typer.echo("compiling kernels, once after an installation", err=True)
