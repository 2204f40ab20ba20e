"""The example package: what it imports, and how it is installed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from snellen.changes.registry import RECIPES
from snellen.methods.kind import METHODS
from tests.installed_packages import is_installed, project_of
from tests.plugin.conftest import PLUGIN

SOURCES = sorted(PLUGIN.rglob("*.py"))
ALLOWED = {"snellen.api", "numpy", "pydantic", "snellen_mirror"}


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, those of the standard library left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        yield from (name for name in names if name.split(".")[0] not in sys.stdlib_module_names)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_it_imports_nothing_of_ours_but_the_api(path: Path) -> None:
    for name in imported(path):
        known = name if name.startswith("snellen.") else name.split(".")[0]
        assert known in ALLOWED, f"{path.name} imports {name}"


def test_its_entry_points_are_found_and_load() -> None:
    assert "mirror" in METHODS.kinds()
    assert METHODS.load("mirror").options.__name__ == "MirrorOptions"
    assert RECIPES.load("mirror").kind == "mirror"
    assert METHODS.broken() == {}


def test_its_dependencies_are_those_that_it_imports() -> None:
    project = project_of(PLUGIN)
    named = {one.split(">")[0] for one in project["dependencies"]}
    assert named == {"snellen", "numpy", "pydantic"}


def test_make_test_installs_it() -> None:
    """CI runs `make test`, so that the tests below see a real installation there."""
    makefile = (PLUGIN.parents[1] / "Makefile").read_text(encoding="utf-8")
    assert "install --no-deps -e examples/plugin" in makefile
    if not is_installed("snellen-mirror"):
        pytest.skip("not installed here; its metadata is put on the path instead")
