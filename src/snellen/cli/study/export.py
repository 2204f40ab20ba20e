"""`snellen study export`: the answers of a study for other tools."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from snellen.errors import UserError
from snellen.terminal.options import Json


class ExportName(StrEnum):
    """The formats."""

    tables = "tables"
    answers = "answers"
    decompovision = "decompovision"
    icraf = "icraf"
    links = "links"


def export(
    study: Annotated[Path, typer.Argument(help="The folder of a study.")],
    to: Annotated[
        ExportName | None,
        typer.Option("--to", help="Format: tables for `snellen thresholds`, answers for all."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder to write; default: STUDY-FORMAT.")
    ] = None,
    participant: Annotated[
        str | None,
        typer.Option("--participant", help="Print all data of the participant with this code."),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", help="Also answers of inattentive participants and missed exposures."
        ),
    ] = False,
    recruiting: Annotated[
        bool, typer.Option("--recruiting", help="links: also the ids that the site passed.")
    ] = False,
    address: Annotated[
        str, typer.Option("--address", help="links: where the study is served.")
    ] = "http://127.0.0.1:8765/",
    as_json: Json = False,
) -> None:
    """Export the answers of a study, or a participant's data."""
    if (to is None) == (participant is None):
        found = "neither" if to is None else "both"
        raise UserError(
            f"found {found}, expected one of --to and --participant. Pass --to tables to export "
            "the answers."
        )
    if participant is not None:
        _print_participant(study, participant)
        return
    from snellen.study.exports.export import StudyExport, export_study
    from snellen.terminal.output_file import refuse_full

    assert to is not None
    folder = out or study.with_name(f"{study.resolve().name}-{to.value}")
    refuse_full(folder)
    names = export_study(
        study,
        StudyExport(to.value),
        folder,
        every=every,
        recruiting=recruiting,
        address=address,
    )
    if as_json:
        typer.echo(json.dumps({"out": str(folder), "files": names}, indent=1))
        return
    typer.echo("\n".join(f"{folder / name}" for name in names))


def _print_participant(study: Path, code: str) -> None:
    from contextlib import closing

    from snellen.cli.study.delete import known_participant
    from snellen.study.data.opened_study import open_study

    with closing(open_study(study)) as opened, known_participant(study):
        typer.echo(json.dumps(opened.participant_data(code), indent=1))
