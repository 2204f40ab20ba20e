"""The part of `requirements` in an exam."""

from __future__ import annotations

from pathlib import Path

from snellen.errors import UserError
from snellen.methods.exam_entry import (
    Acuity,
    ExamEntry,
    Examinee,
    ExamSetup,
    InapplicableError,
    demand_boxes,
)
from snellen.methods.requirements.specification.requirement_file import read_requirements
from snellen.methods.requirements.starter_file import write_starter
from snellen.objects.label_names import plain_name
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.summary import Summary


class RequirementsEntry(ExamEntry):
    """Whether the subject still sees what people still see, by published thresholds."""

    property = "what people still see"
    weight = 1.5

    def setup(self, examinee: Examinee, config: Path) -> ExamSetup:
        """Published requirements on the classes that scenes and subject share, two cases each."""
        demand_boxes(examinee)
        try:
            options = write_starter(config, examinee.scenes, force=True)
        except UserError as error:
            raise InapplicableError(str(error).rstrip(".")) from None
        path = config.with_name(options["file"])
        classes = {plain_name(name) for name in examinee.subject.classes}
        found = read_requirements(path)
        only = [one.name for one in found if plain_name(one.label) in {*classes, "any"}]
        if not only:
            path.unlink()
            raise InapplicableError("The subject has no class with published human thresholds")
        return ExamSetup({**options, "only": only, "samples": 2})

    def acuity(self, summary: Summary) -> Acuity | None:
        """The share of satisfied requirements; undecided ones are the interval, not sampling."""
        found = [one.status for one in summary.requirements]
        if not found:
            return None
        met, open_ = (found.count(one) for one in (LossStatus.SATISFIED, LossStatus.UNDECIDED))
        words = f"of {len(found)} requirements satisfied, {open_} undecided"
        return Acuity(met / len(found), met / len(found), (met + open_) / len(found), words)


ENTRY = RequirementsEntry()
