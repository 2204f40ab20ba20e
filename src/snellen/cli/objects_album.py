"""`snellen objects validate` and `album`: which objects are good, and a page of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snellen.cli.telling import progress_counter

if TYPE_CHECKING:
    from snellen.methods.combinations.composition.arrangement import Arrangement
    from snellen.methods.combinations.object_validation.validated_library import ValidatedLibrary
    from snellen.objects.album import AlbumCaption
    from snellen.objects.library.folder_library import FolderLibrary
    from snellen.objects.library.library import Library
    from snellen.subjects.subject import Subject

Json = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
Label = Annotated[str | None, typer.Option("--label", help="Only objects of this label.")]
Page = Annotated[Path, typer.Option("--out", help="The page to write (.html).")]


def validate(
    config: Annotated[Path, typer.Argument(help="A YAML file with `subject:` and `objects:`.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write a page here (.html).")] = None,
    label: Label = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Leave invalid scenes out.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show each object alone to the subject, and tell which it labels exactly."""
    from snellen.configuration import read_yaml
    from snellen.errors import UserError
    from snellen.methods.combinations.object_validation.validated_library import (
        ValidatedLibrary,
        validated_library,
        without_object,
    )
    from snellen.objects.album import FILE
    from snellen.objects.library.exclusion_file import EXCLUDE, STRUCK_OUT

    values = read_yaml(config)
    for key in ("subject", "objects"):
        if not isinstance(values.get(key), dict):
            raise UserError(f"{config}: {key}: missing; objects are validated for a subject")
    folder = Path(values.get("base") or config.resolve().parent)
    where = f"{config}: objects"
    with closing(given_subject(values, folder, config)) as subject:
        whole, excluded = _whole(values, folder, subject, where, skip_invalid)
        shown = _narrowed(whole, label, where)
        with progress_counter("showing each object alone") as progress:
            good = validated_library(
                shown, subject, _arrangement(values, config), progress=progress, where=where
            )
    if out is not None:
        caption = _caption(good, subject, Path(values["objects"].get(EXCLUDE) or FILE).name)
        _write(out, shown, good.why, excluded, whole, caption)
    used = ValidatedLibrary(shown, {**good.why, **dict.fromkeys(excluded, STRUCK_OUT)})
    bare = () if label else without_object(whole, subject.classes)
    _print_json(used, bare) if as_json else _print_table(used, bare, out)


def album(
    folder: Annotated[Path, typer.Argument(help="The folder of a library.")],
    out: Page,
    label: Label = None,
    exclude: Annotated[
        Path | None, typer.Option("--exclude", help="A file with what is struck out already.")
    ] = None,
) -> None:
    """Put the objects of a library on a page, to look through and strike out bad ones."""
    from snellen.objects.album import FILE, AlbumCaption
    from snellen.objects.library.exclusion_file import read_exclusions
    from snellen.objects.library.folder_library import FolderLibrary

    whole = FolderLibrary(folder)
    excluded = read_exclusions(exclude, whole) if exclude else ()
    shown = _narrowed(whole, label, str(folder))
    count = sum(len(shown.entries(one)) for one in shown.labels())
    caption = AlbumCaption(
        f"{count} objects of {len(shown.labels())} labels",
        f"The library {folder.resolve().name}.",
        file=exclude.name if exclude else FILE,
    )
    _write(out, shown, {}, excluded, whole, caption)
    typer.echo(f"page: {out}")


def given_subject(values: dict[str, Any], folder: Path, config: Path) -> Any:
    """The subject of a configuration, or None if it has none."""
    from snellen.subjects.registry import open_subject

    given = values.get("subject")
    return None if given is None else open_subject(given, folder, f"{config}: subject")


def label_named(label: str, there: Sequence[str], where: object) -> tuple[str, ...]:
    """The labels that a name means, whatever its spelling."""
    from snellen.errors import UserError, nearest
    from snellen.objects.label_names import matching_names

    wanted = matching_names(label, there)
    if not wanted:
        raise UserError(f"{where}: has no object of label '{label}'{nearest(label, there)}")
    return wanted


