"""Every kind that a registry names exists, in a room that the registry's own room may know.

import-linter sees imports only; a registry names modules in strings, and this test reads those.
"""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from importlib.metadata import EntryPoint, distribution
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.plugins import Registry
from snellen.scenes.registry import READERS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
(LAYERS,) = (
    contract["layers"]
    for contract in PROJECT["tool"]["importlinter"]["contracts"]
    if contract["type"] == "layers" and contract["containers"] == ["snellen"]
)
HEIGHT = {
    room.strip(" ()"): len(LAYERS) - number
    for number, layer in enumerate(LAYERS)
    for room in re.split("[|:]", layer)
}
MADE = re.compile(r"^(\w+) = Registry\(", re.MULTILINE)
DECLARED = {
    (group, name): value
    for group, points in PROJECT["project"]["entry-points"].items()
    for name, value in points.items()
    if group.startswith("snellen.")
}


def _registries() -> dict[str, Registry]:
    """Each registry of the house by the place where it is made, as `module:NAME`."""
    found: dict[str, Registry] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        for name in MADE.findall(path.read_text(encoding="utf-8")):
            found[f"{module}:{name}"] = getattr(import_module(module), name)
    return found


REGISTRIES = _registries()


def _room(place: str) -> str:
    return place.partition(":")[0].split(".")[1]


KINDS = [
    pytest.param(place, target, id=f"{registry.group}-{kind}")
    for place, registry in REGISTRIES.items()
    for kind, target in registry.builtin.items()
]


def test_the_search_finds_the_registries() -> None:
    assert "snellen.scenes.registry:READERS" in REGISTRIES
    assert "snellen.changes.registry:RECIPES" in REGISTRIES


@pytest.mark.parametrize(("place", "target"), KINDS)
def test_a_registry_names_nothing_above_its_room(place: str, target: str) -> None:
    assert HEIGHT[_room(target)] <= HEIGHT[_room(place)], f"{place} names {target}, a higher room"


@pytest.mark.parametrize("place", REGISTRIES)
def test_every_built_in_kind_exists(place: str) -> None:
    for kind in REGISTRIES[place].builtin:
        assert REGISTRIES[place].load(kind) is not None


@pytest.mark.parametrize(("group", "name"), DECLARED)
def test_every_entry_point_of_ours_exists_and_is_installed(group: str, name: str) -> None:
    """What a higher room brings may be declared as an entry point, and only so."""
    assert EntryPoint(name, DECLARED[group, name], group).load() is not None
    registries = [registry for registry in REGISTRIES.values() if registry.group == group]
    assert registries, f"no registry has the group {group}"
    for registry in registries:
        assert name not in registry.builtin
        assert name in registry.kinds(), "pyproject.toml has changed: run pip install -e ."


def test_the_installed_entry_points_are_the_declared_ones() -> None:
    points = distribution("snellen").entry_points
    installed = {
        (point.group, point.name): point.value
        for point in points
        if point.group.startswith("snellen.")
    }
    assert installed == DECLARED, "pyproject.toml has changed: reinstall with pip install -e ."


def test_an_unknown_kind_of_scenes_names_one_of_an_entry_point() -> None:
    with pytest.raises(UserError, match="did you mean 'streets'"):
        READERS.check("street", "scenes.kind")
