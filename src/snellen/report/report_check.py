"""Whether the report of a run is the one that its journal gives; nothing is written to the run."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from snellen.report.report import PICTURES, write_report


def changed_files(folder: Path, *, pictures: int = PICTURES) -> list[str]:
    """The report's files that are missing or would be written differently now, sorted.

    pictures: how many findings were pictured. Files that the report does not write are ignored.
    """
    with TemporaryDirectory(prefix="snellen-") as place:
        write_report(folder, pictures=pictures, out=Path(place))
        made = sorted(path for path in Path(place).rglob("*") if path.is_file())
        names = [path.relative_to(place) for path in made]
        return [
            name.as_posix()
            for name, path in zip(names, made, strict=True)
            if not (folder / name).is_file() or (folder / name).read_bytes() != path.read_bytes()
        ]