def _whole(
    values: dict[str, Any], folder: Path, subject: Subject, where: str, skip_invalid: bool
) -> tuple[FolderLibrary, tuple[str, ...]]:
    """The library with nothing struck out, and the ids that are."""
    from snellen.objects.library.exclusion_file import EXCLUDE, read_exclusions
    from snellen.objects.library.open_objects import checked_objects, open_objects

    given = checked_objects(values["objects"], where)
    exclude = given.pop(EXCLUDE, None)
    with progress_counter("cutting out objects") as progress:
        library = open_objects(
            given, folder, subject, where, skip_invalid=skip_invalid, progress=progress
        )
    return library, read_exclusions(folder / exclude, library) if exclude else ()


def _narrowed(library: Library, label: str | None, where: str) -> Library:
    from snellen.objects.library.label_subset import LabelSubset

    if label is None:
        return library
    return LabelSubset(library, label_named(label, library.labels(), where))


def _arrangement(values: dict[str, Any], config: Path) -> Arrangement:
    """How the method `combinations` would show an object alone, by its options if there are any."""
    from snellen.configuration import parse
    from snellen.methods.combinations.options import CombinationOptions

    given = {**(values.get("combinations") or {})}
    if given.get("background") == "photographs":
        del given["background"]  # alone on white, whichever photographs there are
    return parse(CombinationOptions, given, f"{config}: combinations").published().arrangement(())


def _caption(good: ValidatedLibrary, subject: Subject, file: str) -> AlbumCaption:
    from snellen.objects.album import AlbumCaption

    counts = good.counts()
    known = sum(kept for kept, _ in counts.values())
    total = known + sum(sum(gone.values()) for _, gone in counts.values())
    none = [label for label, (kept, _) in counts.items() if not kept]
    return AlbumCaption(
        f"{subject.name} knows {known} of {total} objects",
        "An object is used if the subject, shown it alone on a plain canvas, outputs exactly its "
        f"label and no other at the threshold {subject.score:g}. The others are grey and say why.",
        f"Labels without any object that is known: {', '.join(none)}." if none else "",
        file=file,
    )


def _write(
    out: Path,
    shown: Library,
    why: Mapping[str, str],
    excluded: Sequence[str],
    whole: FolderLibrary,
    caption: AlbumCaption,
) -> None:
    """Write the page; what is struck out but not on it stays in the exclusion file."""
    from dataclasses import replace

    from snellen.disk.atomic_file import write_atomically
    from snellen.errors import UserError
    from snellen.objects.album import AlbumCard, album
    from snellen.objects.library.exclusion_file import exclusion_line

    entries = [one for label in shown.labels() for one in shown.entries(label)]
    cards = [AlbumCard(one, why.get(one.id, ""), one.id in set(excluded)) for one in entries]
    beyond = set(excluded) - {one.id for one in entries}
    known = {one.entry.id: one.entry for one in whole.records()}
    caption = replace(caption, others=[exclusion_line(known[id]) for id in sorted(beyond)])
    try:
        write_atomically(out, album(shown, cards, caption).encode())
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error}. Choose another place.") from None


def _print_json(used: ValidatedLibrary, bare: Sequence[str]) -> None:
    counts = used.counts()
    told = {
        "labels": {
            label: {"kept": kept, "rejected": gone} for label, (kept, gone) in counts.items()
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
    typer.echo(json.dumps(told, indent=1))


def _print_table(used: ValidatedLibrary, bare: Sequence[str], out: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    counts = used.counts()
    table = Table("label", "kept", "rejected", "why", box=None, pad_edge=False)
    for label, (kept, gone) in counts.items():
        why = "; ".join(f"{count} {reason}" for reason, count in gone.items())
        table.add_row(label, str(kept), str(sum(gone.values())), why)
    Console().print(table)
    kept = sum(kept for kept, _ in counts.values())
    typer.echo(f"{kept} of {kept + len(used.rejected)} objects kept")
    none = [label for label, (kept, _) in counts.items() if not kept]
    if none:
        typer.echo(f"none of its objects is kept, so it cannot be combined: {', '.join(none)}")
    if bare:
        typer.echo(f"no object at all of {len(bare)} of the subject's labels: {', '.join(bare)}")
    hint = "look through them: snellen objects validate CONFIG --out objects.html"
    typer.echo(f"page: {out}" if out else hint)
