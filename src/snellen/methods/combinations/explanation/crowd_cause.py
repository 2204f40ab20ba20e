"""Failures that take three objects or more."""

from __future__ import annotations

from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.explanation.conclusion import Conclusion
from snellen.methods.combinations.explanation.evidence import listed
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.pair_cause import name_pair_cause
from snellen.methods.combinations.explanation.shrinker import pairs_in
from snellen.methods.combinations.explanation.substitutes import Substitutes
from snellen.objects.library.library import Library


def name_crowd_cause(
    found: Conclusion, substitutes: Substitutes, library: Library
) -> Inquiry[None]:
    """Name `crowding`, unless a pair fails after all: then the cause of that."""
    ladder, symptom, places = found.ladder, found.symptom, found.places
    pairs = pairs_in(ladder, symptom, places)
    failing = yield from ladder.persisting(symptom, [ladder.part(pair) for pair in pairs])
    if any(failing):
        found.smallest[symptom] = pairs[failing.index(True)]
        yield from name_pair_cause(found, substitutes, library)
        return
    labels = listed(ladder.names[ladder.labels[place]] for place in sorted(places))
    says = (
        f"With {labels} together {symptom.words(ladder.names)}; with none of their {len(pairs)} "
        "pairs that could show it, and with no object alone."
    )
    found.name(Cause.CROWDING, says, proven=found.steady and found.recognised_alone)
    whatever = yield from _other_company(found, substitutes)
    if whatever is not None:
        also = "also" if whatever else "not"
        found.says = f"{says[:-1]}; {also} with objects of other labels as company."


def _other_company(found: Conclusion, substitutes: Substitutes) -> Inquiry[bool | None]:
    """Whether it persists if all objects but the struck one are of other labels."""
    ladder, symptom = found.ladder, found.symptom
    recipe = ladder.recipe.only(found.places)
    kept = [ladder.labels[place] for place in sorted(found.places)]
    company = [place for place, label in enumerate(kept) if label != symptom.gone]
    company = company[symptom.gone is None :]
    avoided = set() if symptom.come is None else {symptom.come}
    swapped = substitutes.other_label(recipe, company, avoided)
    if swapped is None:
        return None
    [persists] = yield from ladder.persisting(symptom, [("with other company", swapped)])
    return persists
