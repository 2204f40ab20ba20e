"""Which photographs are used for what: two halves, and in each a part to train on.

Settings are tried with one half as the held-out one. The setting that was chosen is then evaluated
once on the other, on which nothing was tried.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

FIRST = 0.4
"""The share of photographs in the first half."""
TRAIN = 0.3
"""The share of a half that is trained on but not tested."""

HALF, TAUGHT = "s", "t"
"""What the two hashes of a name differ by."""


@dataclass(frozen=True)
class Uses:
    """The names of the photographs of each part of a repair."""

    train: tuple[str, ...]
    repair: tuple[str, ...]
    evaluate: tuple[str, ...]


def uses(names: Sequence[str], *, tries: bool) -> Uses:
    """Tries are evaluated on the first half and repaired with the second; the rest is reversed.

    By a hash of the name alone, so that a photograph stays where it is whatever the others are.
    """
    first = [one for one in names if _place(one, HALF) < FIRST]
    second = [one for one in names if _place(one, HALF) >= FIRST]
    held, own = (first, second) if tries else (second, first)
    train = tuple(one for one in own if _place(one, TAUGHT) < TRAIN)
    return Uses(train, tuple(one for one in own if one not in train), tuple(held))


def _place(name: str, use: str) -> float:
    """From 0 to 1, evenly."""
    digest = hashlib.blake2b(f"{use}{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64
