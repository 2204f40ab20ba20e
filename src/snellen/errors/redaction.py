"""What is never shown: the values of keys that name secrets, and values from the environment."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

SECRET = re.compile(
    r"(^|[_-])(tokens?|secrets?|pass(word|wd|phrase|code)s?|credentials?|authorization|bearer"
    r"|cookies?|api[_-]?keys?|(access|private|auth|signing|account)[_-]?keys?)([_-]|$)",
    re.IGNORECASE,
)
"""The keys whose values are secret, by the words in their names: the one list of them."""
NOT_SHOWN = "(not shown)"
SUGGESTIVE = re.compile(r"KEY|PASS|PWD|TOKEN|SECRET|AUTH|CRED|SIGN|PIN(?![A-Z])|PAT(?![A-Z])")
"""What a variable may have in its name that holds a secret, in capitals."""
SHORTEST = 4
"""Characters of a value that is looked for in text: shorter ones occur in any text."""
ORDINARY = re.compile(r"(?=.{0,15}$)[/._: -]*(([^\W\d_]+|\d+)([/._: -]+|$))*", re.DOTALL)
"""Words or numbers of fewer than 16 characters in all, such as `train` or `/data`."""


@dataclass(frozen=True)
class _Hidden:
    """A value as it is looked for, and what is shown in its place."""

    value: re.Pattern[str]
    instead: str
    secret: bool


_hidden: dict[str, _Hidden] = {}
"""What is not shown, by the value."""


def is_secret(key: object) -> bool:
    """Whether a key's value is secret, by its name.

    >>> all(map(is_secret, ["api_key", "hf-token", "apiToken", "PASSWORD", "db_password"]))
    True
    >>> any(map(is_secret, ["tokenizer", "key", "passes", "keypoints", "secretary"]))
    False
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(key))
    return SECRET.search(words) is not None


def may_be_secret(variable: str) -> bool:
    """Whether an environment variable may hold a secret, by its name.

    >>> may_be_secret("DB_PASS"), may_be_secret("hf_token"), may_be_secret("DATA")
    (True, True, False)
    """
    return SUGGESTIVE.search(variable.upper()) is not None


def hide(value: str, instead: str = NOT_SHOWN, *, secret: bool = True) -> None:
    """From now on, show something else wherever this process would show the value.

    secret: whether a name says that it is a secret. An ordinary word that is none is only hidden
    where it stands as a word, or `train` would be hidden in `retraining`.
    """
    if len(value) < SHORTEST:
        return
    for form in (value, repr(value)[1:-1]):
        found = re.escape(form)
        if not secret and ORDINARY.fullmatch(value):
            found = rf"(?<![^\W_]){found}(?![^\W_])"
        if secret or form not in _hidden or not _hidden[form].secret:
            _hidden[form] = _Hidden(re.compile(found), instead, secret)


def redacted(text: str) -> str:
    """The text without hidden values.

    >>> hide("correct horse", "${PHRASE}")
    >>> redacted("refused: 'correct horse'")
    "refused: '${PHRASE}'"
    """
    return "".join(instead or literal for literal, instead in _parts(text))


def redacted_command(command: str) -> str:
    """A command for a POSIX shell without hidden values, which the shell fills in again.

    >>> hide("/mnt/my photos", "${PHOTOS}")
    >>> redacted_command("snellen exam a.onnx '/mnt/my photos/val'")
    'snellen exam a.onnx "${PHOTOS}"/val'
    """
    if redacted(command) == command:
        return command
    try:
        words = shlex.split(command)
    except ValueError:
        return redacted(command)
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    parts = [
        (f'"{instead}"' if instead.startswith("${") else shlex.quote(instead))
        if instead
        else shlex.quote(literal)
        for literal, instead in _parts(word)
    ]
    return "".join(parts) or "''"


def _parts(text: str) -> list[tuple[str, str]]:
    """The text in parts: (what is shown as it is, what is shown instead); one of both is empty."""
    parts = [(text, "")] if text else []
    for value in sorted(_hidden, key=len, reverse=True):  # one may be part of another
        if value in text:
            parts = [one for part in parts for one in _without(_hidden[value], part)]
    return parts


def _without(hidden: _Hidden, part: tuple[str, str]) -> list[tuple[str, str]]:
    if part[1]:
        return [part]
    literals = hidden.value.split(part[0])
    both = [one for literal in literals for one in ((literal, ""), ("", hidden.instead))][:-1]
    return [one for one in both if one != ("", "")]
