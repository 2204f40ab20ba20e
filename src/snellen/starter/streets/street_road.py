"""The road of a street: alignment, cross-section and surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.starter.streets.body import Body, joined, sheet
from snellen.starter.streets.street_materials import STREET
from snellen.vision.arrays import F64

SENSOR_HEIGHT = 1.73
KERB = 0.12
SLOPE = 0.015
MARK = 0.12
DASH, PERIOD, STEP = 3.0, 9.0, 1.5
BEGIN, END = -90.0, 180.0
WIDE = 60.0


@dataclass(frozen=True)
class Road:
    """A road in its own coordinates: s metres along its centre line, d metres to the left of it.

    bend: curvature in 1/m, positive to the left. turn: radians by which the ego car's heading is
    left of the road's. lane: width of one of the `lanes` each way. parking, pavement: widths on
    the right and on the left. The ego car drives on the right, in the lane by the kerb, at s = 0.
    """

    bend: float = 0.0
    turn: float = 0.0
    lane: float = 3.4
    lanes: int = 1
    parking: tuple[float, float] = (2.2, 2.2)
    pavement: tuple[float, float] = (3.0, 3.0)

    @property
    def own(self) -> float:
        """The d of the ego car."""
        return -(self.lanes - 0.5) * self.lane

    def kerb(self, side: int) -> float:
        """The distance of the kerb from the centre line; side: -1 right, 1 left."""
        return self.lanes * self.lane + self.parking[(side + 1) // 2]

    def front(self, side: int) -> float:
        """The distance of the pavement's far edge from the centre line."""
        return self.kerb(side) + 0.15 + self.pavement[(side + 1) // 2]

    def at(self, s: npt.ArrayLike, d: npt.ArrayLike) -> F64:
        """(N, 3) x, y in the LiDAR frame and the road's heading there, of N places."""
        along, aside = np.broadcast_arrays(np.asarray(s, np.float64), np.asarray(d, np.float64))
        heading = self.bend * along
        half = np.sinc(heading / (2 * np.pi))
        x = along * half * np.cos(heading / 2) - aside * np.sin(heading)
        y = along * half * np.sin(heading / 2) + aside * np.cos(heading) - self.own
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        return np.stack([x * cos + y * sin, y * cos - x * sin, heading - self.turn], axis=-1)

    def height(self, d: npt.ArrayLike) -> F64:
        """Z of the ground in the LiDAR frame: the road slopes to its kerbs, pavements are level."""
        aside = np.asarray(d, dtype=np.float64)
        kerb = np.where(aside < 0, self.kerb(-1), self.kerb(1))
        fall = SLOPE * (np.minimum(np.abs(aside), kerb) - abs(self.own))
        return np.asarray(-SENSOR_HEIGHT - fall + KERB * (np.abs(aside) > kerb + 1e-9))


def surface(road: Road) -> Body:
    """The ground: road with markings, kerbs, pavements, and the terrain beyond."""
    knots, names = _section(road)
    heights = road.height(knots)
    steps = np.arange(BEGIN, END + STEP / 2, STEP)
    x, y, _ = np.moveaxis(road.at(steps[:, None], knots[None, :]), -1, 0)
    grid = np.stack([x, y, np.broadcast_to(heights, x.shape)], axis=-1)
    corners = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2)
    dash = (steps[:-1] % PERIOD) < DASH
    kinds = list(STREET)
    which = np.array(
        [[kinds.index(_shown(name, on)) for name in names] for on in dash.tolist()], np.int16
    )
    near = sheet(corners.reshape(-1, 4, 3), list(STREET.values()), which.ravel())
    return joined([near, _field()])


def _shown(name: str, dash: bool) -> str:
    return ("mark" if dash else "asphalt") if name == "dashed" else name


def _section(road: Road) -> tuple[F64, list[str]]:
    """The d at which the surface changes, from right to left, and the surfaces between."""
    half = MARK / 2
    right, left = road.kerb(-1), road.kerb(1)
    cuts: list[tuple[float, str]] = [
        (-WIDE, "yard"), (-road.front(-1), "pavement"), (-right - 0.15, "kerb"),
        (-right, "kerb"), (-right + 1e-6, "gutter"), (-right + 0.25, "parking"),
    ]  # fmt: skip
    for number in range(-road.lanes, road.lanes + 1):
        middle = number * road.lane
        outer = abs(number) == road.lanes
        inside = "parking" if number == road.lanes else "asphalt"
        cuts += [(middle - half, "mark" if outer else "dashed"), (middle + half, inside)]
    cuts += [
        (left - 0.25, "gutter"), (left - 1e-6, "kerb"), (left, "kerb"),
        (left + 0.15, "pavement"), (road.front(1), "yard"), (WIDE, ""),
    ]  # fmt: skip
    knots = np.array([cut for cut, _ in cuts])
    # The kerb's face is vertical: its foot is level with the gutter, its top behind the kerb line.
    knots[3] -= 1e-3
    knots[-4] += 1e-3
    return knots, [name for _, name in cuts[:-1]]


def _field() -> Body:
    """Level terrain to the horizon, below everything else."""
    far, low = 900.0, -SENSOR_HEIGHT - 0.4
    corners = np.array([[[-far, -far, low], [far, -far, low], [far, far, low], [-far, far, low]]])
    return sheet(corners, [STREET["field"]])
