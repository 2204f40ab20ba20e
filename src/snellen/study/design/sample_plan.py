"""Which picture stands where: scenes, corruptions and changes, spread evenly over batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator

from snellen.study.design.scene_groups import batch_count
from snellen.study.design.scene_truth import SceneTruth
from snellen.study.options import StudyOptions
from snellen.study.record import ORIGINAL

SEEDS = 2**31
"""Seeds of corruptions are smaller."""


@dataclass(frozen=True, eq=False)
class PlannedSample:
    """A picture to be made. delta_v: the visual change wanted, 0 for an original."""

    truth: SceneTruth
    transformation: str
    delta_v: float
    seed: int


Cell = tuple[str, float]
"""A transformation, and the visual change wanted."""


def sample_batches(
    groups: Sequence[Sequence[SceneTruth]], options: StudyOptions, rng: Generator
) -> list[list[PlannedSample]]:
    """The pictures of each batch, in the order of its cells: originals, then by corruption and
    rising visual change.

    Every batch has the same share of each corruption, and its changes cover the whole range. The
    originals of a group move on from batch to batch, so that as many scenes as possible have one.
    """
    count = batch_count(options)
    cells = _cells(options, count * options.batch, rng)
    first = [0] * len(groups)
    batches = []
    for number in range(count):
        place = number % len(groups)
        own = cells[number::count]
        batches.append(_placed(own, groups[place], first[place], rng))
        first[place] += sum(name == ORIGINAL for name, _ in own)
    return batches


def _cells(options: StudyOptions, count: int, rng: Generator) -> list[Cell]:
    originals = count if not options.corruptions else round(count * options.originals)
    cells: list[Cell] = [(ORIGINAL, 0.0)] * originals
    kinds = len(options.corruptions)
    for place, name in enumerate(options.corruptions):
        share = (count - originals + kinds - 1 - place) // kinds
        cells += [(name, change) for change in _spread(share, options.strongest, rng)]
    return cells


def _spread(count: int, strongest: float, rng: Generator) -> list[float]:
    """Visual changes, one in each of as many equal parts of the range: uniform, and rising."""
    return [
        (part + draw) / count * strongest for part, draw in enumerate(rng.random(count).tolist())
    ]


def _placed(
    cells: Sequence[Cell],
    group: Sequence[SceneTruth],
    first: int,
    rng: Generator,
) -> list[PlannedSample]:
    size = len(group)
    originals = sum(name == ORIGINAL for name, _ in cells)
    ahead = [(first + step) % size for step in range(originals)]
    others = [place for place in rng.permutation(size).tolist() if place not in set(ahead)]
    seeds = rng.integers(SEEDS, size=size).tolist()
    return [
        PlannedSample(group[place], name, change, seed)
        for (name, change), place, seed in zip(cells, [*ahead, *others], seeds, strict=True)
    ]
