"""What is hidden in texts and commands, and what is left readable."""

from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.configuration.environment import expanded
from snellen.errors import UserError, redaction
from snellen.errors.redaction import hide, redacted, redacted_command

CHARACTERS = st.text(st.sampled_from(list("ab1 '\"$\\`*é/._-\n")), min_size=4, max_size=12)


@pytest.mark.parametrize(
    ("value", "text", "shown"),
    [
        ("train", "retraining on train, not trains", "retraining on ${X}, not trains"),
        ("train", "train_2017/train.json", "${X}_2017/${X}.json"),
        ("/data", "/data/a and /database/a", "${X}/a and /database/a"),
        ("2017", "2017 of 20170 in 12017", "${X} of 20170 in 12017"),
        ("val2017", "xval2017x", "x${X}x"),
        ("abcdefghijklmnop", "xabcdefghijklmnopx", "x${X}x"),
    ],
)
def test_an_ordinary_word_is_hidden_where_it_is_a_word(value: str, text: str, shown: str) -> None:
    hide(value, "${X}", secret=False)
    assert redacted(text) == shown


@pytest.mark.parametrize("value", ["train", "2017", "swordfish", "hunter2", "a b c d"])
def test_a_secret_is_hidden_wherever_it_is(value: str) -> None:
    hide(value, "${X}", secret=False)
    hide(value, "${Y}")
    hide(value, "${X}", secret=False)
    assert redacted(f"x{value}x {value!r}") == "x${Y}x '${Y}'"


@pytest.mark.parametrize(
    ("name", "place", "text", "hidden"),
    [
        ("SNELLEN_TEST_SPLIT", "scenes.split", "retraining", False),
        ("SNELLEN_TEST_SPLIT", "x.yaml: subject.arguments.api_key", "retraining", True),
        ("SNELLEN_TEST_SPLIT", "x.yaml: subject.password.0", "retraining", True),
        ("SNELLEN_TEST_PASS", "scenes.split", "retraining", True),
        ("SNELLEN_TEST_DB_KEY", "scenes.split", "retraining", True),
    ],
)
def test_the_name_of_the_variable_or_the_key_makes_a_secret(
    name: str, place: str, text: str, hidden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "train")
    expanded(f"${{{name}}}", place)
    assert redacted(text) == (f"re${{{name}}}ing" if hidden else text)


@settings(max_examples=60)
@given(CHARACTERS, st.lists(CHARACTERS, min_size=1, max_size=3), st.booleans())
def test_a_shell_gets_the_words_of_the_command(value: str, words: list[str], secret: bool) -> None:
    redaction._hidden.clear()
    hide(value, "${SNELLEN_TEST_VALUE}", secret=secret)
    given = [*words, f"--set=a{value}b", value]
    shown = redacted_command(shlex.join(["printf", "%s\\0", *given]))
    if secret:
        assert value not in shown
    done = subprocess.run(
        ["sh", "-c", shown],
        env={"SNELLEN_TEST_VALUE": value},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert done.stdout.decode().split("\0")[:-1] == given


def test_a_reference_that_was_typed_stays_one() -> None:
    """`--set 'subject.model=${MODEL}'` must not be filled in by the shell of the next command."""
    typed = shlex.join(["snellen", "run", "--set", "subject.model=${MODEL}"])
    assert redacted_command(typed) == "snellen run --set 'subject.model=${MODEL}'"
    hide("/data/photos", "${PHOTOS}")
    assert redacted_command(f"{typed} --out /data/photos/x") == (
        "snellen run --set 'subject.model=${MODEL}' --out \"${PHOTOS}\"/x"
    )


def test_the_next_command_of_an_error_can_be_pasted() -> None:
    hide("/data/my photos", "${PHOTOS}")
    error = UserError("/data/my photos: no", next="snellen check '/data/my photos/a.yaml'")
    assert error.lines == ["${PHOTOS}: no", 'Next: snellen check "${PHOTOS}"/a.yaml']


def test_a_command_that_no_shell_can_read_is_redacted_as_text() -> None:
    hide("hush-hush1", "${X}")
    assert redacted_command("say 'hush-hush1") == "say '${X}"
