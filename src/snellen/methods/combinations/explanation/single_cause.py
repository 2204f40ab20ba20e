"""Failures that one object alone, or the bare background, shows as well."""

from __future__ import annotations

from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.explanation.conclusion import Conclusion
from snellen.methods.combinations.explanation.evidence import (
    named_rungs,
    on_backgrounds,
    share,
    tried,
)
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.substitutes import Substitutes


def name_single_cause(found: Conclusion, substitutes: Substitutes) -> Inquiry[None]:
    """Name `background`, `likeness` or `single-object`.

    An object that is wrong alone, but right on both other backgrounds, is wrong because of the
    background. Otherwise one that gets the extra label alone is a look-alike of it.
    """
    ladder, symptom = found.ladder, found.symptom
    name, alone = ladder.part(found.places)
    elsewhere = yield from ladder.persisting(symptom, on_backgrounds(name, alone, substitutes))
    says = f"{symptom.words(ladder.names)}; also on {share(elsewhere)} other backgrounds"
    if not found.places:
        found.name(Cause.BACKGROUND, f"On the bare background {says}.", proven=found.steady)
        return
    label = ladder.names[next(iter(ladder.shown(found.places)))]
    others = yield from ladder.persisting(
        symptom, named_rungs(f"another {label} alone", substitutes.same_label(alone, [0]))
    )
    says = (
        f"With the {label} alone at its place {says}, with "
        f"{tried(others, 'other objects of its label')}."
    )
    if not any(elsewhere):
        found.name(Cause.BACKGROUND, says, proven=found.steady)
    else:
        cause = Cause.SINGLE if symptom.come is None else Cause.LIKENESS
        found.name(cause, says, proven=found.steady and all(elsewhere))
        found.triggers = ladder.shown(found.places) - {symptom.gone}
