"""The file of an album."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from snellen.disk.atomic_file import write_atomically
from snellen.methods.combinations.object_album.album_page import AlbumCaption, AlbumCard, album
from snellen.objects.library.exclusion_file import exclusion_line
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library import Library
from snellen.terminal.output_file import output_file


def write_album(
    out: Path,
    shown: Library,
    why: Mapping[str, str],
    excluded: Sequence[str],
    whole: FolderLibrary,
    caption: AlbumCaption,
) -> None:
    """Write the page of the objects in `shown`.

    why: the reason for each unused object, by id. excluded: the ids excluded in `whole`; those not
    shown stay in the exclusion file.
    """
    entries = [one for label in shown.labels() for one in shown.entries(label)]
    cards = [AlbumCard(one, why.get(one.id, ""), one.id in set(excluded)) for one in entries]
    beyond = set(excluded) - {one.id for one in entries}
    by_id = {one.entry.id: one.entry for one in whole.records()}
    caption = replace(caption, others=[exclusion_line(by_id[id]) for id in sorted(beyond)])
    with output_file(out):
        write_atomically(out, album(shown, cards, caption).encode())
