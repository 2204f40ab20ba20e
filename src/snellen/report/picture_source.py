"""Pictures of findings: from an earlier report, else rebuilt from their recipes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from snellen.errors import SnellenError
from snellen.methods.view import RunRecord, View
from snellen.pages.finding_pictures import AnsweredFinding, FindingPicture
from snellen.report.finding_folder import kept
from snellen.store.findings import Finding, prediction
from snellen.store.journal import Journal
from snellen.subjects.subject import Task

log = logging.getLogger(__name__)


def pictures_of(
    folder: Path, record: RunRecord, chosen: Sequence[Finding], view: View
) -> Iterator[FindingPicture]:
    """The findings that can be pictured; the reason for the others is logged.

    Where the run can't be reopened there are only stored pictures.
    """
    journal, run = record.journal, record.run
    cards = view.card(Task(journal.get("subject")["task"]))
    for finding in chosen:
        try:
            found = kept(folder, finding, cards)
            if found is None and run is not None:
                found = cards.rebuilt(run, journal, finding)
            if found is not None:
                yield found.drawn(answered(journal, finding, view))
        except (SnellenError, OSError) as error:
            log.warning("finding %s has no picture: %s", finding.id, error)


def answered(journal: Journal, finding: Finding, view: View) -> AnsweredFinding:
    """A finding with the answers of the run."""
    before, after = prediction(journal, finding.before), prediction(journal, finding.after)
    assert after is not None
    traits = journal.get("subject")
    return AnsweredFinding(
        finding, (before, after), traits["classes"], traits["score"], view.facts(finding), journal
    )
