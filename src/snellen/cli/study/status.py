"""`snellen study status`: how far a study is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.study.trial import Overview


def status(
    study: Annotated[Path, typer.Argument(help="The folder of a study.")],
    as_json: Json = False,
) -> None:
    """Print how far a study is.

    Participants, answers and thresholds so far. Changes nothing; works while the study is
    served, and on read-only media.
    """
    from snellen.study.data.design_rows import read_design
    from snellen.study.data.study_file import readable_study
    from snellen.study.data.study_overview import study_overview

    with readable_study(study) as db:
        db.execute("BEGIN")
        found = study_overview(db, read_design(db), curves=True)
    if as_json:
        typer.echo(json.dumps(found.model_dump(mode="json"), indent=1))
    else:
        _print(found)


def _print(found: Overview) -> None:
    typer.echo(f"{found.name}: {'running' if found.running else 'paused'}")
    for task, answers in found.answers.items():
        typer.echo(f"  {task}: {answers} of {found.expected[task]} answers")
    stages = ", ".join(f"{count} {stage}" for stage, count in sorted(found.stages.items()))
    typer.echo(f"  participants: {stages or 'none yet'}")
    if found.exposures is not None:
        share, measured = found.exposures
        typer.echo(f"  exposures within one frame: {share:.0%} of {measured}")
    for curve in found.curves:
        if curve.threshold is not None:
            value, low, high = curve.threshold
            typer.echo(
                f"  {curve.task}, {curve.label}, {curve.transformation}: "
                f"{value:.2f} ({low:.2f} to {high:.2f})"
            )
