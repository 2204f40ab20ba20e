"""`snellen demo`: a complete run on a fresh machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from snellen.cli import run
from snellen.errors import UserError

MARK = "demo.yaml"
LOOKS = 3
"""Scenes drawn before the run."""
Demo: TypeAlias = tuple[dict[str, Any], str]
"""A configuration, and what it does in a sentence or two."""


def demo(
    out: Annotated[Path, typer.Option("--out", help="The folder of the demo.")] = Path("demo"),
    offline: Annotated[
        bool, typer.Option("--offline", help="Use generated scenes; no download.")
    ] = False,
    fusion: Annotated[
        bool,
        typer.Option(
            "--fusion", help="Test a camera+LiDAR system on generated streets; no download."
        ),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of all randomness.")] = 1,
) -> None:
    """Download a detector and photographs, and test the detector."""
    from snellen.engine.campaign import as_yaml

    values, introduction = _fusion() if fusion else _offline() if offline else _fetched()
    config = _new_folder(out) / MARK
    config.write_text(as_yaml({**values, "seed": seed}), encoding="utf-8")
    if fusion:
        _generate(config.parent)
    typer.echo(introduction)
    typer.echo(f"What the subject detects in some of them: {_drawn(config)}")
    run.run(config)


def _drawn(config: Path) -> Path:
    """A picture of what the subject detects in a few scenes."""
    from snellen.engine.campaign import load_campaign
    from snellen.engine.trial import run_trial
    from snellen.report.check_words import save_looks

    picture = config.with_name(f"{config.stem}-check.png")
    save_looks(run_trial(load_campaign(config), LOOKS), picture)
    return picture


def _fetched() -> Demo:
    from snellen.cli.starter import TerminalProgress
    from snellen.starter.demo import INTRODUCTION, ITEMS, demo_values
    from snellen.starter.fetch import fetch

    with TerminalProgress() as progress:
        return demo_values(fetch(ITEMS, progress)), INTRODUCTION


def _offline() -> Demo:
    from snellen.starter.demo import OFFLINE_INTRODUCTION, offline_values

    return offline_values(), OFFLINE_INTRODUCTION


def _fusion() -> Demo:
    from snellen.starter.fusion_demo import INTRODUCTION, fusion_values

    return fusion_values(), INTRODUCTION


def _generate(folder: Path) -> None:
    from snellen.starter.fusion_demo import STREETS, prepare_streets

    typer.echo(f"generating {STREETS} streets; the first time this also compiles code")
    prepare_streets(folder)


def _new_folder(out: Path) -> Path:
    """The demo's folder without an earlier run."""
    if out.exists() and not (out / MARK).exists() and any(out.iterdir()):
        raise UserError(f"{out}: contains files that are not a demo. Choose another --out.")
    shutil.rmtree(out / "run", ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    return out
