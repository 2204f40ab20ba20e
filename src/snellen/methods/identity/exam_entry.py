"""The part of `identity` in an exam."""

from __future__ import annotations

from snellen.methods.exam_entry import ExamEntry


class IdentityEntry(ExamEntry):
    """Whether answers repeat, of any subject."""

    property = "repeatability"
    weight = 0.3
    measures_noise = True


ENTRY = IdentityEntry()
