"""`snellen docs`: the documentation, in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer


def docs(
    topic: Annotated[
        str | None,
        typer.Argument(metavar="[TOPIC]", help="The page; default: list all.", show_default=False),
    ] = None,
    path: Annotated[bool, typer.Option("--path", help="Print the file's path only.")] = False,
) -> None:
    """Print a page of the documentation, or list the topics."""
    from snellen.cli.documentation import topic_named

    if topic is None:
        typer.echo(_list())
        return
    page = topic_named(topic)
    if path:
        typer.echo(page.path)
        return
    _print(page.path.read_text(encoding="utf-8"))


def _list() -> str:
    """Every topic with its title, under the folder it is in."""
    from snellen.cli.documentation import FOLDERS, topics

    known = topics()
    widest = max(map(len, known))
    lines = []
    for folder in FOLDERS:
        lines += [f"{folder}:"]
        found = [one for one in known.values() if one.folder == folder]
        lines += [f"  {one.name.ljust(widest)}  {one.title}" for one in found]
    return "\n".join([*lines, "", "Read one with: snellen docs TOPIC"])


def _print(text: str) -> None:
    """Print Markdown, formatted on a terminal and as it is elsewhere."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    if console.is_terminal:
        with console.pager(styles=True):
            console.print(Markdown(text))
    else:
        typer.echo(text)
