"""Whether every module of a package imports, as far as an installation promises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import walk_packages

MAIN = "__main__"


def leaks(package: str, homes: Sequence[str]) -> list[str]:
    """A line for each module that imports something absent and is not in one of the homes."""
    found = []
    for module in modules_of(package):
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if not _within(module, homes):
                found.append(f"{module} imports {error.name}, which is not installed")
    return found


def modules_of(package: str) -> Iterator[str]:
    """The names of a package and of all modules in it, but for what runs when imported."""
    yield package
    for module in walk_packages(import_module(package).__path__, f"{package}."):
        if not module.name.endswith(f".{MAIN}"):
            yield module.name


def _within(module: str, homes: Sequence[str]) -> bool:
    return any(module == home or module.startswith(f"{home}.") for home in homes)
