"""Buildings: walls with windows and doors, under a roof."""

from __future__ import annotations

import numpy as np

from snellen.starter.streets.body import Body, joined, sheet
from snellen.starter.streets.street_materials import STREET, WALLS, StreetMaterial, wall
from snellen.vision.arrays import F64

STOREY = 3.1
PROUD = 0.03


def building(
    corner: F64,
    along: F64,
    inward: F64,
    size: tuple[float, float, int],
    rng: np.random.Generator,
) -> Body:
    """A building whose front starts at corner (3,) in direction along (unit, 3), depth inward.

    size: width and depth in metres, and storeys. rng: for colours, windows and the roof.
    """
    width, deep, storeys = size
    height = storeys * STOREY + 0.5
    up = np.array([0.0, 0.0, 1.0])
    colour = WALLS[int(rng.integers(len(WALLS)))]
    shade = wall(colour)
    low = corner - 0.5 * up
    ends = [low, low + width * along, low + width * along + deep * inward, low + deep * inward]
    walls = np.stack([_upright(ends[k], ends[(k + 1) % 4], height + 0.5, up) for k in range(4)])
    parts = [sheet(walls, [shade])]
    bays = max(1, round(width / rng.uniform(2.6, 3.6)))
    parts += _front(corner, along, -inward, (width, bays, storeys), rng)
    for start, way, out in ((ends[0], inward, -along), (ends[1], inward, along)):
        parts += _side(start + 0.5 * up, way, out, deep, storeys)
    parts.append(_roof([end + (height + 0.5) * up for end in ends], inward, deep, rng))
    return joined(parts)


def _upright(start: F64, end: F64, height: float, up: F64) -> F64:
    return np.stack([start, end, end + height * up, start + height * up])


def _front(
    corner: F64,
    along: F64,
    out: F64,
    shape: tuple[float, int, int],
    rng: np.random.Generator,
) -> list[Body]:
    """Windows in every bay of every storey, and a door in one bay of the ground floor."""
    width, bays, storeys = shape
    bay = width / bays
    wide, tall = bay * rng.uniform(0.38, 0.52), rng.uniform(1.3, 1.75)
    column, storey = np.meshgrid(np.arange(bays), np.arange(storeys))
    left = (column.ravel() + 0.5) * bay - wide / 2
    sill = storey.ravel() * STOREY + 0.95
    door = int(rng.integers(bays))
    windows = ~((column.ravel() == door) & (storey.ravel() == 0))
    made = _panes(corner, along, out, left[windows], sill[windows], wide, tall)
    entrance = _rectangles(
        corner + PROUD * out,
        along,
        np.array([(door + 0.5) * bay - 0.55]),
        np.array([0.0]),
        1.1,
        2.2,
    )
    return [*made, sheet(entrance, [STREET["door"]])]


def _side(start: F64, way: F64, out: F64, deep: float, storeys: int) -> list[Body]:
    """One column of windows in a side wall."""
    sill = np.arange(storeys, dtype=np.float64) * STOREY + 0.95
    return _panes(start, way, out, np.full(storeys, deep / 2 - 0.5), sill, 1.0, 1.4)


def _panes(
    corner: F64, along: F64, out: F64, left: F64, sill: F64, wide: float, tall: float
) -> list[Body]:
    rim = 0.09
    frames = _rectangles(
        corner + 0.5 * PROUD * out, along, left - rim, sill - rim, wide + 2 * rim, tall + 2 * rim
    )
    panes = _rectangles(corner + PROUD * out, along, left, sill, wide, tall)
    bars = _rectangles(corner + 1.3 * PROUD * out, along, left + wide / 2 - 0.03, sill, 0.06, tall)
    return [
        sheet(np.concatenate([frames, bars]), [STREET["frame"]]),
        sheet(panes, [STREET["pane"]]),
    ]


def _rectangles(origin: F64, along: F64, left: F64, low: F64, wide: float, tall: float) -> F64:
    """(Q, 4, 3) upright rectangles in the plane through origin."""
    up = np.array([0.0, 0.0, 1.0])
    places = origin + left[:, None] * along + low[:, None] * up
    right, above = wide * along, tall * up
    return np.stack([places, places + right, places + right + above, places + above], axis=1)


def _roof(top: list[F64], inward: F64, deep: float, rng: np.random.Generator) -> Body:
    """A gable along the street, or a flat roof."""
    material: StreetMaterial = STREET["roof" if rng.random() < 0.6 else "slate"]
    if rng.random() < 0.3:
        return sheet(np.stack(top)[None], [material])
    rise = np.array([0.0, 0.0, rng.uniform(0.25, 0.4) * deep])
    eaves = 0.35
    drop = np.array([0.0, 0.0, -eaves * rise[2] / (deep / 2)])
    ridge = [(top[0] + top[3]) / 2 + rise, (top[1] + top[2]) / 2 + rise]
    front = [top[0] - eaves * inward + drop, top[1] - eaves * inward + drop]
    back = [top[3] + eaves * inward + drop, top[2] + eaves * inward + drop]
    slopes = np.stack(
        [np.stack([front[0], front[1], ridge[1], ridge[0]]),
         np.stack([back[0], back[1], ridge[1], ridge[0]])]
    )  # fmt: skip
    gables = np.stack(
        [np.stack([top[0], top[3], ridge[0], ridge[0]]),
         np.stack([top[1], top[2], ridge[1], ridge[1]])]
    )  # fmt: skip
    return joined([sheet(slopes, [material]), sheet(gables, [wall(WALLS[2])])])
