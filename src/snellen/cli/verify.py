"""`snellen verify`: check that a run folder is whole and unchanged."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from snellen.cli.report import Run
from snellen.errors import FINE, VIOLATED
from snellen.terminal.options import Trusts


def verify(
    run: Run,
    trust: Trusts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Check that a run folder is complete and unchanged.

    Looks at the journal, the scenes and the files; exits with 1 if something is wrong.
    """
    del trust  # decided when it was read
    from snellen.report.verification.run_verification import verify_run

    found = verify_run(run)
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=2))
    else:
        for mark, lines in (("ok", found.holds), ("WRONG", found.wrong), ("?", found.unknown)):
            for line in lines:
                typer.echo(f"{mark:>5}  {line}")
        typer.echo(_verdict(len(found.wrong)))
    raise typer.Exit(FINE if found.sound else VIOLATED)


def _verdict(wrong: int) -> str:
    if not wrong:
        return "Nothing is wrong. Lines with ? could not be checked, or can't be from a folder."
    return f"{wrong} checks failed. Run the configuration again with another `out`."
