"""`snellen study power`: how many answers an interval of the threshold takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.study.estimates.power_report import PowerReport


def power(
    config: Annotated[
        Path | None,
        typer.Argument(help="A study's YAML file, for what it shows; default: one batch of 20."),
    ] = None,
    width: Annotated[
        float, typer.Option("--width", min=0.005, max=1, help="Length of the wanted interval.")
    ] = 0.1,
    threshold: Annotated[
        float, typer.Option("--threshold", min=0.01, max=1, help="Assumed threshold.")
    ] = 0.5,
    spread: Annotated[
        float,
        typer.Option(
            "--spread",
            min=0.02,
            max=3,
            help="Assumed width of one person's curve: from 5% to 95% lost.",
        ),
    ] = 0.4,
    lapse: Annotated[
        float, typer.Option("--lapse", min=0, max=0.3, help="Assumed lapse rate.")
    ] = 0.03,
    people: Annotated[
        float,
        typer.Option("--people", min=0, max=1, help="Assumed standard deviation between people."),
    ] = 0.08,
    scenes: Annotated[
        float,
        typer.Option("--scenes", min=0, max=1, help="Assumed standard deviation between scenes."),
    ] = 0.08,
    fall: Annotated[
        float,
        typer.Option("--fall", min=0.01, max=0.9, help="Share lost at the threshold."),
    ] = 0.1,
    simulations: Annotated[
        int,
        typer.Option(
            "--simulations", min=0, max=1000, help="Simulated studies that check the figure."
        ),
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 1,
    as_json: Json = False,
) -> None:
    """Plan how many answers an interval takes.

    For each task, class and corruption.
    """
    from snellen.study.estimates.answer_power import AssumedCurve
    from snellen.study.estimates.power_report import power_reports

    curve = AssumedCurve(
        threshold=threshold, width=spread, lapse=lapse, people=people, scenes=scenes, fall=fall
    )
    found = power_reports(config, curve, width, simulations, seed)
    if as_json:
        typer.echo(json.dumps([one.to_json() for one in found], indent=1))
        return
    for one in found:
        _print(one)


def _print(report: PowerReport) -> None:
    for line in report.lines():
        typer.echo(line)
