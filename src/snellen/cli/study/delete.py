"""`snellen study delete`: remove all that is kept about a participant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from snellen.errors import UserError


def delete(
    study: Annotated[Path, typer.Argument(help="The folder of a study.")],
    code: Annotated[str, typer.Argument(help="The participant's code.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a participant's data for good.

    That somebody's data were deleted, and on which day, is kept. Works while the study is served.
    """
    from snellen.study.data.opened_study import open_study

    with closing(open_study(study)) as opened, known_participant(study):
        answers = len(opened.participant_data(code)["answers"])
        if not yes:
            typer.confirm(f"Delete this participant's {answers} answers for good?", abort=True)
        opened.delete_participant(code)
    typer.echo(f"deleted: a participant and {answers} answers")


@contextmanager
def known_participant(study: Path) -> Iterator[None]:
    """Turn an unknown code into an error of the user."""
    from snellen.study.participation import UnknownParticipantError

    try:
        yield
    except UnknownParticipantError:
        raise UserError(
            f"{study}: no participant has this code, or their data were deleted. Participants see "
            "their code on the last page and beside their data."
        ) from None
