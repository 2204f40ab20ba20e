"""Values and messages as they are shown: short, and in characters that every terminal can print."""

from __future__ import annotations

import reprlib
from typing import Any

from snellen.errors.plain_text import escaped

LENGTH = 4_000
"""Characters of a message; what a file holds may be as long as the file."""
TAIL = 800

_short = reprlib.Repr()
_short.maxlevel, _short.maxlong = 3, 60
_short.maxstring = _short.maxother = 300
_short.maxlist = _short.maxtuple = _short.maxset = 20
_short.maxdict = 8


def shown(value: Any) -> str:
    """`repr` of a value from a file, without the middle of what is long or deep.

    >>> shown([1.5, "a"]), shown([[[[1]]]])
    ("[1.5, 'a']", '[[[...]]]')
    """
    try:
        return _short.repr(value)
    except ValueError:  # a whole number of more digits than Python converts
        return f"<{type(value).__name__} of more digits than can be shown>"


def printable(message: str) -> str:
    r"""A message with the middle of a very long one left out, and halves of pairs escaped.

    >>> printable("a file \ud800"), len(printable("x" * 10_000))
    ('a file \\ud800', 4041)
    """
    if len(message) > LENGTH:
        left = len(message) - LENGTH
        gap = f" ... ({left:,} characters are left out) ... "
        message = message[: LENGTH - TAIL] + gap + message[-TAIL:]
    return escaped(message)
