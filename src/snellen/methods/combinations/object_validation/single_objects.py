"""Objects that get another label although they are shown alone: tests of their own.

An object that a subject labels with its own label *and* another one, such as a star that brings a
ring, is not used in rows, where that would hide what company does. Alone it is the plainest fault
there is, so some of each label are tested, explained and reported beside the rows. They were chosen
by the answers of the validation and are in no rate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from snellen.contract.verdict import FURTHER
from snellen.methods.combinations.object_validation.validated_library import ValidatedLibrary
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Entry, Library

SINGLE = f"{FURTHER}alone"
"""The role of such a test."""


def single_objects(
    library: Library, classes: Sequence[str], most: int
) -> dict[int, tuple[Entry, ...]]:
    """By class id, up to `most` objects that also get another label alone.

    Those with different other labels come first, each group in the library's order.
    """
    if not isinstance(library, ValidatedLibrary) or not most:
        return {}
    known = {plain_name(name): id for id, name in enumerate(classes)}
    found: dict[int, tuple[Entry, ...]] = {}
    for label in library.library.labels():
        entries = [one for one in library.library.entries(label) if one.id in library.extra]
        if entries and plain_name(label) in known:
            found[known[plain_name(label)]] = tuple(_varied(entries, library.extra))[:most]
    return dict(sorted(found.items()))


def _varied(entries: Sequence[Entry], extra: Mapping[str, tuple[str, ...]]) -> Iterator[Entry]:
    """The first object of each set of other labels, then the second of each, and so on."""
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for one in entries:
        groups.setdefault(extra[one.id], []).append(one)
    for turn in range(max(map(len, groups.values()))):
        yield from (group[turn] for group in groups.values() if turn < len(group))


def extra_label_facts(library: Library) -> list[dict[str, Any]]:
    """How many objects of a label get another one alone, the largest share first; plain values.

    objects: of the label, shown alone and labelled at least with it.
    """
    if not isinstance(library, ValidatedLibrary):
        return []
    found = []
    for label in library.library.labels():
        entries = library.library.entries(label)
        named = [one for one in entries if one.id in library.extra or one.id not in library.why]
        brought = Counter(name for one in named for name in library.extra.get(one.id, ()))
        found += [
            {"label": label, "also": also, "objects": len(named), "failing": count}
            for also, count in brought.items()
        ]
    return sorted(
        found, key=lambda one: (-one["failing"] / one["objects"], one["label"], one["also"])
    )
