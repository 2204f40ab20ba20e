"""The uses of the photographs.

Settings are tuned with one half held out. The chosen setting is evaluated on all photographs: each
is held out once, and tested with a subject that was repaired with the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

FIRST = 0.4
"""The share of photographs used for tuning."""
TRAIN = 0.3
"""The share of photographs not held out that is used for training but not tested."""
FOLDS = 3
"""The number of held-out parts."""

HALF, TAUGHT, FOLD = "s", "t", "f"
"""Salts of the hashes of a name."""


@dataclass(frozen=True)
class Uses:
    """The names of the photographs of each part of a repair."""

    train: tuple[str, ...]
    repair: tuple[str, ...]
    evaluate: tuple[str, ...]


def tuning_split(names: Sequence[str]) -> Uses:
    """The split for tuning: evaluated on the first half and repaired with the second.

    It depends on a hash of the name alone, so the other photographs do not affect it.
    """
    return _uses(names, [one for one in names if _place(one, HALF) < FIRST])


def held_back_split(names: Sequence[str]) -> Uses:
    """The opposite: evaluated on the second half and repaired with the first."""
    return _uses(names, [one for one in names if _place(one, HALF) >= FIRST])


def folds(names: Sequence[str]) -> list[Uses]:
    """Splits in which every photograph is evaluated once."""
    return [
        _uses(names, [one for one in names if int(_place(one, FOLD) * FOLDS) == number])
        for number in range(FOLDS)
    ]


def _uses(names: Sequence[str], held: Sequence[str]) -> Uses:
    own = [one for one in names if one not in held]
    train = tuple(one for one in own if _place(one, TAUGHT) < TRAIN)
    return Uses(train, tuple(one for one in own if one not in train), tuple(held))


def _place(name: str, use: str) -> float:
    """A uniform hash from 0 to 1."""
    digest = hashlib.blake2b(f"{use}{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64
