"""Pictures of findings: as an earlier report kept them, else rebuilt from their recipes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from snellen.errors import SnellenError
from snellen.report.finding_folder import kept
from snellen.report.findings import Finding, prediction
from snellen.report.marks import sides
from snellen.report.overlay import Image
from snellen.report.pictured import Pictured
from snellen.report.reopening import Reopened
from snellen.store.journal import Journal

log = logging.getLogger(__name__)


def pictures_of(
    folder: Path, journal: Journal, chosen: Sequence[Finding], run: Reopened | None
) -> Iterator[Pictured]:
    """The findings whose pictures can be had; why the others can't is logged.

    run: what cases are rebuilt from, or None where there are only kept pictures.
    """
    for finding in chosen:
        try:
            found = kept(folder, finding)
            if found is None and run is not None:
                scene, case = run.scene(finding.scene), run.case(finding)
                found = scene.pixels(), case, run.label(finding.recipe)
            if found is not None:
                yield picture(journal, finding, *found)
        except (SnellenError, OSError) as error:
            log.warning("finding %s has no picture: %s", finding.id, error)


def picture(
    journal: Journal, finding: Finding, before: Image, after: Image, label: str | None
) -> Pictured:
    """A finding of the journal with pictures that are given."""
    old, new = prediction(journal, finding.before), prediction(journal, finding.after)
    assert new is not None
    traits = journal.get("subject")
    marks = sides(finding, old, new, traits["classes"], traits["score"], label)
    return Pictured(finding, before, after, marks, label, (old, new))
