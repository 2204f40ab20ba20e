"""Two objects that fail together even if they are apart."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.explanation.company import other_company
from snellen.methods.combinations.explanation.evidence import (
    named_rungs,
    on_backgrounds,
    share,
    tried,
)
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.pair import Nearness, Pair
from snellen.methods.combinations.explanation.pair_layout import PairLayout
from snellen.methods.combinations.explanation.substitutes import Substitutes


def name_correlation(pair: Pair, near: Nearness, substitutes: Substitutes) -> Inquiry[None]:
    """Name `correlation` if other objects of the two labels fail as well, apart.

    It is the `background` if the failure is gone on both others.
    """
    found, apart = pair.found, pair.layout.apart()
    says = f"{pair.effect}, in {share(near.apart)} layouts apart"
    found.name(Cause.CORRELATION, f"{says}; {pair.alone}.")
    swapped = substitutes.same_label(apart, [0, 1])
    others = [PairLayout(one, pair.library).apart() for one in swapped]
    objects = yield from found.ladder.persisting(
        found.symptom, named_rungs("other objects of both labels apart", others)
    )
    name, _ = pair.rung("apart", apart)
    rungs = on_backgrounds(name, apart, substitutes)
    elsewhere = yield from found.ladder.persisting(found.symptom, rungs)
    says += f", with {tried(objects, 'other pairs of objects of these labels')}"
    says += f", on {share(elsewhere)} other backgrounds"
    proven = all([*near.apart, *objects, *elsewhere]) and bool(objects) and pair.founded
    found.name(_cause(objects, elsewhere), f"{says}; {pair.alone}.", proven=proven)
    company = yield from other_company(pair, PairLayout.apart, substitutes)
    found.says = f"{says}{company}; {pair.alone}."


def _cause(objects: Sequence[bool], elsewhere: Sequence[bool]) -> Cause:
    if not any(elsewhere):
        return Cause.BACKGROUND
    return Cause.CORRELATION if any(objects) or not objects else Cause.UNEXPLAINED
