"""The random layout of a street, in the road's own coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.starter.streets.street_road import Road

Spot = tuple[float, ...]
"""A place on the street: s, d, and further values."""

CARS = ("sedan", "hatchback", "suv", "hatchback", "sedan", "van")
VARIANTS = 6
AHEAD, BEHIND = 68.0, -28.0
CLEAR = (-9.0, 9.0)
"""The part of the ego car's lane that is kept free, as s."""


@dataclass(frozen=True)
class StreetObject:
    """One labelled object: the mesh's name, its place, and its heading relative to the road."""

    mesh: str
    s: float
    d: float
    turn: float


@dataclass(frozen=True)
class StreetLayout:
    """A street.

    buildings: s of the front's start, side (-1 right, 1 left), distance from the centre line,
    width, depth, storeys. trees: s, d, height. lamps, signs: s, d.
    """

    road: Road
    objects: tuple[StreetObject, ...]
    buildings: tuple[tuple[float, int, float, float, float, int], ...]
    trees: tuple[tuple[float, float, float], ...]
    lamps: tuple[tuple[float, float], ...]
    signs: tuple[tuple[float, float], ...]


def layout(rng: np.random.Generator) -> StreetLayout:
    """A random street."""
    road = _road(rng)
    trees: list[tuple[float, float, float]] = []
    lamps: list[tuple[float, float]] = []
    signs: list[tuple[float, float]] = []
    for side in (-1, 1):
        line = side * (road.kerb(side) + 0.75)
        trees += [(s, line, float(rng.uniform(5.0, 8.5))) for s in _spread(rng, 13, 24)]
        lamps += [(s, line) for s in _spread(rng, 26, 36)]
        signs += [(s, line) for s in _spread(rng, 40, 90)]
    trees = [one for one in trees if _clear_of(one, lamps, 4.0)]
    signs = [one for one in signs if _clear_of(one, lamps, 2.0) and _clear_of(one, trees, 3.0)]
    objects = [*_parked(road, rng), *_driving(road, rng)]
    objects += _cycling(road, objects, rng)
    objects += _walking(road, [*trees, *lamps, *signs], rng)
    return StreetLayout(
        road, tuple(objects), tuple(_rows(road, rng)), tuple(trees), tuple(lamps), tuple(signs)
    )


def _road(rng: np.random.Generator) -> Road:
    bend = float(rng.uniform(-1, 1) / 260) if rng.random() < 0.5 else 0.0
    parking = [float(rng.uniform(2.15, 2.4)) if rng.random() < 0.8 else 0.7 for _ in range(2)]
    pavement = [float(rng.uniform(2.4, 4.5)) for _ in range(2)]
    return Road(
        bend,
        float(np.clip(rng.normal(0, 0.015), -0.04, 0.04)),
        float(rng.uniform(3.2, 3.6)),
        2 if rng.random() < 0.3 else 1,
        (parking[0], parking[1]),
        (pavement[0], pavement[1]),
    )


def _spread(rng: np.random.Generator, least: float, most: float) -> list[float]:
    """Places along the street, `least` to `most` metres from each other."""
    at, places = -40.0 + float(rng.uniform(0, most)), []
    while at < 130:
        places.append(at)
        at += float(rng.uniform(least, most))
    return places


def _clear_of(one: Spot, others: Iterable[Spot], gap: float) -> bool:
    return all(math.dist(one[:2], other[:2]) > gap for other in others)


def _car(rng: np.random.Generator) -> str:
    kind = CARS[int(rng.integers(len(CARS)))]
    return f"{kind}-{int(rng.integers(VARIANTS))}"


def _parked(road: Road, rng: np.random.Generator) -> list[StreetObject]:
    """Cars along the kerbs, with gaps, facing in the direction of traffic."""
    found = []
    for side in (-1, 1):
        strip = road.parking[(side + 1) // 2]
        if strip < 2:
            continue
        full = rng.uniform(0.35, 0.8)
        middle = side * (road.kerb(side) - strip / 2 - 0.05)
        at = BEHIND + float(rng.uniform(0, 6))
        while at < AHEAD:
            if rng.random() < full:
                turn = (0.0 if side < 0 else math.pi) + float(rng.normal(0, 0.015))
                found.append(StreetObject(_car(rng), at, middle + float(rng.normal(0, 0.04)), turn))
            at += float(rng.uniform(6.3, 8.0))
    return found


def _driving(road: Road, rng: np.random.Generator) -> list[StreetObject]:
    """Cars in the lanes, the nearest in the ego car's lane at least 9 m ahead."""
    found = []
    for number in range(-road.lanes, road.lanes):
        middle = (number + 0.5) * road.lane
        turn = 0.0 if number < 0 else math.pi
        at = BEHIND + float(rng.uniform(0, 25))
        while at < AHEAD:
            free = number == -road.lanes and CLEAR[0] - 4 < at < CLEAR[1] + 4
            if not free and rng.random() < 0.6:
                aside, slant = float(rng.normal(0, 0.15)), float(rng.normal(0, 0.012))
                found.append(StreetObject(_car(rng), at, middle + aside, turn + slant))
            at += float(rng.uniform(11, 26))
    return found


def _cycling(
    road: Road, objects: list[StreetObject], rng: np.random.Generator
) -> list[StreetObject]:
    """Up to two cyclists at the outer edge of a lane, clear of cars."""
    found: list[StreetObject] = []
    for _ in range(int(rng.integers(0, 3))):
        side = -1 if rng.random() < 0.7 else 1
        at, aside = float(rng.uniform(8, 42)), side * (road.lanes * road.lane - 0.45)
        near = [one for one in (*objects, *found) if abs(one.d - aside) < 2.3]
        if all(abs(one.s - at) > 4.5 for one in near):
            mesh = f"cyclist-{int(rng.integers(VARIANTS))}"
            found.append(StreetObject(mesh, at, aside, 0.0 if side < 0 else math.pi))
    return found


def _walking(road: Road, fixed: Sequence[Spot], rng: np.random.Generator) -> list[StreetObject]:
    """People on the pavements, clear of trees, lamps and each other."""
    found: list[StreetObject] = []
    for _ in range(int(rng.integers(2, 7))):
        side = -1 if rng.random() < 0.5 else 1
        at = float(rng.uniform(6, 45))
        inner, outer = road.kerb(side) + 0.6, road.front(side) - 0.5
        aside = side * float(rng.uniform(inner, outer))
        taken = [*fixed, *((one.s, one.d) for one in found)]
        if _clear_of((at, aside), taken, 1.3):
            turn = float(rng.choice([0.0, math.pi]) + rng.normal(0, 0.25))
            found.append(StreetObject(f"pedestrian-{int(rng.integers(VARIANTS))}", at, aside, turn))
    return found


def _rows(
    road: Road, rng: np.random.Generator
) -> list[tuple[float, int, float, float, float, int]]:
    """Houses on both sides, adjoining or with gaps."""
    found = []
    for side in (-1, 1):
        at = -75.0 + float(rng.uniform(0, 10))
        back = float(rng.uniform(0.0, 2.5))
        while at < 150:
            width, deep = float(rng.uniform(8, 18)), float(rng.uniform(8, 11))
            away = road.front(side) + back + float(rng.choice([0.0, 0.0, 0.4]))
            found.append((at, side, away, width, deep, int(rng.integers(2, 5))))
            at += width + (float(rng.uniform(4, 11)) if rng.random() < 0.3 else 0.02)
    return found
