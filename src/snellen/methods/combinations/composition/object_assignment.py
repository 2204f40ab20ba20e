"""Which objects each row shows: dealt from shuffled decks, so that all are used equally."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from snellen.objects.library.library import Entry

RowObjects = tuple[tuple[Entry, ...], ...]
"""For each label present in a row, in order, its objects: one for each image."""


def assign_objects(
    rows: Sequence[Sequence[int]], objects: Mapping[int, Sequence[Entry]], images: int, seed: int
) -> list[RowObjects]:
    """The hands of each row. objects: those of each label.

    In the order of the rows, each object of a label is used once before any is used twice.
    """
    decks = {label: _deck(label, entries, seed) for label, entries in objects.items()}
    return [
        tuple(tuple(next(decks[label]) for _ in range(images)) for label in row) for row in rows
    ]


def _deck(label: int, entries: Sequence[Entry], seed: int) -> Iterator[Entry]:
    """The objects of a label, shuffled again each time all have been dealt."""
    text = f"{seed}\0deck\0{label}".encode()
    words = np.frombuffer(hashlib.blake2b(text, digest_size=16).digest(), dtype=np.uint32)
    rng = np.random.default_rng(words.tolist())
    while True:
        for place in rng.permutation(len(entries)):
            yield entries[int(place)]
