"""Errors that are shown to the user, each with its exit code.

A message names the file, the field, what was found and what was expected, and ends with the next
step: a command, as a note of the exception, which the command line and Python's own traceback show
on a line of its own. Any other exception is a bug in Snellen and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

from snellen.errors.excerpt import printable
from snellen.errors.installation import install_command
from snellen.errors.redaction import redacted, redacted_command

FINE = 0
VIOLATED = 1
MISTAKE = 2
NO_VERDICT = 3
INTERRUPTED = 130
TERMINATED = 143
NEXT = "Next: "


class SnellenError(Exception):
    """Base class of errors that end a command with a message instead of a traceback.

    next: the command that helps, such as `snellen docs scenes`.
    """

    exit_code = NO_VERDICT

    def __init__(self, message: str = "", *, next: str = "") -> None:
        super().__init__(printable(redacted(message)))
        if next:
            self.add_note(f"{NEXT}{next}")

    def add_note(self, note: str) -> None:
        """Add a line after the message; a command after `Next: ` can be pasted into a shell."""
        start, command = note.partition(NEXT)[1:]
        shown = redacted(note)
        if note.startswith(NEXT) and "\n" not in note:
            shown = start + redacted_command(command)
        super().add_note(shown)

    @property
    def lines(self) -> list[str]:
        """The message, then the next step if there is one."""
        return [str(self), *getattr(self, "__notes__", [])]


class UserError(SnellenError):
    """The user's input is invalid: a file, a field or an option."""

    exit_code = MISTAKE


class UntrustedError(UserError):
    """A folder that the user did not write on this machine names code that would be run."""


class MissingExtraError(UserError):
    """An optional library is not installed; the message names the extra that provides it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra '{extra}', which is not installed. "
            f"Install it with: {install_command(extra)}"
        )
        self._given = what, extra

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        """What a copy in another process is made from."""
        return type(self), self._given


class SubjectError(SnellenError):
    """The subject failed: it raised, hung, died or returned an invalid answer."""


class SubjectGoneError(SnellenError):
    """The subject ended and cannot be started again, so that no question can be answered."""


@contextmanager
def next_step(command: str) -> Iterator[None]:
    """Add the next command to an error that names none."""
    try:
        yield
    except SnellenError as error:
        other = isinstance(error, MissingExtraError | UntrustedError)
        if not other and len(error.lines) == 1:
            error.add_note(f"{NEXT}{command}")
        raise


@contextmanager
def in_section(where: str) -> Iterator[None]:
    """Put the file in front of an error that starts with the name of its section.

    where: file and section, such as `snellen.yaml: scenes`.
    """
    try:
        yield
    except SnellenError as error:
        file, colon, section = where.rpartition(": ")
        if colon and str(error).startswith(f"{section}.") and error.args:
            error.args = (f"{file}: {error.args[0]}", *error.args[1:])
        raise


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
