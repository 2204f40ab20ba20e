"""Which photographs are used for what.

Settings are tried on one half as the held-out one. The setting that was chosen is evaluated on all
photographs: each is held out once, and judged by a subject that was repaired with the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

FIRST = 0.4
"""The share of photographs in the half that settings are tried on."""
TRAIN = 0.3
"""The share of photographs not held out that is trained on but not tested."""
FOLDS = 3
"""In how many parts photographs are held out."""

HALF, TAUGHT, FOLD = "s", "t", "f"
"""What the hashes of a name differ by."""


@dataclass(frozen=True)
class Uses:
    """The names of the photographs of each part of a repair."""

    train: tuple[str, ...]
    repair: tuple[str, ...]
    evaluate: tuple[str, ...]


def tried_on(names: Sequence[str]) -> Uses:
    """Tries are evaluated on the first half and repaired with the second.

    By a hash of the name alone, so that a photograph stays where it is whatever the others are.
    """
    return _uses(names, [one for one in names if _place(one, HALF) < FIRST])


def other_half(names: Sequence[str]) -> Uses:
    """The other way round: evaluated on the second half and repaired with the first."""
    return _uses(names, [one for one in names if _place(one, HALF) >= FIRST])


def folds(names: Sequence[str]) -> list[Uses]:
    """Every photograph is evaluated in one of them."""
    return [
        _uses(names, [one for one in names if int(_place(one, FOLD) * FOLDS) == number])
        for number in range(FOLDS)
    ]


def _uses(names: Sequence[str], held: Sequence[str]) -> Uses:
    own = [one for one in names if one not in held]
    train = tuple(one for one in own if _place(one, TAUGHT) < TRAIN)
    return Uses(train, tuple(one for one in own if one not in train), tuple(held))


def _place(name: str, use: str) -> float:
    """From 0 to 1, evenly."""
    digest = hashlib.blake2b(f"{use}{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64
