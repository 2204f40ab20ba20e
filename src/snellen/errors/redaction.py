"""What is never shown: the values of keys that name secrets, and values from the environment."""

from __future__ import annotations

import re

SECRET = re.compile(
    r"(^|[_-])(tokens?|secrets?|pass(word|wd|phrase|code)s?|credentials?|authorization|bearer"
    r"|cookies?|api[_-]?keys?|(access|private|auth|signing|account)[_-]?keys?)([_-]|$)",
    re.IGNORECASE,
)
"""The keys whose values are secret, by the words in their names: the one list of them."""
NOT_SHOWN = "(not shown)"
SHORTEST = 4
"""Characters of a value that is looked for in text: shorter ones occur in any text."""

_hidden: dict[str, str] = {}
"""What is shown in place of a value, by the value."""


def is_secret(key: object) -> bool:
    """Whether a key's value is secret, by its name.

    >>> all(map(is_secret, ["api_key", "hf-token", "apiToken", "PASSWORD", "db_password"]))
    True
    >>> any(map(is_secret, ["tokenizer", "key", "passes", "keypoints", "secretary"]))
    False
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(key))
    return SECRET.search(words) is not None


def hide(value: str, instead: str = NOT_SHOWN) -> None:
    """From now on, show something else wherever this process would show the value."""
    if len(value) >= SHORTEST:
        _hidden[value] = instead
        _hidden[repr(value)[1:-1]] = instead


def redacted(text: str) -> str:
    """The text without hidden values.

    >>> hide("correct horse", "${PHRASE}")
    >>> redacted("refused: 'correct horse'")
    "refused: '${PHRASE}'"
    """
    for value in sorted(_hidden, key=len, reverse=True):  # one may be part of another
        text = text.replace(value, _hidden[value])
    return text
