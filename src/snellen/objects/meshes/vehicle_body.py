"""The lower body of a vehicle, lofted from sections, with arches, lights, doors and bumpers."""

from __future__ import annotations

import numpy as np

from snellen.objects.meshes.primitives import MeshPart, lofted, outward, rounded_box
from snellen.objects.meshes.vehicle_style import VehicleStyle
from snellen.vision.arrays import F64, Ints, Ints32, Texts

LEVELS = np.array([0.0, 0.05, 0.12, 0.2, 0.28, 0.36, 0.45, 0.5, 0.6, 0.68, 0.76, 0.84, 0.9, 0.95,
                   0.985, 1.0])  # fmt: skip
WIDTHS = np.array([0.92, 0.965, 0.985, 0.99, 0.993, 0.996, 1.0, 1.0, 1.0, 0.999, 0.997, 0.992,
                   0.982, 0.962, 0.93, 0.885])  # fmt: skip
TOP = np.array([0.72, 0.5, 0.25, 0.0])
ARCH = 1.13
GAP = 0.010


def lower_body(style: VehicleStyle, size: tuple[float, float, float]) -> list[MeshPart]:
    """The painted lower body, and the dark floor inside it that closes the arches."""
    length, _width, _height = size
    x = _stations(style, length)
    rings = np.stack([_section(style, size, at) for at in x])
    finish = _finish(style, length, x, rings.shape[1])
    skin = lofted(rings, finish)
    body = _with_ends(skin, rings, style)
    return [body, _floor(style, size)]


def top_height(style: VehicleStyle, height: float, share: F64) -> F64:
    """Heights of the top of the body in metres at shares of the length."""
    front, cowl, belt, tail = style.bonnet
    start, end = style.cabin_base
    knots = [0.0, 0.02, 0.5 * start, start, min(end, 0.985), 0.992, 1.0]
    rise = [front - 0.03, front, 0.35 * front + 0.65 * cowl, cowl, belt, tail, tail - 0.02]
    return np.asarray(height * np.interp(share, knots, rise))


def half_width(width: float, share: F64) -> F64:
    """Half widths in metres at shares of the length: curved, and tapered at both ends."""
    front = np.clip(1 - share / 0.14, 0, 1)
    rear = np.clip((share - 0.88) / 0.12, 0, 1)
    bow = 0.012 * (2 * share - 1) ** 2
    return np.asarray(width / 2 * (1 - bow - 0.13 * front**2.2 - 0.08 * rear**2.2))


def _stations(style: VehicleStyle, length: float) -> F64:
    ends = np.array([0.0, 0.012, 0.035, 0.07, 0.12]) / length * 4
    marks = [ends, 1 - ends, np.linspace(0.02, 0.98, 12 if length < 3 else 30)]
    turn = np.cos(np.linspace(0, np.pi, 15))
    reach = style.wheel * ARCH / length
    for axle in style.axles:
        marks.append(axle + reach * turn)
        marks.append(axle + (reach + 0.002 / length) * np.array([-1.0, 1.0]))
    marks += [np.array([door, door + GAP / length]) for door in _doors(style)]
    return np.unique(np.clip(np.concatenate(marks), 0, 1).round(6))


def _doors(style: VehicleStyle) -> list[float]:
    """Shares of the length at which doors end: below the pillars between the windows."""
    start, end = style.cabin_base
    edges = [0.06, *[right + 0.02 for _, right in style.windows]][:4]
    doors = [start + edge * (end - start) for edge in edges]
    return [door for door in doors if all(abs(door - axle) > 0.02 for axle in style.axles)]


def _section(style: VehicleStyle, size: tuple[float, float, float], share: float) -> F64:
    """(N, 3) ring around the body at a share of the length."""
    length, width, height = size
    half = float(half_width(width, np.asarray(share)))
    top = float(top_height(style, height, np.asarray(share)))
    bottom = _bottom(style, length, share)
    z = bottom + LEVELS * (top - bottom)
    crown = top + 0.025 * (1 - (TOP / 0.885) ** 2)
    y = np.concatenate([[0.0, 0.5 * half], WIDTHS * half, TOP * half])
    z = np.concatenate([[bottom, bottom], z, crown])
    left = np.column_stack([np.full(len(y), (0.5 - share) * length), y, z])
    right = left[-2:0:-1] * np.array([1.0, -1.0, 1.0])
    return np.concatenate([left, right])


def _bottom(style: VehicleStyle, length: float, share: float) -> float:
    sill = style.clearance + 0.06 * max(abs(2 * share - 1) - 0.85, 0) / 0.15
    reach = style.wheel * ARCH
    for axle in style.axles:
        away = abs(share - axle) * length
        if away <= reach + 1e-6:
            return max(sill, style.wheel + float(np.sqrt(max(reach**2 - away**2, 0))))
    return sill


def _finish(style: VehicleStyle, length: float, x: F64, around: int) -> Texts:
    """(S-1, N) finish of the skin: plastic at the bottom, door gaps, lamps at the corners."""
    middle = (x[:-1] + x[1:]) / 2
    level = _level_of(around)
    finish = np.full((len(middle), around), "paint", dtype="U16")
    finish[:, level < 0.05] = "trim"
    for door in _doors(style):
        gap = np.abs(middle - door - GAP / 2 / length) < GAP / length
        finish[np.ix_(gap, (level > 0.08) & (level < 0.97))] = "gap"
    low, high = style.lamp_rows
    finish[np.ix_(middle < 0.035 * 4 / length, (level > low) & (level < high))] = "headlight"
    low, high = style.tail_rows
    finish[np.ix_(middle > 1 - 0.03 * 4 / length, (level > low) & (level < high))] = "taillight"
    return finish


