"""Which modules are installed, and so identified by name and version instead of by content."""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from importlib import metadata
from pathlib import Path

OWN = "snellen"


@cache
def installed_version(module: str) -> str | None:
    """The version of an installed module's package; None for the user's own code.

    Modules of the standard library have Python's version.

    >>> installed_version("json") == sys.version.split()[0]
    True
    """
    top = module.partition(".")[0]
    if top == "__main__":
        return None  # even where a program of an installed package runs
    if top in sys.stdlib_module_names or top == "builtins":
        return sys.version.split()[0]
    loaded = sys.modules.get(top)
    file = getattr(loaded, "__file__", None) or next(iter(getattr(loaded, "__path__", [])), None)
    if top != OWN and (file is None or not _installed(Path(file))):
        return None
    return str(getattr(loaded, "__version__", None) or _distribution_version(top))


def _installed(file: Path) -> bool:
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    parts = file.resolve().parts
    return (
        "site-packages" in parts
        or "dist-packages" in parts
        or any(Path(place).resolve() in file.resolve().parents for place in places if place)
    )


def _distribution_version(top: str) -> str:
    try:
        return metadata.version(top)
    except metadata.PackageNotFoundError:
        return "unknown"
