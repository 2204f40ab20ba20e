"""The walk of one scene through the house: which files run, and how often a call changes rooms.

    python -m benchmarks.scene_walk [METHOD]

One scene of the method's example is examined and reported on. A file counts if one of its functions
runs. A change of room is a function of one room that calls a function of another one, each pair
counted once, however often it is called: a reader who follows the calls goes that way once.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


@dataclass
class Walk:
    """files: whose functions ran, paths in the package. ways: (caller, called), across rooms."""

    package: str
    files: set[str] = field(default_factory=set)
    ways: set[tuple[str, str]] = field(default_factory=set)

    @property
    def changes(self) -> Counter[tuple[str, str]]:
        """Changes of room, by pairs of rooms."""
        return Counter((_room(caller), _room(called)) for caller, called in self.ways)

    def call(self, frame: FrameType, event: str, _: Any) -> None:
        """Take a call in."""
        if event != "call":
            return
        here = self._file(frame)
        if here is None:
            return
        self.files.add(here)
        caller = frame.f_back
        while caller is not None and self._file(caller) is None:
            caller = caller.f_back
        if caller is not None:
            there = self._file(caller) or ""
            if _room(there) != _room(here):
                self.ways.add((_function(there, caller), _function(here, frame)))

    def _file(self, frame: FrameType) -> str | None:
        name = frame.f_code.co_filename
        # Class bodies and modules run once at import, which is no part of the walk.
        if not name.startswith(self.package) or frame.f_code.co_name.startswith("<module"):
            return None
        return name.removeprefix(self.package)


def _function(file: str, frame: FrameType) -> str:
    return f"{file}:{frame.f_code.co_qualname}"


def _room(place: str) -> str:
    return Path(place.split(":")[0]).parts[0].removesuffix(".py")


@contextmanager
def walked(package: str) -> Iterator[Walk]:
    """The walk of what runs inside the block, in all of this process's threads."""
    walk = Walk(package)
    threading.setprofile(walk.call)
    sys.setprofile(walk.call)
    try:
        yield walk
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def scene_walk(method: str) -> Walk:
    """One scene of a method's example, examined and reported on in this process."""
    import snellen as sn

    values = yaml.safe_load((EXAMPLES / f"{method}.yaml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        values |= {"base": str(EXAMPLES), "out": f"{folder}/run"}
        if values.get("scenes"):
            values["scenes"]["count"] = 1
        values["engine"] = {"workers": 0, "cache": False}
        sn.run({**values, "out": f"{folder}/warm"})  # imports and compiles what it needs
        with walked(str(Path(sn.__file__).parent) + os.sep) as walk:
            sn.run(values)
    return walk


def main() -> None:
    """Print the walk."""
    method = sys.argv[1] if len(sys.argv) > 1 else "insertion"
    walk = scene_walk(method)
    rooms = Counter(_room(file) for file in walk.files)
    print(f"{method}: {len(walk.files)} files, {sum(walk.changes.values())} changes of room")
    for room, files in rooms.most_common():
        print(f"  {room}: {files} files")
    for (first, second), times in walk.changes.most_common(12):
        print(f"  {first} -> {second}: {times}")


if __name__ == "__main__":
    main()
