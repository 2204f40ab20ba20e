"""The fenced blocks of all pages, and the commands in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
SHELLS = ("", "bash", "console", "sh", "text")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(?:\$ )?(?:\S*/)?snellen (.+)$", re.MULTILINE)
_INLINE = re.compile(r"`snellen ([^`\n]+)`")
_OPERATORS = {"|", "||", "&&", ";", ">", ">>", "2>", "<", "&"}


@dataclass(frozen=True)
class Block:
    """One fenced block. place: the page and the line of its first line of text."""

    place: str
    language: str
    text: str

    @property
    def page(self) -> str:
        """The page, relative to the repository."""
        return self.place.partition(":")[0]


def blocks() -> Iterator[Block]:
    """The blocks of all pages that are written by hand, and of the generated ones."""
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for found in _FENCE.finditer(text):
            line = text.count("\n", 0, found.start(2)) + 1
            place = f"{path.relative_to(ROOT).as_posix()}:{line}"
            yield Block(place, found.group(1), found.group(2))


def words_of(line: str) -> list[str]:
    """The words of a command up to a comment or an operator of the shell.

    >>> words_of('run a.yaml --set "a=1 2"  # as before')
    ['run', 'a.yaml', '--set', 'a=1 2']
    """
    words = shlex.split(line, comments=True)
    ends = [number for number, word in enumerate(words) if word in _OPERATORS]
    return words[: min(ends, default=len(words))]


def commands_in(block: Block) -> list[list[str]]:
    """The words after `snellen` of each command that a block of the shell has."""
    if block.language not in SHELLS:
        return []
    whole = block.text.replace("\\\n", " ").replace(" && ", "\n")
    return [words_of(line) for line in _COMMAND.findall(whole)]


def inline_commands() -> Iterator[tuple[str, list[str]]]:
    """The page and the words of each command in running text."""
    for path in PAGES:
        text = _FENCE.sub("", path.read_text(encoding="utf-8"))
        for line in _INLINE.findall(text):
            yield path.relative_to(ROOT).as_posix(), re.sub(r"[\[\]]", "", line).split()
