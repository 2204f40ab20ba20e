"""Text of any origin as text that every file, terminal and page can hold."""

from __future__ import annotations

import traceback

LONGEST = 10_000
"""Characters of an exception's message that are kept."""


def escaped(text: str) -> str:
    r"""The text, with what UTF-8 cannot represent as backslash escapes.

    Names of files that are not UTF-8 come as lone surrogates, and a subject may send some.

    >>> escaped("caf\udce9.png")
    'caf\\udce9.png'
    >>> escaped("café")
    'café'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def message_of(error: BaseException) -> str:
    """The message of an exception of any kind, escaped; a very long one is cut."""
    try:
        text = str(error)
    except Exception as failure:  # of the user's own `__str__`
        text = f"(its message cannot be read: {type(failure).__name__})"
    more = f"... ({len(text) - LONGEST} more characters)" if len(text) > LONGEST else ""
    return escaped(text[:LONGEST]) + more


def error_words(error: BaseException) -> str:
    """An exception's type and message.

    >>> error_words(ValueError("no boxes"))
    'ValueError: no boxes'
    >>> error_words(SystemExit())
    'SystemExit'
    """
    text = message_of(error)
    return escaped(type(error).__name__) + (f": {text}" if text else "")


def describe_error(error: BaseException) -> str:
    """An exception's type, message, and the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({escaped(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return f"{error_words(error)}{place}"