def _level_of(around: int) -> F64:
    """(N,) level of each quad around the ring: below 0 under the body, above 1 on top."""
    half = np.concatenate([[-1.0, -1.0], LEVELS, np.full(len(TOP), 2.0)])
    ring = np.concatenate([half, half[-2:0:-1]])
    assert len(ring) == around
    return np.asarray((ring + np.roll(ring, -1)) / 2)


def _with_ends(skin: MeshPart, rings: F64, style: VehicleStyle) -> MeshPart:
    """The skin with its fans replaced by grids with lamps, grille, plate and bumper."""
    around = rings.shape[1]
    vertices, faces = [skin.vertices[:-2]], [skin.faces[: -2 * around]]
    finish = [skin.finish[: -2 * around]]
    for front in (True, False):
        start = 0 if front else (len(rings) - 1) * around
        offset = sum(len(v) for v in vertices)
        grid = _end_grid(rings[0 if front else -1], start, offset, bulge=0.035 if front else -0.025)
        vertices.append(grid[0])
        faces.append(grid[1] if front else grid[1][:, ::-1])
        names = _front_finish(style) if front else _rear_finish(style)
        finish.append(np.repeat(names.ravel(), 2))
    every = MeshPart(np.concatenate(vertices), np.concatenate(faces), np.concatenate(finish))
    return outward(every)


COLUMNS = np.array([-1.0, -0.86, -0.7, -0.55, -0.42, -0.25, 0.0, 0.25, 0.42, 0.55, 0.7, 0.86, 1.0])
ROWS = np.concatenate([[-1.0], LEVELS, np.full(len(TOP) - 1, 2.0)])


def _end_grid(ring: F64, start: int, offset: int, *, bulge: float) -> tuple[F64, Ints32]:
    """New vertices and faces of a grid that spans an end ring from side to side."""
    around = len(ring)
    rows = len(ROWS)
    left = np.arange(1, rows + 1)
    right = around - left
    share = (COLUMNS[1:-1] + 1) / 2
    inner = ring[right][:, None] * (1 - share)[None, :, None] + ring[left][:, None] * share[:, None]
    upright = np.sin(np.linspace(0, np.pi, rows))
    inner[..., 0] += bulge * upright[:, None] * (1 - COLUMNS[1:-1] ** 2)
    index = np.column_stack(
        [start + right, offset + np.arange(inner[..., 0].size).reshape(rows, -1), start + left]
    )
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    quads = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=2).reshape(-1, 3)
    ends = [_fan(index[0], start), _fan(index[-1][::-1], start + around // 2)]
    return inner.reshape(-1, 3), np.concatenate([quads, *ends]).astype(np.int32)


def _fan(edge: Ints, apex: int) -> Ints:
    """Faces between an edge of the grid and the lowest or highest point of the ring."""
    return np.stack([edge[1:], edge[:-1], np.full(len(edge) - 1, apex)], -1)


def _grid_places() -> tuple[F64, F64]:
    return (ROWS[:-1] + ROWS[1:])[:, None] / 2, np.abs((COLUMNS[:-1] + COLUMNS[1:]) / 2)[None]


def _front_finish(style: VehicleStyle) -> Texts:
    row, column = _grid_places()
    low, high = style.lamp_rows
    names = np.full(np.broadcast(row, column).shape, "paint", dtype="U16")
    names[(row > low - 0.1) & (row < high) & (column < 0.5)] = "trim"
    names[(row > high - 0.1) & (row < high) & (column < 0.25)] = "chrome"
    names[(row > low) & (row < high) & (column > 0.55)] = "headlight"
    names[((row > 0.05) & (row < 0.28) & (column < 0.7)) | (row + 0 * column < 0.05)] = "trim"
    names[(row > 0.28) & (row < 0.45) & (column < 0.25)] = "plate"
    return _padded(names)


def _rear_finish(style: VehicleStyle) -> Texts:
    row, column = _grid_places()
    low, high = style.tail_rows
    names = np.full(np.broadcast(row, column).shape, "paint", dtype="U16")
    names[(row > low) & (row < high) & (column > 0.7)] = "taillight"
    names[(row > 0.5) & (row < 0.68) & (column < 0.25)] = "plate"
    names[row + 0 * column < 0.2] = "trim"
    names[(row > 0.43) & (row < 0.5) & (column < 0.9)] = "gap"
    return _padded(names)


def _padded(names: Texts) -> Texts:
    """(Q,) names of the quads, followed by the entries of the two fans of triangles."""
    fans = np.repeat(["trim", "paint"], names.shape[1] // 2)
    return np.concatenate([names.ravel(), fans])


def _floor(style: VehicleStyle, size: tuple[float, float, float]) -> MeshPart:
    length, width, height = size
    top = min(style.wheel * (1 + ARCH), float(top_height(style, height, np.asarray(0.05)))) - 0.03
    across = max(width / 2 - 0.30, 0.3)
    low = (-0.47 * length, -across, style.clearance + 0.02)
    return rounded_box(low, (0.46 * length, across, top), "gap")
