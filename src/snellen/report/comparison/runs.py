"""The two runs that are compared: what they share, and what makes them differ but the subject."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from snellen.configuration import read_yaml
from snellen.errors import UserError
from snellen.store.compared_run import ComparedRun
from snellen.store.journal import journal_of
from snellen.store.run_folder import CONFIG


@contextmanager
def opened_pair(first: Path, second: Path) -> Iterator[tuple[ComparedRun, ComparedRun]]:
    """Both runs, which must be of one method and share scenes."""
    with ExitStack() as stack:
        a, b = (
            ComparedRun(
                letter,
                folder,
                stack.enter_context(closing(journal_of(folder))),
                read_yaml(folder / CONFIG),
            )
            for letter, folder in (("A", first), ("B", second))
        )
        _check(a, b)
        yield a, b


def _check(a: ComparedRun, b: ComparedRun) -> None:
    if a.method != b.method:
        raise UserError(
            f"{a.folder} is a run of method {a.method}, {b.folder} of {b.method}; their cases have "
            "nothing in common. Compare two runs of one method."
        )
    if not a.scenes & b.scenes:
        raise UserError(
            f"{a.folder} and {b.folder} have no scene in common: {len(a.scenes)} and "
            f"{len(b.scenes)} scenes were examined, {_some(a.scenes)} and {_some(b.scenes)}. "
            "Run both subjects on the same scenes."
        )


def _some(scenes: frozenset[str]) -> str:
    return f"such as '{min(scenes)}'" if scenes else "none"


def differences(a: ComparedRun, b: ComparedRun, ignored: frozenset[str]) -> list[str]:
    """What differs between the runs beside the subject, a sentence each.

    ignored: options of the method that may differ.
    """
    common = len(a.scenes & b.scenes)
    told = [
        f"{one.letter} examined {len(one.scenes)} scenes; the {common} that both did are compared"
        for one in (a, b)
        if len(one.scenes) > common
    ]
    told += [
        f"{count} scenes of {one.letter} ended in an error and are left out of the comparison"
        for one in (a, b)
        if (count := _errors(one))
    ]
    seeds = a.journal.get("seed"), b.journal.get("seed")
    if seeds[0] != seeds[1]:
        told.append(f"the seeds differ, {seeds[0]} and {seeds[1]}, so that the cases do")
    told += [
        f"the {key} are read from different places or in different ways; scenes are paired by id"
        if key == "scenes"
        else f"the {key} differ, so that the cases do"
        for key in ("scenes", "objects")
        if a.data(key) != b.data(key)
    ]
    unlike = sorted(
        key
        for key in {*a.options, *b.options} - ignored
        if a.options.get(key) != b.options.get(key)
    )
    told += [f"options of method {a.method} differ: {', '.join(unlike)}"] if unlike else []
    if a.subject["fingerprint"] == b.subject["fingerprint"]:
        told.append("both runs are of the same subject, to the last setting")
    return told


def _errors(run: ComparedRun) -> int:
    [(count,)] = run.journal.rows("SELECT count(*) FROM units WHERE status = 'error'")
    return int(count)
