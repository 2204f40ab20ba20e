"""What a gate against a baseline leaves behind: its page, JUnit file and Markdown summary."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from snellen.disk.atomic_file import write_atomically
from snellen.disk.writable import is_writable
from snellen.errors import UserError
from snellen.report.baseline import gate_words as words
from snellen.report.baseline.baseline_gate import BaselineGate
from snellen.report.baseline.fault_pictures import pictured_faults
from snellen.report.baseline.gate_markdown import gate_markdown
from snellen.report.baseline.gate_page import gate_page
from snellen.report.baseline.gated_number import ChangeStatus, GatedNumber
from snellen.report.junit import junit
from snellen.report.report import JUNIT
from snellen.report.summary import summary_of_folder
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from snellen.store.run_folder import SUMMARY
from snellen.store.summary import RequirementVerdict

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
STATUSES = {
    ChangeStatus.WORSE: LossStatus.VIOLATED,
    ChangeStatus.UNDECIDED: LossStatus.UNDECIDED,
    ChangeStatus.NOT_WORSE: LossStatus.SATISFIED,
}


def write_gate(gate: BaselineGate) -> Path:
    """Write `gate.html`, `junit.xml`, `summary.json` and pictures to the new run's folder.

    The page's path. Nothing is written to a folder that is read-only.
    """
    folder, base = gate.folder, gate.comparison.subjects[0].folder
    if not is_writable(folder, f"{words.PAGE}, {JUNIT} and {SUMMARY}"):
        return folder / words.PAGE
    pictured = pictured_faults(folder, base, gate.faults)
    with closing(journal_of(folder)) as journal:
        summary = summary_of_folder(folder, journal)
        summary.write(folder)
        text = junit(journal, summary, findings(journal), gate_tests(gate), "worse by")
        write_atomically(folder / JUNIT, text.encode(errors="backslashreplace"))
    write_atomically(
        folder / words.PAGE, gate_page(gate, pictured).encode(errors="backslashreplace")
    )
    return folder / words.PAGE


def check_markdown(path: Path) -> None:
    """Refuse a file that can't be written."""
    if path.is_dir() or not path.parent.is_dir():
        raise UserError(
            f"--markdown {path}: is not a file in a folder that exists. Pass, for example: "
            "--markdown gate.md"
        )


def write_markdown(gate: BaselineGate, path: Path) -> None:
    """Write the summary to a file; the one that GitHub's steps share is added to."""
    text, shared = gate_markdown(gate), os.environ.get(STEP_SUMMARY)
    if shared and path == Path(shared):
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    else:
        write_atomically(path, text.encode(errors="backslashreplace"))


def gate_tests(gate: BaselineGate) -> list[RequirementVerdict]:
    """One test for each number, and one for new faults if they are forbidden."""
    tests = [_test(one, strict=gate.rules.strict) for one in gate.numbers]
    if gate.rules.no_new_faults:
        found = [words.new_fault_words(one) for one in gate.forbidden]
        status = LossStatus.VIOLATED if found else LossStatus.SATISFIED
        says = "; ".join(found) or "no new fault"
        tests.append(
            RequirementVerdict(
                name="no new faults",
                status=status,
                value=len(found),
                low=None,
                high=None,
                says=says,
            )
        )
    return tests


def _test(one: GatedNumber, *, strict: bool) -> RequirementVerdict:
    found, status = one.worse_by, STATUSES[one.status]
    if strict and status is LossStatus.UNDECIDED:
        status = LossStatus.VIOLATED
    return RequirementVerdict(
        name=one.number.name,
        status=status,
        value=found.value if one.known else None,
        low=found.low if one.known else None,
        high=found.high if one.known else None,
        says=f"{one.status.value}: {words.says(one)}",
    )
