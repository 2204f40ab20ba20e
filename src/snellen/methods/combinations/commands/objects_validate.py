"""`snellen objects validate`: the objects that the subject labels exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from snellen.terminal.options import Json, Trusts
from snellen.terminal.progress import progress_counter

if TYPE_CHECKING:
    from snellen.methods.combinations.composition.arrangement import Arrangement
    from snellen.methods.combinations.object_album.album_page import AlbumCaption
    from snellen.methods.combinations.object_validation.validated_library import ValidatedLibrary
    from snellen.objects.library.folder_library import FolderLibrary
    from snellen.subjects.subject import Subject

Label: TypeAlias = Annotated[
    str | None, typer.Option("--label", help="Only objects of this label.")
]


def validate(
    config: Annotated[Path, typer.Argument(help="A YAML file with `subject:` and `objects:`.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write a page here (.html).")] = None,
    label: Label = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Skip invalid scenes.")
    ] = False,
    trust: Trusts = False,
    as_json: Json = False,
) -> None:
    """Test the subject on each object alone."""
    del trust  # decided when it was read
    from snellen.configuration import read_yaml
    from snellen.configuration.stored_configuration import is_of_run
    from snellen.errors import UserError
    from snellen.methods.combinations.object_album.album_file import write_album
    from snellen.methods.combinations.object_album.album_page import FILE
    from snellen.methods.combinations.object_validation.validated_library import (
        ValidatedLibrary,
        validated_library,
        without_object,
    )
    from snellen.objects.library.exclusion_file import EXCLUDE, STRUCK_OUT
    from snellen.objects.library.label_subset import of_label
    from snellen.subjects.registry import check_code, open_subject

    values = read_yaml(config)
    if is_of_run(config):
        check_code(config, values)
    for key in ("subject", "objects"):
        if not isinstance(values.get(key), dict):
            raise UserError(f"{config}: {key}: missing; objects are validated for a subject")
    folder = Path(values.get("base") or config.resolve().parent)
    where = f"{config}: objects"
    with closing(open_subject(values["subject"], folder, f"{config}: subject")) as subject:
        whole, excluded = _whole_library(values, folder, subject, where, skip_invalid)
        shown = of_label(whole, label, where)
        with progress_counter("showing each object alone") as progress:
            validated = validated_library(
                shown, subject, _arrangement(values, config), progress=progress, where=where
            )
    if out is not None:
        caption = _caption(validated, subject, Path(values["objects"].get(EXCLUDE) or FILE).name)
        write_album(out, shown, validated.why, excluded, whole, caption)
    used = ValidatedLibrary(shown, {**validated.why, **dict.fromkeys(excluded, STRUCK_OUT)})
    bare = () if label else without_object(whole, subject.classes)
    _print_json(used, bare) if as_json else _print_table(used, bare, out)


def _whole_library(
    values: dict[str, Any], folder: Path, subject: Subject, where: str, skip_invalid: bool
) -> tuple[FolderLibrary, tuple[str, ...]]:
    """The library with nothing struck out, and the ids that are struck out."""
    from snellen.objects.library.exclusion_file import EXCLUDE, read_exclusions
    from snellen.objects.library.open_objects import checked_objects, open_objects

    given = checked_objects(values["objects"], where)
    exclude = given.pop(EXCLUDE, None)
    with progress_counter("cutting out objects") as progress:
        library = open_objects(
            given, folder, subject, where, skip_invalid=skip_invalid, progress=progress
        )
    return library, read_exclusions(folder / exclude, library) if exclude else ()


def _arrangement(values: dict[str, Any], config: Path) -> Arrangement:
    """How a run would show an object alone, by the options under `combinations` if given."""
    from snellen.configuration import parse
    from snellen.methods.combinations.options import CombinationOptions

    given = {**(values.get("combinations") or {})}
    if given.get("background") == "photographs":
        del given["background"]  # alone on white, whichever photographs there are
    return parse(CombinationOptions, given, f"{config}: combinations").published().arrangement(())


def _caption(validated: ValidatedLibrary, subject: Subject, file: str) -> AlbumCaption:
    from snellen.methods.combinations.object_album.album_page import AlbumCaption

    counts = validated.counts()
    recognised = sum(kept for kept, _ in counts.values())
    total = recognised + sum(sum(rejected.values()) for _, rejected in counts.values())
    none = [label for label, (kept, _) in counts.items() if not kept]
    return AlbumCaption(
        f"{subject.name} recognises {recognised} of {total} objects",
        "An object is used if the subject, given the object alone on a plain canvas, outputs "
        f"exactly its label at the threshold {subject.score:g}. Rejected objects are grey, with "
        "the reason.",
        f"Labels without a recognised object: {', '.join(none)}." if none else "",
        file=file,
    )


def _print_json(used: ValidatedLibrary, bare: Sequence[str]) -> None:
    counts = used.counts()
    found = {
        "labels": {
            label: {"kept": kept, "rejected": rejected}
            for label, (kept, rejected) in counts.items()
        },
        "none_kept": [label for label, (kept, _) in counts.items() if not kept],
        "no_object": list(bare),
        "rejected": [
            {
                "id": one.entry.id,
                "label": one.entry.label,
                "origin": one.entry.origin,
                "why": one.why,
            }
            for one in used.rejected
        ],
    }
    typer.echo(json.dumps(found, indent=1))


def _print_table(used: ValidatedLibrary, bare: Sequence[str], out: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    counts = used.counts()
    table = Table("label", "kept", "rejected", "why", box=None, pad_edge=False)
    for label, (kept, rejected) in counts.items():
        why = "; ".join(f"{count} {reason}" for reason, count in rejected.items())
        table.add_row(label, str(kept), str(sum(rejected.values())), why)
    Console().print(table)
    kept = sum(kept for kept, _ in counts.values())
    typer.echo(f"{kept} of {kept + len(used.rejected)} objects kept")
    none = [label for label, (kept, _) in counts.items() if not kept]
    if none:
        typer.echo(f"labels without a kept object, which cannot be combined: {', '.join(none)}")
    if bare:
        typer.echo(f"the subject's labels without any object ({len(bare)}): {', '.join(bare)}")
    hint = "write a page of them: snellen objects validate CONFIG --out objects.html"
    typer.echo(f"page: {out}" if out else hint)
