"""The page of a run of requirements with pictures that are given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from snellen.methods.requirements.own_numbers import RequirementNumbers, RequirementRow
from snellen.methods.requirements.page.axis_samples import Strip
from snellen.methods.requirements.page.change_curves import change_curves
from snellen.pages.embedded_pictures import Album
from snellen.pages.page_section import PageSection, Place
from snellen.report.document import Facts, document
from snellen.store.summary import Summary


def page_with(summary: Summary, folder: Path, strips: Sequence[Strip | None]) -> str:
    """The page, with the strips along the first axes."""
    album, rows = Album(), [RequirementRow.of(one) for one in summary.requirements]
    groups = RequirementNumbers.model_validate(summary.own).reliability
    curves = change_curves(rows, groups, strips, album)
    own = [PageSection(Place.BEFORE_FINDINGS, one) for one in curves]
    return document(Facts(summary, folder, None, (), "", 0), [], own, album)
