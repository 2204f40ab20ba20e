"""Objects that a person struck out: a text file of ids, and a library without them.

One id per line, or at least its first 6 hexadecimal digits; `#` starts a comment. The library on
disk does not change.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library import Entry, Library
from snellen.objects.library.object_record import ObjectRecord

log = logging.getLogger(__name__)

EXCLUDE = "exclude"
STRUCK_OUT = "struck out"
SHORTEST = 6
_ID = re.compile(rf"[0-9a-f]{{{SHORTEST},}}")


class ExcludingLibrary(FolderLibrary):
    """A library without the objects that were struck out. Pickled as its path and their ids.

    An object that was struck out is still available by its id, so that earlier cases with it can be
    rebuilt.
    """

    def __init__(self, path: Path, excluded: Iterable[str]) -> None:
        super().__init__(path)
        self.excluded = frozenset(excluded)
        self._struck = tuple(one.entry for id, one in self._records.items() if id in self.excluded)
        for label in {one.label for one in self._struck}:
            kept = [one for one in self._entries.pop(label) if one.id not in self.excluded]
            if kept:
                self._entries[label] = kept

    def __reduce__(self) -> tuple[Any, ...]:
        return ExcludingLibrary, (self.path, tuple(sorted(self.excluded)))

    def struck_out(self) -> tuple[Entry, ...]:
        """The objects that were struck out, in the order of the scenes."""
        return self._struck

    def records(self) -> list[ObjectRecord]:
        """All objects of the scenes it was built from; `why` of those struck out says so."""
        return [
            replace(one, why=STRUCK_OUT) if not one.why and one.entry.id in self.excluded else one
            for one in super().records()
        ]


def without_excluded(library: FolderLibrary, file: Path, where: str) -> ExcludingLibrary:
    """The library without the objects that a file strikes out; see the module for the format."""
    view = ExcludingLibrary(library.path, read_exclusions(file, library))
    struck = len(view.struck_out())
    if not view.labels():
        raise UserError(
            f"{where}.{EXCLUDE}: {file} strikes out all {struck} objects. Remove some lines."
        )
    gone = sorted(set(library.labels()) - set(view.labels()))
    left = f"; none are left of: {', '.join(gone)}" if gone else ""
    log.info("%s: %d objects struck out%s", file, struck, left)
    return view


def struck_out(library: Library) -> tuple[Entry, ...]:
    """The objects of a library that were struck out; none for a complete library."""
    return library.struck_out() if isinstance(library, ExcludingLibrary) else ()


def read_exclusions(file: Path, library: FolderLibrary) -> tuple[str, ...]:
    """The full ids that a file strikes out.

    It may name objects that were pruned anyway.
    """
    known = {one.entry.id: one.entry for one in library.records() if one.entry.id}
    kept = {one.id for label in library.labels() for one in library.entries(label)}
    return tuple(
        dict.fromkeys(
            _id_of(given, known, kept, f"{file}: line {number}", library.path)
            for number, given in _lines(file)
        )
    )


def exclusion_line(entry: Entry) -> str:
    """The line that strikes an object out, with a comment for people.

    >>> exclusion_line(Entry("00ff00ff00ff00ff", "car", 9, 9, 81, 0, origin="a.jpg"))
    '00ff00ff00ff00ff  # car, a.jpg'
    """
    comment = ", ".join(part for part in (entry.label, entry.origin) if part)
    return f"{entry.id}  # {' '.join(comment.split())}"


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """The number of each line that names an object, and the id in it."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(
            f"{file}: no such file. `snellen objects validate` makes a page that writes one; "
            "an empty file excludes nothing."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{file}: cannot be read as text: {error}. It must have one object id per line."
        ) from None
    for number, line in enumerate(text.splitlines(), 1):
        given = line.partition("#")[0].strip().lower()
        if not given:
            continue
        if not _ID.fullmatch(given):
            raise UserError(
                f"{file}: line {number}: found {given!r}, expected an object's id or at least its "
                f"first {SHORTEST} hexadecimal digits. Comments start with '#'."
            )
        yield number, given


def _id_of(given: str, known: Mapping[str, Entry], kept: set[str], where: str, path: Path) -> str:
    if given in known:
        return given
    among = [id for id in kept if id.startswith(given)]
    among = among or [id for id in known if id.startswith(given)]
    if not among:
        raise UserError(
            f"{where}: there is no object '{given}' in the library {path}. Remove the line, or use "
            "the library that the file was written for: `snellen objects show FOLDER --json` lists "
            "ids."
        )
    if len(among) > 1:
        one, other = (f"{id} ({known[id].label})" for id in sorted(among)[:2])
        raise UserError(
            f"{where}: '{given}' matches {len(among)} objects, such as {one} and {other}. "
            "Give more digits."
        )
    return among[0]
