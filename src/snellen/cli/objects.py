"""`snellen objects`: build a library of objects, and look at one."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from snellen.objects.building import Progress
    from snellen.objects.record import Record

app = typer.Typer(
    help="The library of objects that can be put into scenes.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
SECONDS_BETWEEN_LINES = 5.0


@app.command()
def build(
    config: Annotated[Path, typer.Argument(help="A YAML file with `objects:` in it.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of the new library.")],
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Leave invalid scenes out.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Cut objects out of the scenes that `objects:` names, and keep the good ones."""
    from contextlib import closing, nullcontext

    from snellen.configuration import read_yaml
    from snellen.errors import UserError
    from snellen.objects.building import build_library
    from snellen.objects.opening import LIBRARY, checked_objects, facts_of
    from snellen.objects.planning import planned
    from snellen.objects.pruning import counts

    values, where = read_yaml(config), f"{config}: objects"
    if not isinstance(values.get("objects"), dict):
        raise UserError(f"{where}: missing; name scenes to cut objects from, such as kind: coco")
    checked = checked_objects(values["objects"], where)
    if checked["kind"] == LIBRARY:
        raise UserError(f"{where}.kind: is a library already. Look at it: snellen objects show")
    folder = Path(values.get("base") or config.resolve().parent)
    subject = _subject(values, folder, config) if checked["cut"] != "masks" else None
    with closing(subject) if subject else nullcontext(), _told() as progress:
        scenes, plan = planned(checked, folder, subject, where, skip_invalid=skip_invalid)
        records = build_library(scenes, plan, out, facts_of(checked, plan), progress)
    kept, gone = counts(records)
    if as_json:
        typer.echo(json.dumps({"out": str(out), "kept": kept, "pruned": gone}, indent=1))
        return
    _print_counts(kept, gone)
    typer.echo(f"library: {out}\nlook at it: snellen objects show {out} --out objects.png")


@app.command()
def show(
    folder: Annotated[Path, typer.Argument(help="The folder of a library.")],
    label: Annotated[
        str | None, typer.Option("--label", help="Only objects of this label.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write a contact sheet here (.png or .jpg).")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Objects on the sheet.")] = 96,
    as_json: Json = False,
) -> None:
    """List what is in a library, and put it on a contact sheet."""
    from dataclasses import asdict

    from snellen.objects.folder_library import FolderLibrary
    from snellen.objects.pruning import counts

    library = FolderLibrary(folder)
    records = _of_label(library.records(), label, folder)
    if out is not None:
        _write_sheet(library, [one for one in records if not one.why][:most], out)
    if as_json:
        typer.echo(json.dumps([_plain(asdict(one)) for one in records], indent=1))
        return
    _print_counts(*counts(records))
    typer.echo(f"sheet: {out}" if out else "see them: snellen objects show FOLDER --out sheet.png")


def _subject(values: dict[str, Any], folder: Path, config: Path) -> Any:
    from snellen.subjects.registry import open_subject

    given = values.get("subject")
    return None if given is None else open_subject(given, folder, f"{config}: subject")


def _of_label(records: list[Record], label: str | None, folder: Path) -> list[Record]:
    from snellen.errors import UserError, nearest
    from snellen.objects.names import spelled

    if label is None:
        return records
    there = sorted({one.entry.label for one in records})
    wanted = spelled(label, there)
    if not wanted:
        raise UserError(f"{folder}: has no object of label '{label}'{nearest(label, there)}")
    return [one for one in records if one.entry.label in wanted]


def _write_sheet(library: Any, records: list[Record], out: Path) -> None:
    from snellen.objects.sheet import contact_sheet
    from snellen.scenes.pictures import write_picture

    pictures = [library.cutout(one.entry.id).pixels for one in records]
    write_picture(out, contact_sheet(pictures, [_caption(one) for one in records]))


def _caption(record: Record) -> tuple[str, str, str]:
    entry, quality = record.entry, record.quality
    alone = "" if quality.recognised is None else f"alone {quality.recognised:.2f} "
    size = f"{entry.width} x {entry.height}"
    return entry.label, f"{size}  sharp {quality.sharpness:.1f}", f"{alone}{entry.origin}"


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    record["entry"]["hash"] = f"{record['entry']['hash']:016x}"
    return {
        **record["entry"],
        **record["quality"],
        "cut": record["cut"],
        "kept": not record["why"],
        "why": record["why"],
        "file": record["file"],
    }


def _print_counts(kept: dict[str, int], gone: dict[str, int]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("label", "kept", box=None, pad_edge=False)
    for label, count in sorted(kept.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(label, str(count))
    console = Console()
    if kept:
        console.print(table)
    total, lost = sum(kept.values()), sum(gone.values())
    typer.echo(f"{total} of {total + lost} objects kept; pruned: {lost}")
    for why, count in sorted(gone.items(), key=lambda item: (-item[1], item[0])):
        typer.echo(f"  {count:5d}  {why}")


@contextmanager
def _told() -> Iterator[Progress]:
    """Progress on standard error: a bar on a terminal, a plain line every few seconds elsewhere."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("cutting out objects"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bars:
        task = bars.add_task("", total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def _lines() -> Progress:
    latest = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal latest
        if time.monotonic() - latest >= SECONDS_BETWEEN_LINES:
            latest = time.monotonic()
            typer.echo(f"cutting out objects: {done} of {total} scenes", err=True)

    return tell
