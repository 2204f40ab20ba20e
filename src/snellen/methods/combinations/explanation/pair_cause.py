"""Failures that take two objects, each of which is right alone."""

from __future__ import annotations

from snellen.changes.compose.compose import Compose
from snellen.methods.combinations.cause import Cause
from snellen.methods.combinations.explanation.conclusion import Conclusion
from snellen.methods.combinations.explanation.evidence import (
    listed,
    named_rungs,
    on_backgrounds,
    share,
)
from snellen.methods.combinations.explanation.ladder import Inquiry
from snellen.methods.combinations.explanation.pair import Nearness, Pair
from snellen.methods.combinations.explanation.pair_layout import PairLayout
from snellen.methods.combinations.explanation.substitutes import Substitutes
from snellen.objects.library.library import Library


def name_pair_cause(found: Conclusion, substitutes: Substitutes, library: Library) -> Inquiry[None]:
    """Name `correlation`, `contact` or `occlusion`, from the two apart and touching."""
    pair = Pair(found, library)
    near = yield from pair.nearness()
    if near.mostly_apart:
        yield from _name_correlation(pair, near, substitutes)
    elif near.together:
        yield from _name_nearness(pair, near, substitutes)
    else:
        says = f"{pair.who} {pair.effect}, but not on the larger canvas that they take apart."
        found.name(Cause.UNEXPLAINED, says)


def _name_correlation(pair: Pair, near: Nearness, substitutes: Substitutes) -> Inquiry[None]:
    """The two fail apart: their labels are the cause if other objects of them fail as well."""
    found, apart = pair.found, pair.layout.apart()
    says = f"{pair.who} {pair.effect}, in {share(near.apart)} layouts apart"
    found.name(Cause.CORRELATION, f"{says}; each is right alone.")
    ladder, symptom = found.ladder, found.symptom
    others = [
        PairLayout(one, pair.library).apart() for one in substitutes.same_label(apart, [0, 1])
    ]
    rungs = named_rungs("other objects of both labels apart", others)
    objects = yield from ladder.persisting(symptom, rungs)
    name, _ = pair.rung("apart", apart)
    places = yield from ladder.persisting(symptom, on_backgrounds(name, apart, substitutes))
    says += f", with {share(objects)} other pairs of objects of these labels, on {share(places)} "
    says += "other backgrounds"
    proven = all([*near.apart, *objects, *places]) and bool(objects) and _founded(found)
    cause = Cause.CORRELATION if any(objects) or not objects else Cause.UNEXPLAINED
    found.name(
        cause if any(places) else Cause.BACKGROUND, f"{says}; each is right alone.", proven=proven
    )
    company = yield from _company(pair, apart, substitutes)
    found.says = f"{says}{company}; each is right alone."


def _company(pair: Pair, apart: Compose, substitutes: Substitutes) -> Inquiry[str]:
    """What happens with an object of another label in place of each that may be the trigger."""
    found, said = pair.found, ""
    avoided = set() if found.symptom.come is None else {found.symptom.come}
    for place in pair.triggers:
        swapped = substitutes.other_label(apart, [place], avoided)
        if swapped is None:
            continue
        other = found.ladder.names[substitutes.labels[swapped.placed[place][0]]]
        recipe = PairLayout(swapped, pair.library).apart()
        rung = (f"{other} in place of {pair.names[place]}, apart", recipe)
        [persists] = yield from found.ladder.persisting(found.symptom, [rung])
        said += f", {'also' if persists else 'not'} with {other} in place of {pair.names[place]}"
    return said


def _name_nearness(pair: Pair, near: Nearness, substitutes: Substitutes) -> Inquiry[None]:
    """The two fail together and not apart: at contact, or only where one covers the other."""
    found, covered = pair.found, max(pair.layout.overlaps)
    cause = Cause.OCCLUSION if near.touching is False else Cause.CONTACT
    where = "where they touch" if cause == Cause.CONTACT else f"where they overlap ({covered:.0%})"
    holds = f"but in {share(near.apart)} layouts apart"
    holds += "" if near.touching is not False else " and not where they touch"
    says = f"{pair.who} {pair.effect} {where}, {holds}"
    proven = not any(near.apart) and _founded(found)
    found.name(cause, f"{says}; each is right alone.", proven=proven)
    overlap = covered if cause == Cause.OCCLUSION else 0.0
    others = [
        PairLayout(one, pair.library).in_contact(overlap)
        for one in substitutes.same_label(pair.layout.together(), pair.triggers)
    ]
    swapped = listed(pair.names[place] for place in pair.triggers)
    rungs = named_rungs(f"another {swapped}", others)
    objects = yield from found.ladder.persisting(found.symptom, rungs)
    name, as_found = pair.rung("as found", pair.layout.together())
    elsewhere = yield from found.ladder.persisting(
        found.symptom, on_backgrounds(name, as_found, substitutes, 1)
    )
    found.says = (
        f"{says}; also with {share(objects)} other objects of {swapped} and on "
        f"{share(elsewhere)} other backgrounds; each is right alone."
    )


def _founded(found: Conclusion) -> bool:
    """Whether the symptom is steady, and the objects alone get exactly their labels."""
    return found.steady and found.recognised_alone
