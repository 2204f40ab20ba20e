"""Whether the report of a run is the one that its journal gives; nothing is written to the run."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from snellen.report.finding_folder import REPLAY
from snellen.report.report import PICTURES, write_report

COMMAND = re.compile(rb"(snellen (?:replay|explain|report)|sqlite3) [^\n<]*")
"""A command in a file, which names the place of the run folder."""


def changed_files(folder: Path, *, pictures: int = PICTURES) -> list[str]:
    """The report's files that are missing or would be written differently now, sorted.

    pictures: how many findings were pictured. Commands are not compared, so that a run folder may
    have been moved; files that the report does not write are ignored.
    """
    with TemporaryDirectory(prefix="snellen-") as place:
        write_report(folder, pictures=pictures, out=Path(place))
        files = (path for path in Path(place).rglob("*") if path.is_file())
        made = {path.relative_to(place): path for path in files if path.name != REPLAY}
        return sorted(
            name.as_posix() for name, path in made.items() if not _same(folder / name, path)
        )


def _same(one: Path, other: Path) -> bool:
    return one.is_file() and _content(one) == _content(other)


def _content(path: Path) -> bytes:
    return COMMAND.sub(rb"\1", path.read_bytes())
