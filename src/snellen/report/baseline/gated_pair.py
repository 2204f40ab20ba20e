"""What can be gated against a baseline; anything else is refused with the next command."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from snellen.configuration import read_yaml
from snellen.errors import UserError
from snellen.methods.kind import check_installed, view_of
from snellen.report.comparison.runs import unlike_options
from snellen.store.compared_run import ComparedRun
from snellen.store.journal import journal_of
from snellen.store.run_folder import CONFIG, JOURNAL

BUDGET = ("questions", "explain")
"""Options of the engine that decide which questions are asked."""


@contextmanager
def baseline_run(folder: Path) -> Iterator[ComparedRun]:
    """The finished run of a baseline, open; anything else is refused."""
    if not (folder / JOURNAL).exists():
        raise UserError(
            f"--against {folder}: is not a run folder; it has no {JOURNAL}. Run the old subject "
            f"first: {_command('run', 'CONFIG.yaml', '--out', folder)}"
        )
    with _opened("A", folder) as run:
        if not run.finished:
            done, units = len(run.scenes), run.journal.get("units")
            resumed = _command("run", folder / CONFIG, "--resume", "--out", folder)
            raise UserError(
                f"--against {folder}: the baseline is unfinished, {done} of {units} scenes were "
                f"examined. Finish it: {resumed}"
            )
        yield run


def check_method(base: ComparedRun, method: str, target: Path) -> None:
    """Refuse a target of another method."""
    if method != base.method:
        made = _command("run", target, "--out", f"{base.folder}-{method}")
        raise UserError(
            f"{target}: its method is {method}, that of the baseline {base.folder} is "
            f"{base.method}; their cases are not comparable. Make a baseline of this method with "
            f"the old subject: {made}"
        )


def check_scenes(base: ComparedRun, scenes: Iterable[str], target: Path) -> None:
    """Refuse a target without a scene of the baseline."""
    others = frozenset(scenes)
    if not base.scenes & others:
        made = _command("run", target, "--out", f"{base.folder}-new")
        raise UserError(
            f"{target}: has no scene in common with the baseline {base.folder}; it has "
            f"{len(others)}{_example(others)}, the baseline {len(base.scenes)}"
            f"{_example(base.scenes)}. Make a baseline on these scenes with the old subject: {made}"
        )


def check_run(base: ComparedRun, folder: Path) -> None:
    """Refuse a run folder whose cases are not comparable with the baseline's."""
    with _opened("B", folder) as new:
        check_method(base, new.method, folder)
        check_scenes(base, new.scenes, folder)
        unlike = _incomparable(base, new)
    if unlike:
        again = _command(
            "gate", folder / CONFIG, "--against", base.folder, "--out", f"{folder}-gate"
        )
        raise UserError(
            f"{folder}: differs from the baseline {base.folder} in {', '.join(unlike)}, so that "
            f"the cases differ too. Run its subject as the baseline was run: {again}"
        )


def _incomparable(base: ComparedRun, new: ComparedRun) -> list[str]:
    """What makes the cases of two runs differ, besides the subject."""
    seeds = base.journal.get("seed"), new.journal.get("seed")
    found = [f"seed ({seeds[0]} and {seeds[1]})"] if seeds[0] != seeds[1] else []
    found += ["objects"] if base.unlike(new, "objects") else []
    ignored = view_of(base.method).comparison.ignored_options
    found += [f"{base.method}.{name}" for name in unlike_options(base, new, ignored)]
    budget = base.unlike(new, "engine")
    return found + [f"engine.{name}" for name in BUDGET if name in budget]


@contextmanager
def _opened(letter: str, folder: Path) -> Iterator[ComparedRun]:
    with closing(journal_of(folder)) as journal:
        check_installed(journal.get("method"), folder)
        yield ComparedRun(letter, folder, journal, read_yaml(folder / CONFIG))


def _example(scenes: frozenset[str]) -> str:
    return f" (such as '{min(scenes)}')" if scenes else ""


def _command(*words: object) -> str:
    return shlex.join(["snellen", *map(str, words)])
