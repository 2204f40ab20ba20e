"""Objects of other labels in place of those that may trigger a failure of two."""

from __future__ import annotations

from collections.abc import Callable

from snellen.changes.compose.compose import Compose
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.pair import Pair
from snellen.methods.combinations.explanation.pair_layout import PairLayout
from snellen.methods.combinations.explanation.substitutes import Substitutes


def other_company(
    pair: Pair, how: Callable[[PairLayout], Compose], substitutes: Substitutes
) -> Inquiry[str]:
    """What happens with an object of another label in place of each possible trigger, in words.

    how: the layout of the two. A label is kept as a trigger unless another one does the same.
    """
    found, said = pair.found, ""
    found.triggers = {pair.labels[place] for place in pair.triggers}
    avoided = set() if found.symptom.come is None else {found.symptom.come}
    for place in pair.triggers:
        swapped = substitutes.other_label(how(pair.layout), [place], avoided)
        if swapped is None:
            continue
        other = found.ladder.names[substitutes.labels[swapped.placed[place][0]]]
        name = f"{other} in place of {pair.names[place]}"
        rung = (name, how(PairLayout(swapped, pair.library)))
        [persists] = yield from found.ladder.persisting(found.symptom, [rung])
        said += f", {'also' if persists else 'not'} with {name}"
        found.triggers -= {pair.labels[place]} if persists else set()
    return said
