"""The object library: indexed cut-outs from which a method chooses objects to insert."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.label_names import plain_name

BOXES = "boxes"
"""How objects are cut out of which only the box is known: the last resort."""


@dataclass(frozen=True)
class Entry:
    """The index entry of a cut-out, without its pixels.

    width, height: pixels. area: pixels with alpha of at least one half. hash: 64-bit average hash.
    source: digest of the scene it was cut from. origin: id of that scene, for people. score: of the
    subject that detected it in its scene, or None.
    """

    id: str
    label: str
    width: int
    height: int
    area: int
    hash: int
    source: str = ""
    origin: str = ""
    score: float | None = None


class Library(Protocol):
    """Cut-outs by label and by id. Small to pickle, as it is sent to every builder."""

    def labels(self) -> tuple[str, ...]:
        """Names of the labels that have a cut-out, sorted."""

    def entries(self, label: str) -> Sequence[Entry]:
        """The cut-outs of a label, in a fixed order."""

    def cutout(self, id: str) -> Cutout:
        """The cut-out of an id."""


def entry_of(cutout: Cutout, origin: str = "", score: float | None = None) -> Entry:
    """The index entry of a cut-out."""
    from snellen.objects.similarity import average_hash

    height, width = cutout.size
    area = int((cutout.pixels[..., 3] >= 128).sum())
    hash = average_hash(cutout.pixels)
    return Entry(cutout.id, cutout.label, width, height, area, hash, cutout.source, origin, score)


def ids_digest(library: Library) -> str:
    """A hash of the ids of a library's cut-outs, by which a run detects that it was changed."""
    state = hashlib.blake2b(digest_size=16)
    for label in library.labels():
        state.update(f"{label}\0".encode())
        state.update("".join(entry.id for entry in library.entries(label)).encode())
    return state.hexdigest()


def object_class_ids(library: Library, class_ids: Mapping[str, int]) -> dict[str, int]:
    """The class id of each object whose label is a class, by object id.

    class_ids: a subject's class ids by plain name.
    """
    return {
        entry.id: class_ids[plain_name(label)]
        for label in library.labels()
        if plain_name(label) in class_ids
        for entry in library.entries(label)
    }


def origin_facts(library: Library) -> dict[str, Any]:
    """What a reader should know of the origin of objects; nothing if they passed all rules.

    `cut: boxes` if outlines were searched for within boxes; `relaxed` if rules were, for few
    objects passed them.
    """
    facts = getattr(library, "facts", None)
    known = facts() if callable(facts) else {}
    cut = {"cut": BOXES} if known.get("cut") == BOXES else {}
    return cut | ({"relaxed": known["relaxed"]} if known.get("relaxed") else {})
