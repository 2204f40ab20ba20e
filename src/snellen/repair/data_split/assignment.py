"""The part of each scene and object of one set, determined by seed and content alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from snellen.scenes.scene import Scene, Skipped


def assign_parts(names: Iterable[str], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    """The part of each name, with part sizes rounded to the nearest whole number.

    shares: by part, relative to their sum. The order of names does not depend on the other names,
    so adding a few names moves few others.

    >>> found = assign_parts([str(n) for n in range(10)], {"a": 3, "b": 1}, seed=1)
    >>> sorted(found.values()).count("a"), len(found)
    (8, 10)
    """
    ordered = sorted(set(names), key=lambda name: _lot(name, seed))
    bounds = [round(len(ordered) * one) for one in _cumulated(list(shares.values()))]
    starts = [0, *bounds[:-1]]
    return {
        name: part
        for part, start, end in zip(shares, starts, bounds, strict=True)
        for name in ordered[start:end]
    }


def without_copies(scenes: Sequence[Scene]) -> tuple[list[Scene], list[Skipped]]:
    """The scenes with the first of equal pictures, and the others with the reason."""
    first: dict[str, str] = {}
    unique, copies = [], []
    for scene in scenes:
        id = first.setdefault(scene.digest, scene.id)
        if id == scene.id:
            unique.append(scene)
        else:
            copies.append(Skipped(scene.id, f"the same picture as '{id}'"))
    return unique, copies


def assign_objects(
    sources: Mapping[str, str], homes: Mapping[str, str], share: float, seed: int
) -> dict[str, str]:
    """`repair` or `evaluate` for each object by its id.

    sources: the digest of the scene that each was cut from, "" if unknown. homes: the part of each
    scene by its digest. An object goes to its scene's part; objects of other scenes are assigned
    by scene, so that no scene has objects in both.
    """
    groups = {id: source or id for id, source in sources.items()}
    free = [group for group in groups.values() if group not in homes]
    drawn = assign_parts(free, {"repair": share, "evaluate": 1 - share}, seed)
    return {
        id: ("evaluate" if homes[group] in ("evaluate", "watch") else "repair")
        if group in homes
        else drawn[group]
        for id, group in groups.items()
    }


def _lot(name: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}\0{name}".encode(), digest_size=16).digest()


def _cumulated(shares: Sequence[float]) -> list[float]:
    total = sum(shares)
    return [one / total for one in accumulate(shares)]
