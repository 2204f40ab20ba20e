"""A run folder's journal opened for reading, with damage explained where it is noticed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from snellen.disk.json_text import checked_json
from snellen.errors import UserError
from snellen.errors.excerpt import shown
from snellen.store.journal import Journal, journal_of
from snellen.store.journal_format.journal_file import AGAIN
from snellen.store.manifests.unit_manifest import unit_names
from snellen.subjects.subject import Task

FACTS: Mapping[str, Any] = {
    "snellen_version": str, "method": str, "seed": int, "campaign": str, "subject": dict,
    "scenes": int, "skipped": list, "units": int, "facts": dict,
}  # fmt: skip
"""The types of the facts of a run that every journal has."""
TRAITS: Mapping[str, Any] = {
    "name": str, "task": str, "classes": list, "fingerprint": str, "score": (int, float),
    "deterministic": bool, "tolerance": (int, float),
}  # fmt: skip


@contextmanager
def opened_journal(folder: Path) -> Iterator[Journal]:
    """The journal of a run folder, closed at the end of the block.

    Checksums are not computed for every reading; but what fails on rows that are not the ones that
    were written, or on a damaged file, ends in an error that says so.
    """
    with closing(journal_of(folder)) as journal:
        check_facts(journal)
        try:
            yield journal
        except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError,
                TypeError, ValueError) as error:  # fmt: skip
            damaged = journal.damaged()
            if not damaged:
                _check_structure(journal, error)
                raise
            raise UserError(
                f"{journal.path}: the rows of {unit_names(journal, damaged)} are not the ones that "
                f"were written ({type(error).__name__}: {shown(str(error))}). {AGAIN}"
            ) from error


def _check_structure(journal: Journal, error: Exception) -> None:
    """An error if the file itself is damaged, such as an index that lost a fact that is there."""
    [(structure,), *_] = journal.rows("PRAGMA integrity_check(1)")
    if structure != "ok":
        raise UserError(
            f"{journal.path}: is damaged: {shown(str(structure))} ({type(error).__name__}). {AGAIN}"
        ) from error


def check_facts(journal: Journal) -> None:
    """An error if a fact of the run is not what every run has."""
    values = {}
    for key, text in journal.rows("SELECT key, value FROM run"):
        try:
            values[key] = checked_json(text)
        except (ValueError, TypeError) as error:
            raise _damaged_fact(journal, key, str(error)) from None
    for key, kind in FACTS.items():
        if key in values and not _is(values[key], kind):
            raise _damaged_fact(journal, key, f"found {shown(values[key])}")
    if "method" not in values or "subject" not in values:
        raise UserError(
            f"{journal.path}: has no record of a run: it was stopped before it started, or the "
            f"file is damaged. {AGAIN}"
        )
    for key, kind in TRAITS.items():
        if not _is(values["subject"].get(key), kind):
            raise _damaged_fact(journal, f"subject.{key}", shown(values["subject"].get(key)))
    if values["subject"]["task"] not in [one.value for one in Task]:
        raise _damaged_fact(journal, "subject.task", shown(values["subject"]["task"]))


def _is(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _damaged_fact(journal: Journal, key: str, why: str) -> UserError:
    return UserError(f"{journal.path}: the fact '{key}' of the run is damaged: {why}. {AGAIN}")
