"""`snellen objects album`: a page with the objects of a library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.methods.combinations.commands.objects_validate import Label


def album(
    folder: Annotated[Path, typer.Argument(help="The folder of a library.")],
    out: Annotated[Path, typer.Option("--out", help="The page to write (.html).")],
    label: Label = None,
    exclude: Annotated[
        Path | None, typer.Option("--exclude", help="An existing exclusion file.")
    ] = None,
) -> None:
    """Write a page with the objects of a library, to review them and exclude bad ones."""
    from snellen.methods.combinations.object_album.album_file import write_album
    from snellen.methods.combinations.object_album.album_page import FILE, AlbumCaption
    from snellen.objects.library.exclusion_file import read_exclusions
    from snellen.objects.library.folder_library import FolderLibrary
    from snellen.objects.library.label_subset import of_label

    whole = FolderLibrary(folder)
    excluded = read_exclusions(exclude, whole) if exclude else ()
    shown = of_label(whole, label, folder)
    count = sum(len(shown.entries(one)) for one in shown.labels())
    caption = AlbumCaption(
        f"{count} objects of {len(shown.labels())} labels",
        f"The library {folder.resolve().name}.",
        file=exclude.name if exclude else FILE,
    )
    write_album(out, shown, {}, excluded, whole, caption)
    typer.echo(f"page: {out}")
