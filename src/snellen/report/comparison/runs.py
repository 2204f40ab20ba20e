"""The two compared runs: what they share, and how they differ besides the subject."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from snellen.configuration import read_yaml
from snellen.errors import UserError
from snellen.store.compared_run import ComparedRun
from snellen.store.opened_journal import opened_journal
from snellen.store.run_folder import CONFIG


@contextmanager
def opened_pair(first: Path, second: Path) -> Iterator[tuple[ComparedRun, ComparedRun]]:
    """Both runs, which must have the same method and common scenes."""
    with ExitStack() as stack:
        a, b = (
            ComparedRun(
                letter,
                folder,
                stack.enter_context(opened_journal(folder)),
                read_yaml(folder / CONFIG),
            )
            for letter, folder in (("A", first), ("B", second))
        )
        _check(a, b)
        yield a, b


def _check(a: ComparedRun, b: ComparedRun) -> None:
    if a.method != b.method:
        raise UserError(
            f"{a.folder} is a run of method {a.method}, {b.folder} of {b.method}; their cases are "
            "not comparable. Compare two runs of one method.",
            next="snellen docs compare",
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
    """How the runs differ besides the subject, one sentence each.

    ignored: options of the method that may differ.
    """
    common = len(a.scenes & b.scenes)
    warnings = [
        f"{one.letter} examined {len(one.scenes)} scenes; the {common} common ones are compared"
        for one in (a, b)
        if len(one.scenes) > common
    ]
    warnings += [
        f"{count} scenes of {one.letter} ended in an error and are not compared"
        for one in (a, b)
        if (count := len(one.failed))
    ]
    seeds = a.journal.get("seed"), b.journal.get("seed")
    if seeds[0] != seeds[1]:
        warnings.append(f"the seeds differ, {seeds[0]} and {seeds[1]}, so the cases differ too")
    warnings += [
        f"the {key} are read from different places or in different ways; scenes are paired by id"
        if key == "scenes"
        else f"the {key} differ, so the cases differ too"
        for key in ("scenes", "objects")
        if a.unlike(b, key)
    ]
    unlike = unlike_options(a, b, ignored)
    warnings += [f"options of method {a.method} differ: {', '.join(unlike)}"] if unlike else []
    if a.subject["fingerprint"] == b.subject["fingerprint"]:
        warnings.append("both runs have the same subject with the same settings")
    return warnings


def unlike_options(a: ComparedRun, b: ComparedRun, ignored: frozenset[str]) -> list[str]:
    """The options of the method that differ; ignored: those that may."""
    return [name for name in a.unlike(b, a.method) if name not in ignored]
