"""Failures that take two objects, none of which shows it alone."""

from __future__ import annotations

from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.explanation.conclusion import Conclusion
from snellen.methods.combinations.explanation.correlation_cause import name_correlation
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.nearness_cause import name_nearness
from snellen.methods.combinations.explanation.pair import Pair
from snellen.methods.combinations.explanation.substitutes import Substitutes
from snellen.objects.library.library import Library


def name_pair_cause(found: Conclusion, substitutes: Substitutes, library: Library) -> Inquiry[None]:
    """Name `correlation`, `contact` or `occlusion`, from the two apart and touching."""
    pair = Pair(found, library)
    near = yield from pair.nearness()
    if near.mostly_apart:
        yield from name_correlation(pair, near, substitutes)
    elif near.together:
        yield from name_nearness(pair, near, substitutes)
    else:
        says = f"{pair.effect}, but not on the larger canvas that they take apart."
        found.name(Cause.UNEXPLAINED, says)
