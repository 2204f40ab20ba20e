"""What a disk may hold after a power cut, from a log of what a process did to it.

A file's data is safe once the file is synced, a name in a folder once the folder is: nothing else
is, and the rest may have reached the disk or not, in any order and in part. POSIX promises no more,
although most file systems do.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

SECTOR = 512
UNTRUSTED = "-shm"
"""SQLite's index of its log, in mapped memory: made again by the first process after a crash."""


class Operation(NamedTuple):
    """One line of a log. name: such as `write`; counted unless it is `open`."""

    name: str
    words: tuple[str, ...]
    data: bytes = b""


def operations(log: bytes) -> Iterator[Operation]:
    """The operations of a log, in order."""
    place = 0
    while place < len(log):
        end = log.index(b"\n", place)
        name, _, rest = log[place:end].decode().partition(" ")
        place = end + 1
        if name == "write":
            words = tuple(rest.split(" "))
            length = int(words[2])
            yield Operation(name, words[:2], log[place : place + length])
            place += length + 1
        elif name in ("open", "truncate"):
            yield Operation(name, tuple(rest.split(" ", 1)))
        else:
            yield Operation(name, tuple(rest.split("\t")))


@dataclass(eq=False)
class _File:
    safe: bytes = b""
    now: bytes = b""
    pending: list[tuple[int, bytes] | int] = field(default_factory=list)
    """Since the last sync: writes as offset and data, truncations as size."""

    def write(self, offset: int, data: bytes) -> None:
        self.now = _overwritten(self.now, offset, data)
        self.pending.append((offset, data))

    def truncate(self, size: int) -> None:
        self.now = _cut(self.now, size)
        self.pending.append(size)

    def sync(self) -> None:
        self.safe, self.pending = self.now, []

    def torn(self, rng: Generator) -> bytes:
        """The safe data with a random part of the sectors that were written since."""
        found = self.safe
        for one in self.pending:
            if isinstance(one, int):
                found = _cut(found, one) if rng.random() < 0.5 else found
                continue
            offset, data = one
            for start in range(0, len(data), SECTOR):
                if rng.random() < 0.5:
                    piece = data[start : start + SECTOR]
                    found = _overwritten(found, offset + start, piece)
        return found


@dataclass(eq=False)
class _Folder:
    safe: dict[str, _File | _Folder] = field(default_factory=dict)
    now: dict[str, _File | _Folder] = field(default_factory=dict)

    def sync(self) -> None:
        self.safe = dict(self.now)


def _overwritten(data: bytes, offset: int, piece: bytes) -> bytes:
    data = data.ljust(offset, b"\0")
    return data[:offset] + piece + data[offset + len(piece) :]


def _cut(data: bytes, size: int) -> bytes:
    return data[:size].ljust(size, b"\0")


class Survival(StrEnum):
    """What of the un-synced reaches the disk."""

    NOTHING = "nothing"
    NAMES = "names, but no data"
    DATA = "data, but no names"
    PARTS = "names, and some sectors"
    EVERYTHING = "everything"


State = dict[str, bytes | None]
"""The files of a disk by path below its root; None for a folder."""


class Disk:
    """A folder, empty at first, that operations change."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._top = _Folder()
        self._open: dict[str, _File | _Folder] = {}

    def do(self, one: Operation) -> None:
        """Carry out an operation."""
        getattr(self, "_open_" if one.name == "open" else f"_{one.name}")(one)

    def after_power_cut(self, survival: Survival, seed: int = 0) -> State:
        """What is on the disk when the power is back."""
        found: State = {}
        rng = np.random.default_rng(seed)
        lost_names = survival in (Survival.NOTHING, Survival.DATA)

        def data(file: _File) -> bytes:
            if survival == Survival.PARTS:
                return file.torn(rng)
            return file.safe if survival in (Survival.NOTHING, Survival.NAMES) else file.now

        def walk(folder: _Folder, place: str) -> None:
            for name, one in sorted((folder.safe if lost_names else folder.now).items()):
                path = f"{place}{name}"
                if isinstance(one, _Folder):
                    found[path] = None
                    walk(one, f"{path}/")
                elif not name.endswith(UNTRUSTED):
                    found[path] = data(one)

        walk(self._top, "")
        return found

    def _place(self, path: str) -> tuple[_Folder, str]:
        *folders, name = path.removeprefix(self._root).strip("/").split("/")
        found = self._top
        for one in folders:
            inner = found.now[one]
            assert isinstance(inner, _Folder)
            found = inner
        return found, name

    def _node(self, path: str) -> _File | _Folder:
        folder, name = self._place(path)
        return folder.now[name] if name else self._top

    def _file(self, descriptor: str) -> _File:
        found = self._open[descriptor]
        assert isinstance(found, _File)
        return found

    def _create(self, one: Operation) -> None:
        folder, name = self._place(one.words[0])
        folder.now[name] = _File()

    def _mkdir(self, one: Operation) -> None:
        folder, name = self._place(one.words[0])
        folder.now[name] = _Folder()

    def _empty(self, one: Operation) -> None:
        file = self._node(one.words[0])
        assert isinstance(file, _File)
        file.truncate(0)

    def _open_(self, one: Operation) -> None:
        self._open[one.words[0]] = self._node(one.words[1])

    def _write(self, one: Operation) -> None:
        self._file(one.words[0]).write(int(one.words[1]), one.data)

    def _truncate(self, one: Operation) -> None:
        self._file(one.words[0]).truncate(int(one.words[1]))

    def _sync(self, one: Operation) -> None:
        self._open[one.words[0]].sync()

    def _unlink(self, one: Operation) -> None:
        folder, name = self._place(one.words[0])
        del folder.now[name]

    def _rename(self, one: Operation) -> None:
        (old, name), (new, other) = map(self._place, one.words)
        new.now[other] = old.now.pop(name)


def written_to_disk(state: State, root: Path) -> None:
    """Make a folder that holds a state, and nothing else."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    for path, data in state.items():
        if data is None:
            (root / path).mkdir()
        else:
            (root / path).write_bytes(data)
