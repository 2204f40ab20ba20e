"""Selection of objects to insert into a scene, and their sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from snellen.objects.cooccurrence import CoOccurrence
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Entry, Library
from snellen.objects.similarity import majority, nearest
from snellen.vision.arrays import AnyArray, Bools, UInts64

Sides: TypeAlias = tuple[float, float]


class Policy(StrEnum):
    """Which labels are inserted into a scene.

    present: the labels of the scene, as published. co-occurring: labels that occur together with
    them in other scenes. any: labels of the library. The last two are drawn at random, as many as
    the scene has labels.
    """

    PRESENT = "present"
    CO_OCCURRING = "co-occurring"
    ANY = "any"


class Sizing(StrEnum):
    """keep: with the aspect ratio of the cut-out. stretch: without, as published."""

    KEEP = "keep"
    STRETCH = "stretch"


@dataclass(frozen=True)
class ObjectChoice:
    """An object to insert into a scene, with its size there in pixels."""

    entry: Entry
    width: int
    height: int
    label: str


@dataclass(frozen=True, eq=False)
class SceneContext:
    """The content of the scene for which objects are chosen.

    digest: of the scene, so that no object is inserted into its own scene. boxes: (N, 4) xyxy
    pixels. labels: N names. hashes: (N,) of the content of the boxes (`similarity.region_hashes`).
    """

    digest: str
    boxes: AnyArray
    labels: Sequence[str]
    hashes: UInts64

    def of(self, label: str) -> Bools:
        """(N,) which objects have this label, regardless of spelling."""
        wanted = plain_name(label)
        return np.array([plain_name(name) == wanted for name in self.labels], dtype=bool)

    def mean_sides(self, label: str) -> Sides | None:
        """Mean (width, height) of the objects of a label, or of all objects if it has none."""
        boxes = np.asarray(self.boxes, dtype=np.float64).reshape(-1, 4)
        if not len(boxes):
            return None
        same = self.of(label)
        chosen = boxes[same] if same.any() else boxes
        width, height = (chosen[:, 2:] - chosen[:, :2]).mean(axis=0)
        return float(width), float(height)

    def aspect(self, label: str) -> float | None:
        """Median of width over height of the objects of a label; None without any."""
        boxes = np.asarray(self.boxes, dtype=np.float64).reshape(-1, 4)[self.of(label)]
        sides = boxes[:, 2:] - boxes[:, :2]
        return float(np.median(sides[:, 0] / np.maximum(sides[:, 1], 1))) if len(boxes) else None

    def distinct(self) -> list[str]:
        """The distinct labels by plain name, in the order of the objects."""
        return list(dict.fromkeys(plain_name(label) for label in self.labels))


def choose(
    library: Library,
    scene: SceneContext,
    rng: Generator,
    *,
    policy: Policy | Sequence[str] = Policy.PRESENT,
    variety: int = 1,
    sizing: Sizing = Sizing.KEEP,
    table: CoOccurrence | None = None,
    enlarged: float = math.inf,
    shape: float = math.inf,
) -> list[ObjectChoice]:
    """The objects to insert into a scene, label by label.

    policy: which labels, or a list of labels. variety: number of objects per label: those whose
    hash is nearest to the majority hash of that label in the scene; drawn at random if the scene
    has none. table: for `co-occurring`. enlarged: the factor by which objects may be enlarged
    at most; a label whose objects are all smaller has none. shape: prefer objects whose
    aspect ratio differs by at most this factor from that of the scene's own.
    """
    known = _by_plain_name(library)
    choices = []
    for label in _labels(scene, policy, known, table, rng):
        entries = _of_other_scenes(library, known.get(label, ()), scene.digest)
        sides = scene.mean_sides(label)
        if sides is not None:
            entries = _large_enough(entries, sides, enlarged)
            entries = _shaped(entries, scene.aspect(label), shape) or entries
        for entry in _most_similar(entries, scene, label, variety, rng):
            width, height = target_size((entry.width, entry.height), sides, sizing)
            choices.append(ObjectChoice(entry, width, height, entry.label))
    return choices


def target_size(own: tuple[int, int], mean: Sides | None, sizing: Sizing) -> tuple[int, int]:
    """(width, height) in the scene of a cut-out of size `own`, where objects have `mean` sides.

    keep: the area of the mean rectangle with the aspect ratio of the cut-out. stretch: the mean
    sides, truncated to integers as published.

    >>> target_size((40, 10), (30.0, 30.0), Sizing.KEEP)
    (60, 15)
    >>> target_size((40, 10), (30.9, 20.2), Sizing.STRETCH)
    (30, 20)
    """
    if mean is None:
        return own
    if sizing == Sizing.STRETCH:
        return max(1, int(mean[0])), max(1, int(mean[1]))
    scale = _scale(own, mean)
    return max(1, round(own[0] * scale)), max(1, round(own[1] * scale))


def _scale(own: tuple[int, int], mean: Sides) -> float:
    return math.sqrt(mean[0] * mean[1] / (own[0] * own[1]))


def _by_plain_name(library: Library) -> dict[str, list[str]]:
    known: dict[str, list[str]] = {}
    for label in library.labels():
        known.setdefault(plain_name(label), []).append(label)
    return known


def _labels(
    scene: SceneContext,
    policy: Policy | Sequence[str],
    known: Iterable[str],
    table: CoOccurrence | None,
    rng: Generator,
) -> list[str]:
    present = scene.distinct()
    if policy == Policy.PRESENT:
        return present
    if policy == Policy.ANY:
        return _draw(dict.fromkeys(sorted(known), 1.0), len(present), rng)
    if policy == Policy.CO_OCCURRING:
        weights = table.companions(present) if table is not None else {}
        there = {label: weight for label, weight in weights.items() if label in set(known)}
        return _draw(there, len(present), rng)
    return list(dict.fromkeys(plain_name(label) for label in policy))


def _draw(weights: dict[str, float], count: int, rng: Generator) -> list[str]:
    """Distinct labels drawn at random, at least one if there are any."""
    names, shares = list(weights), np.array(list(weights.values()))
    if not names:
        return []
    count = min(max(1, count), len(names))
    chosen = rng.choice(len(names), size=count, replace=False, p=shares / shares.sum())
    return [names[int(place)] for place in chosen]


def _of_other_scenes(library: Library, labels: Iterable[str], digest: str) -> list[Entry]:
    return [e for label in labels for e in library.entries(label) if e.source != digest]


def _large_enough(entries: list[Entry], sides: Sides, enlarged: float) -> list[Entry]:
    return [e for e in entries if _scale((e.width, e.height), sides) <= enlarged]


def _shaped(entries: list[Entry], aspect: float | None, shape: float) -> list[Entry]:
    if not aspect or math.isinf(shape):
        return entries
    limit = math.log(shape)
    return [e for e in entries if abs(math.log(e.width / e.height / aspect)) <= limit]


def _most_similar(
    entries: list[Entry], scene: SceneContext, label: str, count: int, rng: Generator
) -> list[Entry]:
    same = scene.of(label)
    if not same.any():
        chosen = rng.permutation(len(entries))[:count]
        return [entries[int(place)] for place in chosen]
    reference = majority(np.asarray(scene.hashes, dtype=np.uint64)[same])
    return [entries[place] for place in nearest(reference, [e.hash for e in entries], count)]
