"""Stages of a repair: each is done once, goes on after a kill, and is done again if it changed."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import write_atomically
from snellen.repair.digests import digest_of_file

log = logging.getLogger(__name__)

MARKS = "stages"
Facts = dict[str, Any]


@dataclass(frozen=True)
class RepairStage:
    """One step and where its result lies.

    name: its own among all stages. key: a digest of all that the result depends on. kept: patterns
    of files in the folder that must be as they were left; needed: files that must be there.
    """

    name: str
    folder: Path
    key: str
    kept: Sequence[str] = ()
    needed: Sequence[str] = ()

    def files(self) -> dict[str, str]:
        """The digests of the files that must stay as they are, "" for what is not there."""
        found = {
            path.name: digest_of_file(path)
            for pattern in self.kept
            for path in sorted(self.folder.glob(pattern))
        }
        missing = [name for name in self.needed if not (self.folder / name).exists()]
        return {**found, **dict.fromkeys(missing, "")}


@dataclass(frozen=True)
class Stages:
    """The stages of one repair folder, with a mark for each that was begun."""

    root: Path

    def done(self, stage: RepairStage) -> Facts | None:
        """What the stage came to, if it is done and nothing of it changed."""
        mark = self._mark(stage.name)
        if mark.get("key") != stage.key or "facts" not in mark:
            return None
        if mark["files"] != stage.files():
            log.warning("%s: was changed since it was made; it is made again", stage.folder)
            return None
        return dict(mark["facts"])

    def known(self, name: str) -> Facts | None:
        """What a stage came to when it was last done, whatever happened since."""
        facts = self._mark(name).get("facts")
        return None if facts is None else dict(facts)

    def note(self, name: str, facts: Mapping[str, Any]) -> None:
        """Keep facts under a name that no stage has; `known` tells them."""
        self._write(name, {"facts": dict(facts)})

    def carried_out(self, stage: RepairStage, work: Callable[[], Mapping[str, Any]]) -> Facts:
        """What the stage comes to; `work` is called unless it is done.

        Work that was cut short finds in its folder what it left there; work on anything else finds
        none.
        """
        facts = self.done(stage)
        if facts is not None:
            return facts
        mark = self._mark(stage.name)
        if mark.get("key") != stage.key or "facts" in mark:
            shutil.rmtree(stage.folder, ignore_errors=True)
        self._write(stage.name, {"key": stage.key})
        facts = dict(work())
        self._write(stage.name, {"key": stage.key, "facts": facts, "files": stage.files()})
        return facts

    def _path(self, name: str) -> Path:
        return self.root / MARKS / f"{name}.json"

    def _mark(self, name: str) -> dict[str, Any]:
        try:
            return dict(json.loads(self._path(name).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def _write(self, name: str, values: Mapping[str, Any]) -> None:
        write_atomically(self._path(name), (json.dumps(values, indent=1) + "\n").encode())
