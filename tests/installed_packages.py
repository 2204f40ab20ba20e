"""Projects on the path with their entry points, as an editable installation puts them there."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from snellen.plugins import installed


def project_of(folder: Path) -> dict[str, Any]:
    """The table `project` of a folder's pyproject.toml."""
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)["project"]
    return found


def is_installed(name: str) -> bool:
    """Whether a package of that name is installed here."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def write_metadata(folder: Path, project: dict[str, Any]) -> None:
    """Write what an installer writes of a project, into a folder of the path."""
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    lines = ("Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}")
    (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    points = [
        line
        for group, names in project.get("entry-points", {}).items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in names.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(points) + "\n", encoding="utf-8")


@contextmanager
def importable(*folders: Path) -> Iterator[None]:
    """Folders at the front of the path, here and in the processes that are started meanwhile."""
    path, variable = list(sys.path), os.environ.get("PYTHONPATH")
    sys.path[:0] = [str(folder) for folder in folders]
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [*map(str, folders), *([variable] if variable else [])]
    )
    installed.cache_clear()
    try:
        yield
    finally:
        sys.path[:] = path
        os.environ.pop("PYTHONPATH")
        if variable:
            os.environ["PYTHONPATH"] = variable
        installed.cache_clear()


@contextmanager
def installation(project: Path, place: Path) -> Iterator[None]:
    """A project in src layout, importable with its entry points; place: an empty folder for them.

    Where the project is installed already, nothing is done.
    """
    found = project_of(project)
    if is_installed(found["name"]):
        yield
        return
    write_metadata(place, found)
    with importable(place, project / "src"):
        yield
