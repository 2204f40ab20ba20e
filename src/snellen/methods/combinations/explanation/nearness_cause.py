"""Two objects that fail together, but not apart."""

from __future__ import annotations

from functools import partial

from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.explanation.company import other_company
from snellen.methods.combinations.explanation.evidence import (
    listed,
    named_rungs,
    on_backgrounds,
    share,
    tried,
)
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.pair import Nearness, Pair
from snellen.methods.combinations.explanation.pair_layout import PairLayout
from snellen.methods.combinations.explanation.substitutes import Substitutes


def name_nearness(pair: Pair, near: Nearness, substitutes: Substitutes) -> Inquiry[None]:
    """Name `contact`, or `occlusion` if they fail only where one covers part of the other."""
    found, covered = pair.found, max(pair.layout.overlaps)
    occluded = near.touching is False
    where = f"where they overlap ({covered:.0%})" if occluded else "where they touch"
    says = f"{pair.effect} {where}, but in {share(near.apart)} layouts apart"
    says += " and not where they touch" if occluded else ""
    cause = Cause.OCCLUSION if occluded else Cause.CONTACT
    proven = not any(near.apart) and pair.founded
    found.name(cause, f"{says}; {pair.alone}.", proven=proven)
    how = partial(PairLayout.in_contact, overlap=covered if occluded else 0.0)
    swapped = listed(pair.names[place] for place in pair.triggers)
    others = substitutes.same_label(pair.layout.together(), pair.triggers)
    made = [how(PairLayout(one, pair.library)) for one in others]
    objects = yield from found.ladder.persisting(
        found.symptom, named_rungs(f"another {swapped}", made)
    )
    rungs = on_backgrounds(*pair.rung("as found", pair.layout.together()), substitutes, 1)
    elsewhere = yield from found.ladder.persisting(found.symptom, rungs)
    says += f"; also with {tried(objects, f'other objects of {swapped}')}"
    says += f", on {share(elsewhere)} other backgrounds"
    found.says = f"{says}; {pair.alone}."
    company = yield from other_company(pair, how, substitutes)
    found.says = f"{says}{company}; {pair.alone}."
