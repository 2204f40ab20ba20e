"""Stages of a repair: each runs once, resumes after a kill, and runs again if its inputs change."""

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
    """One step and the folder of its result.

    name: unique among all stages. key: a digest of everything that the result depends on.
    unchanged: patterns of files in the folder that must not change. required: files that must
    exist.
    """

    name: str
    folder: Path
    key: str
    unchanged: Sequence[str] = ()
    required: Sequence[str] = ()

    def files(self) -> dict[str, str]:
        """The digests of the files that must not change, "" for missing required ones."""
        found = {
            path.name: digest_of_file(path)
            for pattern in self.unchanged
            for path in sorted(self.folder.glob(pattern))
        }
        missing = [name for name in self.required if not (self.folder / name).exists()]
        return {**found, **dict.fromkeys(missing, "")}


@dataclass(frozen=True)
class Stages:
    """The stages of one repair folder, with a mark file for each that was started."""

    root: Path

    def done(self, stage: RepairStage) -> Facts | None:
        """The stage's facts if it is finished and its files are unchanged, else None."""
        mark = self._mark(stage.name)
        if mark.get("key") != stage.key or "facts" not in mark:
            return None
        if mark["files"] != stage.files():
            log.warning("%s: changed since it was written; running the stage again", stage.folder)
            return None
        return dict(mark["facts"])

    def recorded(self, name: str) -> Facts | None:
        """The facts of the stage's last completion, whatever changed since; None without one."""
        facts = self._mark(name).get("facts")
        return None if facts is None else dict(facts)

    def note(self, name: str, facts: Mapping[str, Any]) -> None:
        """Store facts under a name that no stage has, to be read with `recorded`."""
        self._write(name, {"facts": dict(facts)})

    def run(self, stage: RepairStage, work: Callable[[], Mapping[str, Any]]) -> Facts:
        """The stage's facts; calls `work` unless the stage is finished.

        Interrupted work finds its partial results in the folder; otherwise the folder is empty.
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
