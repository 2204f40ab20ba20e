"""`snellen demo`: an exam, or a run of one method, on a fresh machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

from snellen.cli import run
from snellen.cli.interruption import resumable
from snellen.errors import UserError

MARK = "demo.yaml"
LOOKS = 3
"""Scenes drawn before the run."""


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
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted demo.")] = False,
) -> None:
    """Download a detector and photographs, and examine the detector."""
    with resumable():
        if fusion:
            _fusion(out, seed, resume)
        elif offline:
            _offline(out, seed, resume)
        else:
            _exam(out, seed, resume)


def _exam(out: Path, seed: int, resume: bool) -> None:
    """An exam of the starter pack's detector on its photographs."""
    from snellen.cli.exam import print_line
    from snellen.cli.starter import TerminalProgress
    from snellen.exam.exam import exam
    from snellen.exam.terminal import print_scorecard
    from snellen.starter.demo import INTRODUCTION, ITEMS, demo_exam
    from snellen.starter.fetch import fetch

    with TerminalProgress() as progress:
        values = demo_exam(fetch(ITEMS, progress))
    folder = _demo_folder(out, resume)
    _write(folder, {"subject": values["model"], "scenes": values["data"]})
    typer.echo(INTRODUCTION)
    card = exam(**values, out=folder, seed=seed, resume=True, say=print_line, shown=True)
    print_scorecard(card, folder)


def _offline(out: Path, seed: int, resume: bool) -> None:
    """A run on generated scenes."""
    from snellen.starter.demo import OFFLINE_INTRODUCTION, offline_values

    config = _write(_demo_folder(out, resume), {**offline_values(), "seed": seed})
    _run(config, OFFLINE_INTRODUCTION)


def _fusion(out: Path, seed: int, resume: bool) -> None:
    """A run on generated streets."""
    from snellen.starter.fusion_demo import INTRODUCTION, STREETS, fusion_values, prepare_streets

    config = _write(_demo_folder(out, resume), {**fusion_values(), "seed": seed})
    typer.echo(f"generating {STREETS} streets; the first time this also compiles code")
    prepare_streets(config.parent)
    _run(config, INTRODUCTION)


def _run(config: Path, introduction: str) -> None:
    from snellen.engine.campaign import load_campaign

    typer.echo(introduction)
    typer.echo(f"What the subject detects in some of them: {_drawn(config)}")
    run.run(config, resume=load_campaign(config).out_folder.exists())


def _drawn(config: Path) -> Path:
    """A picture of what the subject detects in a few scenes."""
    from snellen.engine.campaign import load_campaign
    from snellen.engine.trial import run_trial
    from snellen.report.check_words import save_looks

    picture = config.with_name(f"{config.stem}-check.png")
    save_looks(run_trial(load_campaign(config), LOOKS), picture)
    return picture


def _write(folder: Path, values: dict[str, Any]) -> Path:
    """The configuration, which also marks the folder as a demo's."""
    from snellen.configuration.stored_configuration import as_yaml

    (folder / MARK).write_text(as_yaml(values), encoding="utf-8")
    return folder / MARK


def _demo_folder(out: Path, resume: bool) -> Path:
    """The demo's folder, without earlier runs unless they are resumed."""
    from snellen.store.run_folder import JOURNAL

    if out.exists() and not (out / MARK).exists() and any(out.iterdir()):
        raise UserError(f"{out}: contains files that are not a demo. Choose another --out.")
    for journal in () if resume else out.glob(f"*/{JOURNAL}"):
        shutil.rmtree(journal.parent)
    out.mkdir(parents=True, exist_ok=True)
    return out
