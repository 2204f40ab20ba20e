"""No method is known by name outside its own folder: what one method has, every method gets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import snellen
from snellen.methods.kind import METHODS, MethodKind
from snellen.methods.view import View

ROOT = Path(snellen.__file__).parent
NAMES = "|".join(METHODS.builtin)
WORD = re.compile(rf"(?<![\w-])({NAMES})(?![\w-])")
PACKAGE = re.compile(rf"snellen\.methods\.({NAMES})\b")
AT_HOME = ("methods", "starter")
"""Rooms where a method may be named: its own, and the one that says what the demonstration runs."""
ANOTHER_MEANING = {
    "__init__.py": "the public names, `sn.cover` among them",
    "api.py": "the recipe that changes nothing",
    "changes/identity.py": "the recipe that changes nothing",
    "changes/registry.py": "the recipe that changes nothing",
    "engine/confirmation.py": "the control that repeats a question",
    "objects/meshes/mesh_file.py": "an extra of the package",
    "pages/requirement_table.py": "what a gate decides by, whichever method checks it",
    "pytest_plugin.py": "what a gate decides by, whichever method checks it",
    "repair/evaluation/repair_verdict.py": "a virtue of subjects",
    "repair/page/words.py": "a virtue of subjects",
    "repair/retraining/datasheet.py": "a virtue of subjects",
    "repair/retraining/set_maker.py": "one object put into one scene",
    "repair/training/checkpoints.py": "a key of checkpoints",
    "repair/training/trainer.py": "a key of checkpoints",
    "report/gate.py": "what a gate decides by, whichever method checks it",
    "store/journal_format/journal_schema.py": "the check that repeats a question",
    "subjects/registry.py": "a folder of subjects",
    "vision/label_pairs.py": "pairs of labels",
    "vision/lidar/ground.py": "an extra of the package",
}


def prose(tree: ast.AST) -> set[int]:
    """The docstrings of a module, and strings that stand by themselves below what they explain."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def names_in(path: Path) -> Iterator[str]:
    """Where a file names a method: in a string, or by what it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    written = prose(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in written and WORD.search(node.value):
                yield f"line {node.lineno}: {node.value!r}"
        elif isinstance(node, ast.ImportFrom) and PACKAGE.match(node.module or ""):
            yield f"line {node.lineno}: from {node.module}"
        elif isinstance(node, ast.Import):
            yield from (
                f"line {node.lineno}: import {one.name}"
                for one in node.names
                if PACKAGE.match(one.name)
            )


def named() -> dict[str, list[str]]:
    found = {
        str(path.relative_to(ROOT).as_posix()): list(names_in(path))
        for path in sorted(ROOT.rglob("*.py"))
        if path.relative_to(ROOT).parts[0] not in AT_HOME
    }
    return {name: places for name, places in found.items() if places}


def test_no_method_is_known_by_name_outside_its_folder() -> None:
    found = {name: places for name, places in named().items() if name not in ANOTHER_MEANING}
    assert found == {}, "ask the method's view or one of its abilities instead"


def test_no_file_is_excused_without_need() -> None:
    assert ANOTHER_MEANING.keys() <= named().keys(), "take these off the list"


def test_a_name_in_a_string_or_an_import_is_found(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        '"""Of method fusion."""\n'
        "from snellen.methods.fusion.options import FusionOptions\n"
        'LATE = "late-fusion"\n'
        'if method == "fusion":\n    pass\n'
    )
    assert [one.split(":")[0] for one in names_in(path)] == ["line 2", "line 4"]


@pytest.mark.parametrize("name", METHODS.builtin)
def test_every_built_in_method_hands_in_a_view_of_its_own(name: str) -> None:
    kind: MethodKind = METHODS.load(name)
    assert isinstance(kind.view, str), "as a string, so that it is imported when it is needed"
    view = kind.opened_view()
    assert isinstance(view, View)
    assert type(view).__module__ == f"snellen.methods.{name}.view"
