"""A run folder as the views of its findings need it: read on demand, rebuilt on demand."""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

from snellen.methods.kind import view_of
from snellen.methods.view import RunRecord
from snellen.pages.finding_pictures import FindingPicture
from snellen.report.picture_source import pictures_of
from snellen.report.reopened_run import Reopened, reopened, reopened_if_possible
from snellen.report.summary import summary_of_folder
from snellen.report.verdict.fault_summary import ranked_faults
from snellen.store.faults import Fault
from snellen.store.findings import Finding, findings, prediction
from snellen.store.opened_journal import opened_journal
from snellen.store.run_folder import SUMMARY
from snellen.store.summary import Summary
from snellen.subjects.subject import Prediction


class RunSource:
    """What a run folder holds; the journal is open only while it is read.

    alive: objects that must live as long as the run, such as a subject of this process.
    """

    def __init__(self, folder: Path, alive: tuple[Any, ...] = ()) -> None:
        self.folder = folder
        self._alive = alive
        with opened_journal(folder) as journal:
            self.method: str = journal.get("method")
            self.traits: dict[str, Any] = journal.get("subject")

    @cached_property
    def summary(self) -> Summary:
        """The numbers in `summary.json`; computed where that is missing or of another version."""
        try:
            text = (self.folder / SUMMARY).read_text(encoding="utf-8")
            return Summary.model_validate_json(text)
        except (OSError, ValueError):  # no text, or not a summary of this version
            with opened_journal(self.folder) as journal:
                return summary_of_folder(self.folder, journal)

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings in the method's order, worst first."""
        with opened_journal(self.folder) as journal:
            return findings(journal, view_of(self.method).rank)

    @cached_property
    def faults(self) -> list[Fault]:
        """The faults, proven ones first, each worst first."""
        with opened_journal(self.folder) as journal:
            return ranked_faults(journal)

    @cached_property
    def opened(self) -> Reopened:
        """Scenes, objects and method, to rebuild cases; the subject is not opened."""
        stack = ExitStack()
        with opened_journal(self.folder) as journal:
            found = stack.enter_context(reopened(self.folder, journal))
        weakref.finalize(self, stack.close)
        return found

    def predictions(self, finding: Finding) -> tuple[Prediction | None, Prediction]:
        """The recorded answers before, None without a baseline, and after."""
        with opened_journal(self.folder) as journal:
            before, after = (prediction(journal, one) for one in (finding.before, finding.after))
        assert after is not None
        return before, after

    def picture(self, finding: Finding) -> FindingPicture | None:
        """The finding drawn, as in the report; None if it can be neither read nor rebuilt."""
        with (
            opened_journal(self.folder) as journal,
            reopened_if_possible(self.folder, journal) as run,
        ):
            record = RunRecord.of(journal, run)
            return next(pictures_of(self.folder, record, [finding], view_of(self.method)), None)
