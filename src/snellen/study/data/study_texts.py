"""What the pages of a study say that depends on the study."""

from __future__ import annotations

from snellen.study.design.study_cost import minutes_each
from snellen.study.design.study_design import StudyDesign
from snellen.study.participation import StudyWording

RECRUITING = (
    "To pay you, we keep the id under which the recruiting site sent you here, in a place of its "
    "own that is not published with the answers."
)


def study_wording(design: StudyDesign) -> StudyWording:
    """The texts of a study. Where a recruiting id is kept, the consent says so."""
    options = design.options
    consent = options.consent
    if options.recruiting.keep:
        consent = f"{consent}\n\n{RECRUITING}"
    return StudyWording(
        title=options.title or options.name,
        purpose=options.purpose,
        consent=consent,
        contact=options.contact,
        pay=options.pay.sentence,
        minutes=minutes_each(design),
        tasks=options.tasks,
    )
