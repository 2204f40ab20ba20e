"""The gate of a new run against a baseline: one exit code, and a verdict for each number."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.disk.json_values import finite_or_none
from snellen.errors import FINE, NO_VERDICT, VIOLATED, UserError
from snellen.report.baseline.gated_number import ChangeStatus, GatedNumber, gated_numbers
from snellen.report.baseline.gated_pair import baseline_run, check_run
from snellen.report.baseline.new_fault import NewFault, new_faults
from snellen.report.comparison.comparison import Comparison, compared
from snellen.report.gate import incomplete
from snellen.report.summary import summary_of_folder
from snellen.report.verdict.verdict_status import unsettled
from snellen.report.verdict.verdict_words import unconfirmed_words
from snellen.store.compared_run import ComparedRun
from snellen.store.journal import journal_of

MARGIN = 0.01


@dataclass(frozen=True)
class GateRules:
    """What a gate against a baseline tolerates.

    margin: how much worse a number may be, as a share. strict: whether an undecided number fails.
    no_new_faults: whether a new fault that is a fact fails.
    """

    margin: float = MARGIN
    strict: bool = False
    no_new_faults: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.margin < 1:
            raise UserError(
                f"--margin {self.margin:g}: expected a share of at least 0 and below 1, such as "
                "0.01 for one percentage point. Pass, for example: --margin 0.01"
            )


@dataclass(frozen=True, eq=False)
class BaselineGate:
    """The result of a gate against a baseline.

    comparison: A is the baseline, B the new run. folder: the new run's. missing: why the gate
    can't pass in any case, such as scenes that ended in an error. replaced: keys of the
    configuration for which the baseline's were taken.
    """

    comparison: Comparison
    numbers: tuple[GatedNumber, ...]
    faults: tuple[NewFault, ...]
    rules: GateRules
    folder: Path
    missing: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()

    def of(self, status: ChangeStatus) -> list[GatedNumber]:
        """The numbers with a verdict."""
        return [one for one in self.numbers if one.status is status]

    @property
    def forbidden(self) -> list[NewFault]:
        """The new faults that fail the gate."""
        return [one for one in self.faults if one.fact] if self.rules.no_new_faults else []

    @property
    def worse(self) -> bool:
        """Whether it fails because something got worse, not because something is undecided."""
        return bool(self.of(ChangeStatus.WORSE) or self.forbidden)

    @property
    def code(self) -> int:
        """The exit code. Without a number that has data there is no verdict."""
        if self.worse:
            return VIOLATED
        if self.missing or not any(one.known for one in self.numbers):
            return NO_VERDICT
        return VIOLATED if self.rules.strict and self.of(ChangeStatus.UNDECIDED) else FINE

    @property
    def word(self) -> str:
        """The verdict in words."""
        return {FINE: "passed", VIOLATED: "failed", NO_VERDICT: "no verdict"}[self.code]

    def lines(self) -> list[str]:
        """The gate for the terminal."""
        from snellen.report.baseline.gate_words import lines

        return lines(self)

    def to_json(self) -> dict[str, Any]:
        """The same for a machine."""
        values = {
            "gate": self.word,
            "exit_code": self.code,
            "margin": self.rules.margin,
            "missing": list(self.missing),
            "numbers": [one.to_json() for one in self.numbers],
            "new_faults": [one.to_json(self.folder) for one in self.faults],
            "replaced": list(self.replaced),
            "comparison": self.comparison.to_json(),
        }
        return dict(finite_or_none(values))


def gated_against(
    folder: Path, base: Path, rules: GateRules | None = None, replaced: tuple[str, ...] = ()
) -> BaselineGate:
    """The gate of the run in a folder against the run in `base`; nothing is written."""
    rules = rules or GateRules()
    with baseline_run(base) as old:
        check_run(old, folder)
        found = compared(base, folder)
        with closing(journal_of(folder)) as journal:
            faults = new_faults(found.faults.new, journal, old.journal)
            missing = _missing(folder, old)
    numbers = gated_numbers(found.numbers(), rules.margin)
    return BaselineGate(found, numbers, faults, rules, folder, missing, replaced)


def _missing(folder: Path, base: ComparedRun) -> tuple[str, ...]:
    """Why the new run can't pass: it is unfinished, or scenes failed that the baseline has."""
    with closing(journal_of(folder)) as journal:
        new = ComparedRun("B", folder, journal, {})
        summary = summary_of_folder(folder, journal)
        errors = len(new.failed & base.scenes)
        left = incomplete(summary.units, folder, finished=new.finished, errors=errors)
        return (*left, unconfirmed_words(summary)) if unsettled(summary) else left
