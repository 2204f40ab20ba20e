"""The files `repair.html` and `evaluation.json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from snellen import __version__
from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.repair.evaluation.evaluation import Evaluation
from snellen.repair.evaluation.evaluation_sides import opened_sides
from snellen.repair.page.case_selection import select_cases
from snellen.repair.page.named_evaluation import NamedEvaluation, best_of
from snellen.repair.page.picture_pairs import PicturePair, pairs_of
from snellen.repair.page.repair_document import document
from snellen.report.reopened_run import reopened_if_possible

PAGE, NUMBERS = "repair.html", "evaluation.json"
EACH = 2
"""Pictures of each kind: repaired, new, still failing."""


def write_page(
    folder: Path,
    evaluations: Sequence[NamedEvaluation],
    *,
    chosen: str | None = None,
    each: int = EACH,
    notes: Sequence[str] = (),
) -> Path:
    """Write the page and all figures as JSON; returns the page's path.

    evaluations: one per arm. chosen: the name of the one in headline and pictures; by default the
    best. each: most pictures of each kind. notes: sentences below the table.
    """
    if not evaluations:
        raise UserError("there is no evaluation for the page. Pass one or more.")
    names = [one.name for one in evaluations]
    if len(set(names)) < len(names):
        raise UserError(f"the evaluations are named {names}; expected unique names.")
    if chosen is not None and chosen not in names:
        raise UserError(f"chosen: found '{chosen}', expected one of {', '.join(names)}.")
    one = best_of(evaluations) if chosen is None else evaluations[names.index(chosen)]
    figures = {
        "snellen_version": __version__,
        "evaluations": [each.to_json() for each in evaluations],
    }
    write_atomically(
        folder / NUMBERS, (json.dumps(figures, indent=1, allow_nan=False) + "\n").encode()
    )
    page = document(evaluations, one, _pairs(one.evaluation, each), notes)
    write_atomically(folder / PAGE, page.encode())
    return folder / PAGE


def _pairs(one: Evaluation, each: int) -> list[PicturePair]:
    with opened_sides(one.before.folder, one.after.folder) as (before, after):
        chosen = select_cases(before, after, each)
        with reopened_if_possible(before.folder, before.journal) as run:
            return [] if run is None else list(pairs_of(before, after, run, chosen))
