"""`snellen plan`: how many scenes and questions a verdict takes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from snellen.cli.run import Config, Set, SkipInvalid, overrides
from snellen.terminal.options import Json


def plan(
    config: Config,
    margin: Annotated[
        float | None,
        typer.Option("--margin", help="Tolerated loss, or excess over controls, such as 0.02."),
    ] = None,
    power: Annotated[
        float, typer.Option("--power", min=0.5, max=0.99, help="Chance to reach the verdict.")
    ] = 0.8,
    rate: Annotated[
        float, typer.Option("--rate", min=0, max=1, help="Assumed share of failing cases.")
    ] = 0.2,
    icc: Annotated[
        float, typer.Option("--icc", min=0, max=1, help="Assumed correlation of a scene's cases.")
    ] = 0.3,
    alike: Annotated[
        float,
        typer.Option("--alike", min=0, max=1, help="Assumed share of cases answered alike."),
    ] = 0.9,
    cases: Annotated[
        float | None, typer.Option("--cases", min=1, help="Cases per scene; default: the method's.")
    ] = None,
    questions: Annotated[
        float | None,
        typer.Option("--questions", min=1, help="Questions per scene; default: the method's."),
    ] = None,
    settings: Set = None,
    skip_invalid: SkipInvalid = False,
    as_json: Json = False,
) -> None:
    """Estimate how many scenes and questions a verdict takes.

    Done before a run: asks the subject nothing.
    """
    from snellen.engine.campaign import load_campaign
    from snellen.engine.start.run_plan import Assumptions, plan_lines, plan_run

    campaign = load_campaign(config, overrides(settings, skip_invalid=skip_invalid))
    assumed = Assumptions(margin, power, rate, icc, alike, cases, questions)
    rows = plan_run(campaign, assumed)
    if as_json:
        found = {"assumed": asdict(assumed), "verdicts": [one.to_json() for one in rows]}
        typer.echo(json.dumps(found, indent=2))
        return
    typer.echo("\n".join(plan_lines(rows, assumed)))
