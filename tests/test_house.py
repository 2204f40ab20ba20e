"""The rules of the house that no linter holds: how full rooms are, and how things are called."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import snellen

SOURCE = Path(snellen.__file__).parent
TESTS = Path(__file__).parent
ENTRIES = 25
"""Modules and folders that a folder may have: what belongs together stands together."""
FIELD_NOUNS = (
    "annealing", "backtracking", "blending", "clustering", "encoding", "finding", "matching",
    "placing", "preprocessing", "rendering", "sampling", "smoothing", "string", "training",
)  # fmt: skip
"""Words that end in -ing and are nouns of the field."""
DIALECT = re.compile(r"(^|_)(kept|told|lately|known|seen|again|anew|shown|alike|against|ways)(_|$)")
SHARED_NAMES = {"Options"}
"""Class names that may stand in several modules because they mean the same in each."""


def modules(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*.py") if "__pycache__" not in path.parts)


def folders(root: Path) -> list[Path]:
    found = [root, *(path for path in root.rglob("*") if path.is_dir())]
    return [path for path in found if "__pycache__" not in path.parts]


@pytest.mark.parametrize("folder", folders(SOURCE), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_folder_is_too_full(folder: Path) -> None:
    entries = [
        path
        for path in folder.iterdir()
        if path.name not in ("__init__.py", "__main__.py", "__pycache__")
        and (path.is_dir() or path.suffix == ".py")
    ]
    assert len(entries) <= ENTRIES


def test_modules_are_called_by_nouns() -> None:
    """No gerund, participle or private word: a newcomer guesses right what is inside."""
    wrong = [
        str(path.relative_to(SOURCE))
        for path in modules(SOURCE)
        for word in [path.stem.rpartition("_")[2]]
        if (word.endswith("ing") and word not in FIELD_NOUNS) or DIALECT.search(path.stem)
    ]
    assert wrong == []


def test_two_classes_of_one_name_mean_the_same() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in modules(SOURCE):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in twice.items() if name not in SHARED_NAMES} == {}


def test_tests_mirror_the_tree() -> None:
    """Every folder of tests that tests the package stands where the package's folder stands."""
    own = {
        "benchmarks",
        "documentation",
        "experiments",
        "faulty_disk",
        "frozen",
        "fuzzing",
        "isolation",
        "plugin",
        "recorded_runs",
    }
    strangers = [
        str(path.relative_to(TESTS))
        for path in folders(TESTS)[1:]
        if path.relative_to(TESTS).parts[0] not in own
        and not (SOURCE / path.relative_to(TESTS)).is_dir()
    ]
    assert strangers == []


def test_array_types_come_from_one_place() -> None:
    """An alias of an array type means the same in every file because there is only one of it."""
    alias = re.compile(r"^(\w+)(: TypeAlias)? = npt\.NDArray\[", re.MULTILINE)
    found = {
        str(path.relative_to(SOURCE)): alias.findall(path.read_text(encoding="utf-8"))
        for path in modules(SOURCE)
        if path != SOURCE / "vision" / "arrays.py"
    }
    assert {path: names for path, names in found.items() if names} == {}
