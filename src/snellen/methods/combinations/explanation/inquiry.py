"""The inquiry into a failing composition: which symptom is stable, what it takes, and why."""

from __future__ import annotations

from contextlib import suppress

from snellen.contract.explanation import Explaining
from snellen.contract.questions import BudgetSpentError
from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.explanation.conclusion import ALL, Conclusion
from snellen.methods.combinations.explanation.crowd_cause import name_crowd_cause
from snellen.methods.combinations.explanation.ladder import (
    CompositionLadder,
    Counterfactual,
    Inquiry,
    Places,
)
from snellen.methods.combinations.explanation.pair_cause import name_pair_cause
from snellen.methods.combinations.explanation.shrinker import smallest_part
from snellen.methods.combinations.explanation.single_cause import name_single_cause
from snellen.methods.combinations.explanation.substitutes import Substitutes
from snellen.methods.combinations.explanation.symptom import Symptom
from snellen.objects.library.library import Library
from snellen.vision.events import Event, Severity

FIRST, MORE = slice(3), slice(3, 5)
"""The tiny variations asked of every finding, and those asked if two of three fail."""


def inquire(
    ladder: CompositionLadder, substitutes: Substitutes, library: Library, *, strict: bool
) -> Explaining:
    """The explanation of a failing composition. strict: borderline events count as well."""
    hard = [one for one in ladder.case.events if strict or one.severity == Severity.HARD]
    events = sorted(hard or ladder.case.events, key=lambda one: -one.margin)
    found = Conclusion(ladder, Symptom.of(events[0]))
    with suppress(BudgetSpentError):
        yield from _explained(found, events, substitutes, library)
        if found.proven:
            yield from _proven(found)
    return found.explanation()


def _proven(found: Conclusion) -> Inquiry[None]:
    """Keep the proof if the symptom also persists in every tiny variation of the smallest part.

    A subject that fails in 40% of pictures, whatever they show, passes all other questions about
    a pair once in 200 findings.
    """
    found.proven = False
    yield from found.ladder.ask(found.ladder.tiny(found.places, ALL))
    found.proven = found.steady


def _explained(
    found: Conclusion, events: list[Event], substitutes: Substitutes, library: Library
) -> Inquiry[None]:
    stable = yield from _stable(found, events)
    if not stable:
        found.name(Cause.ANY_CHANGE, _vanishes(found))
        return
    yield from found.ladder.ask(_singles(found.ladder, stable))
    margins = yield from _shrunk(found, stable)
    found.symptom = min(found.smallest, key=lambda one: (-margins[one], len(found.smallest[one])))
    if len(found.places) == 2:
        yield from name_pair_cause(found, substitutes, library)
    elif len(found.places) < 2:
        yield from name_single_cause(found, substitutes)
    else:
        yield from name_crowd_cause(found, substitutes, library)


def _stable(found: Conclusion, events: list[Event]) -> Inquiry[list[Event]]:
    """The events that persist in three of three tiny variations, or in four of five."""
    ladder = found.ladder
    yield from ladder.ask(ladder.tiny(ladder.everything, FIRST))
    if any(found.tiny(Symptom.of(event)).count(True) == 2 for event in events):
        yield from ladder.ask(ladder.tiny(ladder.everything, MORE))
    return [event for event in events if _is_stable(found.tiny(Symptom.of(event)))]


def _is_stable(persists: list[bool]) -> bool:
    first = persists[FIRST]
    return all(first) or (first.count(True) == 2 and all(persists[MORE]))


def _vanishes(found: Conclusion) -> str:
    tried = found.tiny(found.symptom)
    return (
        f"In {tried.count(False)} of {len(tried)} variations by a pixel or two the answer is "
        "different, so the failure says nothing about these labels."
    )


def _singles(ladder: CompositionLadder, stable: list[Event]) -> list[Counterfactual]:
    """Every object alone, and the bare background if a label is extra."""
    bare = any(Symptom.of(event).come is not None for event in stable)
    singles = [frozenset([place]) for place in sorted(ladder.everything)]
    return [ladder.part(part) for part in [*([frozenset[int]()] * bare), *singles]]


def _shrunk(found: Conclusion, stable: list[Event]) -> Inquiry[dict[Symptom, float]]:
    """The margin of each symptom; its smallest part is added to what was found.

    A missing and an extra label are one mismatch if they take the same objects, the pairs of the
    finding's own events first: which labels an event pairs is arbitrary if several are wrong.
    """
    margins, parts = dict[Symptom, float](), dict[Symptom, Places]()
    for event in stable:
        for half in Symptom.of(event).halves:
            margins[half] = event.margin
            parts[half] = yield from smallest_part(found.ladder, half)
    own = [Symptom.of(event) for event in stable]
    crossed = [Symptom(one.gone, other.come) for one in parts for other in parts]
    for whole in [*own, *crossed]:
        halves = [half for half in whole.halves if half in parts]
        if len(halves) == 2 and parts[halves[0]] == parts[halves[1]]:
            margins[whole] = max(margins[half] for half in halves)
            parts[whole] = parts.pop(halves[0])
            del parts[halves[1]]
    found.smallest |= parts
    return margins
