"""Errors that are shown to the user, each with its exit code.

A message names the file, the field, what was found and what was expected, and ends with the next
step. Any other exception is a bug in Snellen and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

FINE = 0
VIOLATED = 1
MISTAKE = 2
NO_VERDICT = 3
INTERRUPTED = 130


class SnellenError(Exception):
    """Base class of errors that end a command with a message instead of a traceback."""

    exit_code = NO_VERDICT


class UserError(SnellenError):
    """The user's input is invalid: a file, a field or an option."""

    exit_code = MISTAKE


class MissingExtraError(UserError):
    """An optional library is not installed; the message names the extra that provides it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra '{extra}', which is not installed. "
            f"Install it with: pip install 'snellen[{extra}]'"
        )


class SubjectError(SnellenError):
    """The subject failed: it raised, hung, died or returned an invalid answer."""


def nearest(found: str, valid: Iterable[str]) -> str:
    """A clause such as `; did you mean 'scenes'?`, or the list of valid names.

    >>> nearest("secnes", ["scenes", "subject"])
    "; did you mean 'scenes'?"
    >>> nearest("zzz", ["scenes", "subject"])
    '; valid names: scenes, subject'
    """
    names = sorted(valid)
    close = get_close_matches(found, names, n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else f"; valid names: {', '.join(names)}"
