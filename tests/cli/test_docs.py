"""The documentation by topic, in the terminal."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import snellen as package
from snellen.cli import documentation
from snellen.cli.documentation import FOLDERS, topic_named, topics
from snellen.cli.main import app
from snellen.errors import UserError
from snellen.subjects.registry import ADAPTERS

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def docs(*words: str) -> str:
    return CliRunner().invoke(app, ["docs", *words]).stdout


def test_every_page_has_a_topic_and_a_title() -> None:
    pages = [path for folder in FOLDERS for path in (ROOT / "docs" / folder).rglob("*.md")]
    assert sorted(one.path for one in topics().values()) == sorted(pages)
    listed = docs()
    assert all(f"  {one.name} " in listed and one.title in listed for one in topics().values())


@pytest.mark.parametrize("name", ["objects", "how-to/objects", "docs/how-to/objects.md"])
def test_a_page_is_printed_as_it_is_where_there_is_no_terminal(name: str) -> None:
    page = ROOT / "docs" / "how-to" / "objects.md"
    assert docs(name) == page.read_text(encoding="utf-8") + "\n"
    assert docs(name, "--path").strip() == str(page)


def test_an_unknown_topic_suggests_one_and_says_what_lists_them() -> None:
    with pytest.raises(UserError, match=r"did you mean 'objects'\?\nNext: snellen docs"):
        topic_named("objcts")


def test_the_pages_of_an_installed_package_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "docs" / "how-to" / "only.md"
    page.parent.mkdir(parents=True)
    page.write_text("# The only one\n")
    monkeypatch.setattr(documentation, "PACKAGE", tmp_path)
    assert [one.title for one in topics().values()] == ["The only one"]


def test_two_pages_of_one_name_are_both_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("how-to", "reference"):
        (tmp_path / "docs" / folder).mkdir(parents=True)
        (tmp_path / "docs" / folder / "gate.md").write_text(f"# {folder}\n")
    monkeypatch.setattr(documentation, "PACKAGE", tmp_path)
    assert {name: one.title for name, one in topics().items()} == {
        "gate": "how-to",
        "reference/gate": "reference",
    }
    assert topic_named("reference/gate.md").title == "reference"


def test_an_installation_without_pages_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documentation, "PACKAGE", tmp_path / "a" / "b")
    with pytest.raises(UserError, match="pip install"):
        topics()


def test_every_topic_that_a_message_cites_exists() -> None:
    cited = {
        name
        for path in SOURCES
        for name in re.findall(r"`?snellen docs ([a-z][\w-]*)", path.read_text(encoding="utf-8"))
    }
    assert cited, "messages cite topics"
    assert cited <= set(topics())


def strings_of_source() -> Iterator[tuple[Path, str]]:
    """Every text in the code, docstrings included, with its file; parts of f-strings are joined."""
    for path in sorted(Path(package.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [one.value for one in node.values if isinstance(one, ast.Constant)]
                yield path, "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path, node.value


def test_pages_are_cited_by_topic_never_by_a_path() -> None:
    """A path is only right in a source tree, and wrong wherever the user is."""
    folder = re.compile(r"docs/[a-z]")
    assert [(path.name, text) for path, text in strings_of_source() if folder.search(text)] == []


def test_the_page_of_every_kind_of_subject_exists() -> None:
    assert {ADAPTERS.load(kind).page for kind in ADAPTERS.builtin} <= set(topics())
