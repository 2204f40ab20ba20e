"""The cabin of a vehicle, lofted from level outlines between belt and roof, with windows."""

from __future__ import annotations

import numpy as np

from snellen.objects.meshes.primitives import MeshPart, lofted
from snellen.objects.meshes.vehicle_body import half_width, top_height
from snellen.objects.meshes.vehicle_style import VehicleStyle
from snellen.vision.arrays import F64, Texts

RISES = np.array([0.0, 0.10, 0.25, 0.42, 0.60, 0.76, 0.87, 0.94, 0.98, 1.0])
ROOF = np.array([0.93, 0.8, 0.6, 0.4, 0.2, 0.05])
ACROSS = np.array([-0.9, -0.86, -0.6, -0.3, 0.0, 0.3, 0.6, 0.86, 0.9])
GLASS_ROWS = (0.10, 0.87)
ROUNDING = 0.87


def cabin(style: VehicleStyle, size: tuple[float, float, float]) -> MeshPart:
    """The cabin as one closed part that reaches slightly into the lower body."""
    _length, _width, _height = size
    side = _side_shares(style)
    rings = [_outline(style, size, rise, side) for rise in RISES]
    edge = rings[-1]
    middle = np.array([edge[:, 0].mean(), 0.0, 0.0])
    for share in ROOF:
        ring = (edge - middle) * np.array([share, share, 1.0]) + middle
        ring[:, 2] += style.roof_crown * (1 - share**2)
        rings.append(ring)
    return lofted(np.stack(rings), _finish(style, side))


def _side_shares(style: VehicleStyle) -> F64:
    edges = [edge for window in style.windows for edge in window]
    return np.unique(np.concatenate([[0.035, 0.97], edges, np.linspace(0.05, 0.95, 13)]).round(4))


def _outline(style: VehicleStyle, size: tuple[float, float, float], rise: float, side: F64) -> F64:
    """(N, 3) level ring: windscreen right to left, left side, rear left to right, right side."""
    length, width, height = size
    bend = rise + 0.10 * rise * (1 - rise)
    front = _between(style.cabin_base[0], style.cabin_roof[0], bend)
    rear = _between(style.cabin_base[1], style.cabin_roof[1], bend)
    lean = _between(0.965, style.tumblehome, rise**1.25)
    turned_in = max(rise - ROUNDING, 0.0) ** 2 / (1 - ROUNDING) ** 2
    front, rear = front + 0.045 / length * turned_in, rear - 0.045 / length * turned_in
    lean -= 0.075 / width * turned_in
    curve = 0.10 * min(width / 1.7, 1.2) * (1 - 0.35 * rise)
    nose = np.column_stack([front + curve / length * ACROSS**2, ACROSS])
    left = np.column_stack([front + side * (rear - front), np.ones(len(side))])
    tail = np.column_stack([rear - 0.6 * curve / length * ACROSS[::-1] ** 2, ACROSS[::-1]])
    plan = np.concatenate([nose, left, tail, left[::-1] * np.array([1.0, -1.0])])
    share, across = plan[:, 0], plan[:, 1]
    y = across * lean * half_width(width, np.clip(share, 0.10, 0.95))
    base = top_height(style, height, share) - 0.035
    z = base + rise * (height - style.roof_crown - base)
    return np.column_stack([(0.5 - share) * length, y, z])


def _between(first: float, last: float, share: float) -> float:
    return first + (last - first) * share


def _finish(style: VehicleStyle, side: F64) -> Texts:
    """(S-1, N) finish: glass between the pillars, a dark seal around it, paint elsewhere."""
    rows = (RISES[:-1] + RISES[1:]) / 2
    glazed = (rows > GLASS_ROWS[0]) & (rows < GLASS_ROWS[1])
    middles = (side[:-1] + side[1:]) / 2
    windows = np.zeros(len(middles), dtype=bool)
    for low, high in style.windows:
        windows |= (middles > low) & (middles < high)
    pillars = (middles > style.windows[0][0]) & (middles < style.windows[-1][1]) & ~windows
    screen = np.abs((ACROSS[:-1] + ACROSS[1:]) / 2) < 0.86
    flank = np.where(windows, "glass", np.where(pillars, "trim", "paint"))
    front = np.where(screen, "glass", "trim")
    rear = np.where(screen & style.rear_glass, "glass", "paint")
    around = np.concatenate(
        [front, ["paint"], flank, ["paint"], rear, ["paint"], flank[::-1], ["paint"]]
    ).astype("U16")
    finish = np.full((len(RISES) - 1 + len(ROOF), len(around)), "paint", dtype="U16")
    finish[: len(rows)][glazed] = around
    return finish
