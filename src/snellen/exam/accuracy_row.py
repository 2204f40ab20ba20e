"""The first row of a scorecard: AP with its interval, as `snellen check` measures it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from snellen.engine.campaign import load_campaign
from snellen.engine.checkup import run_checkup
from snellen.errors import UserError
from snellen.exam.scorecard import MEASURED, ScorecardRow
from snellen.report.check_facts import reading_remarks, suggestion_words
from snellen.terminal.progress import Hidden, progress_display

PROPERTY = "accuracy"
SCENES = 64


def accuracy_row(configs: Sequence[Path], *, shown: bool) -> ScorecardRow:
    """The AP of the subject of the first configuration that needs no objects to be prepared.

    shown: whether progress is shown on standard error.
    """
    campaigns = [load_campaign(path) for path in configs]
    chosen = next((one for one in campaigns if one.objects is None), None)
    if chosen is None:
        return ScorecardRow(property=PROPERTY, skipped_because="no method applies")
    try:
        with progress_display("measuring AP") if shown else nullcontext(Hidden()) as display:
            found = run_checkup(chosen, display, looks=2, scenes=SCENES, suggest=False)
    except UserError as error:
        return ScorecardRow(property=PROPERTY, skipped_because=str(error))
    if found.accuracy is None:
        return ScorecardRow(property=PROPERTY, skipped_because=found.unmeasured)
    remarks, measured = reading_remarks(found), found.accuracy
    best = None if found.search is None else found.search.suggestion
    if best is not None:
        remarks = [*remarks, suggestion_words(best, measured.scenes)]
    return ScorecardRow(
        property=PROPERTY,
        value=round(measured.ap.value, 6),
        low=round(measured.ap.low, 6),
        high=round(measured.ap.high, 6),
        words=f"box AP on {measured.scenes} scenes with {measured.objects} objects",
        status=MEASURED,
        sentence=". ".join(remarks),
        command=f"snellen check {shlex.quote(str(chosen.file))}",
    )
