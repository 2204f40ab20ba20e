"""Pictures of findings: as an earlier report kept them, else rebuilt from their recipes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from snellen.errors import SnellenError
from snellen.methods.combinations.composites import composite_lines, diagnosis_of, smallest_part
from snellen.pages.finding_pictures import Part, Pictured, Solid
from snellen.pages.marks import is_composed, object_marks
from snellen.pages.solids.solid_marks import marks_of, solid_marks
from snellen.report.finding_folder import Kept, kept
from snellen.report.reopened_run import Reopened
from snellen.report.solid_rebuild import rebuilt_solid
from snellen.store.findings import Finding, prediction
from snellen.store.journal import Journal
from snellen.subjects.subject import Task

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
                found = _rebuilt(journal, finding, run)
            if found is not None:
                yield picture(journal, finding, found)
        except (SnellenError, OSError) as error:
            log.warning("finding %s has no picture: %s", finding.id, error)


def _rebuilt(journal: Journal, finding: Finding, run: Reopened) -> Kept:
    if run.subject.task == Task.DETECTION_3D:
        return rebuilt_solid(run, finding)
    if not is_composed(finding.recipe):
        scene, case = run.scene(finding.scene), run.case(finding)
        return Kept(scene.pixels(), case, run.label(finding.recipe))
    part = smallest_part(journal, finding, diagnosis_of(journal, finding))
    ids = [one[0] for one in finding.recipe["placed"]]
    return Kept(
        None,
        run.case(finding),
        objects={id: run.labels[id] for id in ids if id in run.labels},
        smallest=None if part is None else run.case(part),
    )


def picture(journal: Journal, finding: Finding, found: Kept) -> Pictured:
    """A finding of the journal with pictures that are given."""
    old, new = prediction(journal, finding.before), prediction(journal, finding.after)
    assert new is not None
    traits = journal.get("subject")
    classes, score = traits["classes"], traits["score"]
    said = old, new
    marks = marks_of(finding, said, classes, score, found.label, found.objects, found.solid)
    shown = Pictured(finding, found.before, found.after, marks, found.label, said)
    if found.solid is not None:
        drawn = solid_marks(finding, said, classes, score, found.solid)
        return replace(shown, solid=Solid(found.solid, drawn))
    if not is_composed(finding.recipe):
        return shown
    told = diagnosis_of(journal, finding)
    return replace(
        shown,
        objects=found.objects,
        smallest=_part(journal, finding, found, told),
        told=composite_lines(told, old, new, classes, score),
    )


def _part(journal: Journal, finding: Finding, found: Kept, told: dict[str, Any]) -> Part | None:
    case = smallest_part(journal, finding, told)
    if found.smallest is None or case is None:
        return None
    said, traits = prediction(journal, case.after), journal.get("subject")
    assert said is not None
    classes, score = traits["classes"], traits["score"]
    return Part(found.smallest, object_marks(case.recipe, said, classes, score, found.objects))
