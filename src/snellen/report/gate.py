"""The gate: one exit code, and one line per requirement of a run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import write_atomically
from snellen.disk.writable import is_writable
from snellen.engine.campaign import load_campaign
from snellen.errors import FINE, NO_VERDICT, VIOLATED, UserError
from snellen.methods.kind import check_installed, view_of
from snellen.methods.view import View
from snellen.pages.requirement_table import ORDER
from snellen.report.failure_limit import limited_failures
from snellen.report.junit import junit
from snellen.report.report import JUNIT
from snellen.report.summary import summary_of_folder
from snellen.report.verdict.verdict_status import unsettled
from snellen.report.verdict.verdict_words import unconfirmed_words
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.findings import findings
from snellen.store.opened_journal import opened_journal
from snellen.store.run_folder import CONFIG, SUMMARY
from snellen.store.summary import RequirementVerdict, Summary, UnitCounts

NO_REQUIREMENTS = "checks no requirements, so there is nothing to gate on"


@dataclass(frozen=True)
class Gate:
    """The result of a gate. code: 0 if every requirement is met, 1 if one is violated, else 3.

    missing: reasons why the run can't pass in any case, such as scenes that ended in an error: a
    subject that fails on hard cases would be judged on the easy ones.
    """

    requirements: tuple[RequirementVerdict, ...]
    missing: tuple[str, ...] = ()

    def of(self, status: LossStatus) -> list[RequirementVerdict]:
        """The requirements with a status."""
        return [one for one in self.requirements if one.status == status]

    @property
    def code(self) -> int:
        """The exit code. Only a complete run that meets every requirement passes."""
        if self.of(LossStatus.VIOLATED):
            return VIOLATED
        met = len(self.of(LossStatus.SATISFIED)) == len(self.requirements) > 0
        return FINE if met and not self.missing else NO_VERDICT

    @property
    def word(self) -> str:
        """The verdict in words."""
        return {FINE: "passed", VIOLATED: "failed", NO_VERDICT: "no verdict"}[self.code]

    def lines(self) -> list[str]:
        """One line per requirement, worst first, then `missing` and the verdict."""
        order = ORDER
        lines = [
            f"{one.status:<10} {one.name}: {one.says}"
            for status in order
            for one in self.of(status)
        ]
        counts = ", ".join(f"{len(self.of(status))} {status}" for status in reversed(order))
        end = [f"gate: {self.word} ({counts})"] if self.requirements else [f"gate: {self.word}"]
        return [*lines, *self.missing, *end]

    def to_json(self) -> dict[str, Any]:
        """The same for a machine."""
        return {
            "gate": self.word,
            "exit_code": self.code,
            "missing": list(self.missing),
            "requirements": [one.to_json() for one in self.requirements],
        }


def gate_of(
    summary: Summary,
    folder: Path,
    *,
    finished: bool = True,
    further: Sequence[RequirementVerdict] = (),
) -> Gate:
    """The gate of a run's summary.

    finished: whether the run is complete. further: requirements besides those of the run.
    """
    wanted, units = (*summary.requirements, *further), summary.units
    none = () if wanted else (f"the run {NO_REQUIREMENTS}",)
    left = incomplete(units, folder, finished=finished, errors=units.errors)
    open_failures = (unconfirmed_words(summary),) if unsettled(summary) else ()
    return Gate(wanted, (*none, *left, *open_failures))


def incomplete(units: UnitCounts, folder: Path, *, finished: bool, errors: int) -> tuple[str, ...]:
    """Why a run can't pass: scenes that ended in an error or were not examined, one line each."""
    again = f"Examine them with: snellen run {folder / CONFIG} --resume --retry-errors"
    missing = []
    if errors:
        missing.append(f"{errors} of {units.total} scenes ended in an error. {again}")
    if not finished and units.left_out:
        missing.append(
            f"incomplete: {units.left_out} of {units.total} scenes not examined. {again}"
        )
    return tuple(missing)


def gated(folder: Path, at_most: float | None = None) -> Gate:
    """The gate of the run in a folder; also rewrites its summary and `junit.xml` if it can.

    at_most: a limit on the failure rate, besides the run's requirements. The page with its
    pictures is left unchanged: `snellen report` writes it.
    """
    with opened_journal(folder) as journal:
        check_installed(journal.get("method"), folder)
        summary = summary_of_folder(folder, journal)
        limits = [] if at_most is None else [limited_failures(journal, at_most)]
        finished = journal.get("finished") is not None
        gate = gate_of(summary, folder, finished=finished, further=limits)
        if is_writable(folder, f"{SUMMARY} and {JUNIT}"):
            summary.write(folder)
            text = junit(journal, summary, findings(journal), gate.requirements if limits else ())
            write_atomically(folder / JUNIT, text.encode(errors="backslashreplace"))
        return gate


def check_gate(target: Path, overrides: Sequence[str] = ()) -> None:
    """Refuse a configuration or run folder without requirements; nothing is run."""
    if target.is_dir():
        required(target)
        return
    campaign = load_campaign(target, overrides)
    view = view_of(campaign.method)
    # A method may have requirements whose names it only knows after a run.
    unknown = type(view).tests is not View.tests and type(view).planned_tests is View.planned_tests
    if not unknown and not view.planned_tests(campaign.method_options, campaign.folder):
        raise _nothing(target)


def required(target: Path) -> tuple[str, ...]:
    """The names of the requirements of a configuration or a run folder.

    Nothing is run. A target without any is an error.
    """
    names = _of_run(target) if target.is_dir() else _of_configuration(target)
    if not names:
        raise _nothing(target)
    return names


def _nothing(target: Path) -> UserError:
    return UserError(
        f"{target}: {NO_REQUIREMENTS}. Gate it against a run of the old subject with "
        "--against RUN, or limit its failure rate.",
        next=f"snellen gate {shlex.quote(str(target))} --at-most 0.05",
    )


def _of_run(folder: Path) -> tuple[str, ...]:
    with opened_journal(folder) as journal:
        check_installed(journal.get("method"), folder)
        return view_of(journal.get("method")).recorded_tests(journal)


def _of_configuration(path: Path) -> tuple[str, ...]:
    campaign = load_campaign(path)
    return view_of(campaign.method).planned_tests(campaign.method_options, campaign.folder)
