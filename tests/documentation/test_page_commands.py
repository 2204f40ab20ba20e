"""No page shows a command, an option or a number of arguments that `snellen` does not know."""

from __future__ import annotations

import pytest

from tests.documentation.blocks import blocks, commands_in, inline_commands, words_of
from tests.documentation.command_check import problems

SHOWN = [
    (block.place, words)
    for block in blocks()
    for words in commands_in(block)
    if block.page != "docs/reference/command-line.md"
]
SPOKEN_OF = [(page, words) for page, words in inline_commands()]


def test_pages_show_commands() -> None:
    assert len(SHOWN) > 60
    assert len(SPOKEN_OF) > 100


def test_every_command_in_a_block_exists_with_its_options_and_arguments() -> None:
    wrong = [
        f"{place}: snellen {' '.join(words)}: {problem}"
        for place, words in SHOWN
        for problem in problems(words, whole=True)
    ]
    assert wrong == []


def test_every_command_in_running_text_exists_with_its_options() -> None:
    wrong = [
        f"{page}: snellen {' '.join(words)}: {problem}"
        for page, words in SPOKEN_OF
        for problem in problems(words, whole=False)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("run a.yaml --resume --set engine.batch=4", []),
        ("objects build --help", []),
        ("--version", []),
        ("run a.yaml --resum", ["no option --resum of snellen run"]),
        ("rnu a.yaml", ["no command 'rnu' in snellen"]),
        ("objects biuld a", ["no command 'biuld' in snellen objects"]),
        ("run", ["snellen run takes 1 to 1 arguments, found []"]),
        ("run a.yaml b.yaml", ["snellen run takes 1 to 1 arguments, found ['a.yaml', 'b.yaml']"]),
        (
            "run a.yaml --out runs/a b",
            ["snellen run takes 1 to 1 arguments, found ['a.yaml', 'b']"],
        ),
        ("run a.yaml | tee log --nothing", []),
    ],
)
def test_a_mistake_is_found(line: str, expected: list[str]) -> None:
    assert problems(words_of(line), whole=True) == expected
