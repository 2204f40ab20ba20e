"""`snellen study`: the experiment that measures what people can see. One file a command."""

from __future__ import annotations

import typer

from snellen.cli.study.create import create
from snellen.cli.study.delete import delete
from snellen.cli.study.demo import demo
from snellen.cli.study.export import export
from snellen.cli.study.power import power
from snellen.cli.study.serve import serve
from snellen.cli.study.status import status

app = typer.Typer(
    help="Measure what people can see, with a page that anyone can run.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command()(create)
app.command()(serve)
app.command()(status)
app.command()(export)
app.command()(delete)
app.command()(power)
app.command()(demo)
