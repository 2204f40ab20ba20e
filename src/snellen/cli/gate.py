"""`snellen gate`: whether the subject meets its requirements, or is worse than a baseline."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.cli.interruption import resumable
from snellen.cli.run import Set, SkipInvalid, overrides
from snellen.errors import UserError
from snellen.terminal.options import Json, Trusts

if TYPE_CHECKING:
    from snellen.engine.campaign import Campaign
    from snellen.report.baseline.baseline_gate import BaselineGate
    from snellen.report.gate import Gate
    from snellen.store.summary import Summary


def gate(
    target: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG|RUN",
            help="A configuration to run, or a run folder.",
            show_default=False,
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="RUN", help="The baseline: a run of the old subject."),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option("--margin", help="With --against: how much worse is tolerated; 0.01."),
    ] = None,
    at_most: Annotated[
        float | None,
        typer.Option("--at-most", metavar="RATE", help="Without a baseline: failures tolerated."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="With --against: undecided numbers fail.")
    ] = False,
    no_new_faults: Annotated[
        bool, typer.Option("--no-new-faults", help="With --against: a proven new fault fails.")
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help="With --against: write a summary."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="With a configuration: resume an interrupted run.")
    ] = False,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="With --resume: retry scenes with errors.")
    ] = False,
    settings: Set = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="With a configuration: the run folder.")
    ] = None,
    skip_invalid: SkipInvalid = False,
    trust: Trusts = False,
    as_json: Json = False,
) -> None:
    """Check requirements, a baseline or a limit, for CI.

    Exits with 0 if they are met, 1 if not, and 3 without a verdict.

    Writes the run's summary and junit.xml, with one test case per requirement or number, with a
    configuration the report as well, and with --against gate.html.
    """
    del trust  # decided when it was read
    if not target.exists():
        raise UserError(
            f"{target}: no such file or folder, expected a configuration or a run folder. `snellen "
            "run` writes a run folder.",
            next="snellen docs gate",
        )
    chosen = overrides(settings, skip_invalid=skip_invalid, out=out)
    job = _Job(target, chosen, against, resume=resume, retry_errors=retry_errors)
    if against is not None and at_most is not None:
        raise UserError(
            "--at-most and --against are two gates. Choose one: "
            f"snellen gate {target} --against {against}"
        )
    if against is not None:
        asked = margin, strict, no_new_faults, markdown
        found: Gate | BaselineGate = _against(job, against, asked)
    elif margin is not None or strict or no_new_faults or markdown:
        raise UserError(
            "--margin, --strict, --no-new-faults and --markdown need a baseline. Name one: "
            f"snellen gate {target} --against BASE_RUN"
        )
    else:
        found = _alone(job, at_most)
    typer.echo(json.dumps(found.to_json(), indent=2) if as_json else "\n".join(found.lines()))
    raise typer.Exit(found.code)


@dataclass(frozen=True)
class _Job:
    """What is gated, and how its campaign is run."""

    target: Path
    chosen: list[str]
    against: Path | None
    resume: bool
    retry_errors: bool

    def run(self, campaign: Campaign) -> Summary:
        """Run the campaign and write its report."""
        from snellen.engine.progress import display_run
        from snellen.engine.run import check_resumable, run_campaign
        from snellen.report.report import write_report

        if self.resume:
            check_resumable(campaign)
        with resumable(), display_run(campaign.method) as watcher:
            resume, retry = self.resume, self.retry_errors
            run_campaign(campaign, resume=resume, retry_errors=retry, watcher=watcher)
        return write_report(campaign.out_folder)


def _alone(job: _Job, at_most: float | None) -> Gate:
    """The gate of a run's requirements, and of a limit on its failure rate."""
    from snellen.engine.campaign import load_campaign
    from snellen.report.failure_limit import check_limit
    from snellen.report.gate import check_gate, gated

    if at_most is None:
        check_gate(job.target, job.chosen)
    else:
        check_limit(at_most)
    folder = job.target
    if not folder.is_dir():
        campaign = load_campaign(job.target, job.chosen)
        job.run(campaign)
        folder = campaign.out_folder
    return gated(folder, at_most)


def _against(
    job: _Job, base: Path, asked: tuple[float | None, bool, bool, Path | None]
) -> BaselineGate:
    """The gate of a run against a baseline, with its files written."""
    from snellen.report.baseline.baseline_campaign import baseline_campaign
    from snellen.report.baseline.baseline_gate import MARGIN, GateRules, gated_against
    from snellen.report.baseline.gate_files import check_markdown, write_gate, write_markdown
    from snellen.report.baseline.gated_pair import baseline_run

    margin, strict, no_new_faults, markdown = asked
    rules = GateRules(MARGIN if margin is None else margin, strict, no_new_faults)
    if markdown is not None:
        check_markdown(markdown)
    folder = job.target
    replaced: tuple[str, ...] = ()
    if not job.target.is_dir():
        with baseline_run(base) as old:
            made = baseline_campaign(job.target, job.chosen, old)
        job.run(made.campaign)
        folder, replaced = made.campaign.out_folder, made.replaced
    found = gated_against(folder, base, rules, replaced)
    write_gate(found)
    if markdown is not None:
        write_markdown(found, markdown)
    return found
