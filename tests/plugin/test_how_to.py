"""The how-to page shows the files of the example, and its commands run."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest

from tests.plugin.conftest import PLUGIN, Snellen

PAGE = (PLUGIN.parents[1] / "docs" / "how-to" / "write-a-method.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SHOWN = [
    (found[1], found[2])
    for _, text in BLOCKS
    if (found := re.match(r"(?:# |/\* )(\S+\.\w+)(?: \*/)?\n(.*)", text, re.DOTALL))
]
COMMANDS = [
    line.removeprefix("$ ")
    for kind, text in BLOCKS
    if kind == "console"
    for line in text.splitlines()
]
CODES = {"snellen run mirror.yaml": 1, "snellen gate runs/mirror": 1}
"""Exit codes other than 0: the requirement is violated."""


def excerpts(text: str) -> list[str]:
    """The parts of a block between lines of `...`."""
    return [dedent(part).strip("\n") for part in re.split(r"^\.\.\.\n", text, flags=re.MULTILINE)]


def places(excerpt: str, text: str) -> list[int]:
    """Where an excerpt stands in a file, its lines as they are but for a common indentation."""
    lines, wanted = text.splitlines(), excerpt.splitlines()
    return [
        start
        for start in range(len(lines) - len(wanted) + 1)
        if dedent("\n".join(lines[start : start + len(wanted)])) == excerpt
    ]


@pytest.mark.parametrize(("name", "block"), SHOWN, ids=[name for name, _ in SHOWN])
def test_a_block_is_taken_from_the_file_that_it_names(name: str, block: str) -> None:
    text = (PLUGIN / name).read_text(encoding="utf-8")
    found = [places(part, text) for part in excerpts(block)]
    assert all(found), "the page and the example differ"
    assert all(before[0] < after[0] for before, after in pairwise(found))


def test_every_block_of_code_names_its_file() -> None:
    code = [text for kind, text in BLOCKS if kind not in ("", "console")]
    assert len(SHOWN) == len(code)


def test_every_file_of_the_package_is_on_the_page() -> None:
    source = PLUGIN / "src" / "snellen_mirror"
    files = {path.name for path in source.iterdir() if path.suffix in (".py", ".css")}
    assert files | {"pyproject.toml", "mirror.yaml", "one_eyed.py"} <= set(
        re.findall(r"[\w]+\.\w+", PAGE)
    )
    shown = {Path(name).name for name, _ in SHOWN}
    assert files - {"__init__.py"} <= shown


def test_the_commands_run(tmp_path: Path, snellen: Snellen) -> None:
    for name in ("mirror.yaml", "one_eyed.py"):
        shutil.copy(PLUGIN / name, tmp_path)
    assert COMMANDS[0] == "pip install -e ."
    for command in COMMANDS[1:]:
        program, *words = command.split()
        assert program == "snellen"
        done = snellen(*words)
        assert done.returncode == CODES.get(command, 0), f"{command}: {done.stderr}"
    assert (tmp_path / "runs" / "mirror" / "report.html").is_file()
    assert (tmp_path / "set" / "instances.json").is_file()
