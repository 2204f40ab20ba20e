"""`snellen objects`: build and show a library of objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snellen.cli.command_group import CommandGroup
from snellen.terminal.options import Json, Trusts
from snellen.terminal.progress import progress_counter

if TYPE_CHECKING:
    from snellen.objects.library.object_record import ObjectRecord


class ObjectsGroup(CommandGroup):
    """The commands about objects, with those that methods bring."""

    prefix = "objects "


app = typer.Typer(
    cls=ObjectsGroup,
    help="Libraries of objects to insert into scenes.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def build(
    config: Annotated[Path, typer.Argument(help="A YAML file with `objects:`.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of the new library.")],
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Skip invalid scenes.")
    ] = False,
    trust: Trusts = False,
    as_json: Json = False,
) -> None:
    """Cut objects out of annotated scenes; keep the good ones.

    The scenes are those under `objects:`.
    """
    del trust  # decided when it was read
    from contextlib import closing, nullcontext

    from snellen.configuration import read_yaml
    from snellen.configuration.stored_configuration import is_of_run
    from snellen.errors import UserError
    from snellen.objects.library.cut_options import plan_cuts
    from snellen.objects.library.exclusion_file import EXCLUDE
    from snellen.objects.library.library import BOXES
    from snellen.objects.library.library_builder import build_library
    from snellen.objects.library.library_index import read_facts
    from snellen.objects.library.open_objects import LIBRARY, checked_objects, facts_of
    from snellen.objects.library.prune_rules import counts
    from snellen.objects.library.relaxation import relaxed_words
    from snellen.subjects.registry import check_code, open_subject

    values, where = read_yaml(config), f"{config}: objects"
    if is_of_run(config):
        check_code(config, values)
    if not isinstance(values.get("objects"), dict):
        raise UserError(f"{where}: missing; name scenes to cut objects from, such as kind: coco")
    checked = checked_objects(values["objects"], where)
    if checked["kind"] == LIBRARY:
        raise UserError(f"{where}.kind: is already a library. Show it with: snellen objects show")
    folder = Path(values.get("base") or config.resolve().parent)
    subject = None
    if values.get("subject") is not None:
        subject = open_subject(values["subject"], folder, f"{config}: subject")
    if EXCLUDE in checked:
        typer.echo(
            f"{where}.{EXCLUDE}: ignored when building; name the file where the library is used",
            err=True,
        )
    with (
        closing(subject) if subject else nullcontext(),
        progress_counter("cutting out objects") as progress,
    ):
        scenes, plan = plan_cuts(checked, folder, subject, where, skip_invalid=skip_invalid)
        with closing(plan):
            records = build_library(scenes, plan, out, facts_of(checked, plan), progress)
    kept, pruned = counts(records)
    relaxed = read_facts(out).get("relaxed", {})
    if as_json:
        facts = {"out": str(out), "kept": kept, "pruned": pruned, "relaxed": relaxed}
        typer.echo(json.dumps(facts, indent=1))
        return
    _print_counts(kept, pruned)
    if plan.cut == BOXES:
        typer.echo("outlines: searched for within boxes (GrabCut), the last resort")
    if relaxed:
        typer.echo(f"relaxed: {relaxed_words(relaxed)}")
    typer.echo(f"library: {out}\nshow it: snellen objects show {out} --out objects.png")


@app.command()
def show(
    folder: Annotated[Path, typer.Argument(help="The folder of a library.")],
    label: Annotated[
        str | None, typer.Option("--label", help="Only objects of this label.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write a contact sheet here (.png or .jpg).")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Most objects on the sheet.")] = 96,
    as_json: Json = False,
) -> None:
    """List the objects of a library and draw them on a sheet."""
    from dataclasses import asdict

    from snellen.objects.library.folder_library import FolderLibrary
    from snellen.objects.library.prune_rules import counts

    library = FolderLibrary(folder)
    records = _of_label(library.records(), label, folder)
    if out is not None:
        _write_sheet(library, [one for one in records if not one.why][:most], out)
    if as_json:
        typer.echo(json.dumps([_plain(asdict(one)) for one in records], indent=1))
        return
    _print_counts(*counts(records))
    hint = "write a sheet: snellen objects show FOLDER --out sheet.png"
    typer.echo(f"sheet: {out}" if out else hint)


def _of_label(records: list[ObjectRecord], label: str | None, folder: Path) -> list[ObjectRecord]:
    if label is None:
        return records
    from snellen.objects.label_names import required_names

    wanted = required_names(label, sorted({one.entry.label for one in records}), folder)
    return [one for one in records if one.entry.label in wanted]


def _write_sheet(library: Any, records: list[ObjectRecord], out: Path) -> None:
    from snellen.objects.contact_sheet import contact_sheet
    from snellen.scenes.pictures import write_picture

    pictures = [library.cutout(one.entry.id).pixels for one in records]
    write_picture(out, contact_sheet(pictures, [_caption(one) for one in records]))


def _caption(record: ObjectRecord) -> tuple[str, str, str]:
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


def _print_counts(kept: dict[str, int], pruned: dict[str, int]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("label", "kept", box=None, pad_edge=False)
    for label, count in sorted(kept.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(label, str(count))
    console = Console()
    if kept:
        console.print(table)
    total, removed = sum(kept.values()), sum(pruned.values())
    typer.echo(f"{total} of {total + removed} objects kept; pruned: {removed}")
    for why, count in sorted(pruned.items(), key=lambda item: (-item[1], item[0])):
        typer.echo(f"  {count:5d}  {why}")
