"""Other poses of an inserted object: slightly off, aside, behind another object, farther away."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from snellen.methods.fusion.placing.pose import GroundPose, Size
from snellen.methods.fusion.prepared_frame import MeshInsertion, PreparedFrame
from snellen.vision.arrays import F64, Boxes3D
from snellen.vision.solids.bearing_occlusion import BearingSpans
from snellen.vision.solids.footprints import footprints_of, grown, overlapping

SLIGHT, TURNED = (0.01, 0.02), math.radians(1.0)
"""Metres by which a pose is slightly off, and radians of its yaw."""
Shift = tuple[float, float, float]
"""x, y and yaw."""
ASIDE, STEP, FARTHEST_ASIDE = 0.01, 0.02, 1.2
"""Radians kept clear between two objects side by side, between tries, and of the last try."""
FARTHER = (1.35, 1.2, 1.6, 2.0)
"""Factors of the distance, in the order in which they are tried."""
MOST_BEHIND = 15.0
"""Metres behind an object, at most."""
APART = 0.5
"""Metres kept free around an object."""
BEYOND = 1.0
"""Metres from the line straight ahead, for a place to the other side."""
FAR_OFF, DRAWN = 8.0, 48
"""Metres to another place, and how many are drawn."""


def slight_shift(turn: int, rng: Generator) -> Shift:
    """Metres and radians by which a pose is slightly off; turn: 0 to 3, in four directions."""
    angle = (turn + rng.random()) * math.pi / 2
    reach, sign = rng.uniform(*SLIGHT), 1 - 2 * (turn % 2)
    return reach * math.cos(angle), reach * math.sin(angle), sign * TURNED


def shifted(pose: GroundPose, shift: Shift, share: float = 1.0) -> GroundPose:
    """The pose off by a share of a shift."""
    dx, dy, turned = shift
    x, y, z, yaw = pose
    return GroundPose(x + share * dx, y + share * dy, z, yaw + share * turned)


def aside(
    one: MeshInsertion, clear_of: Boxes3D, taken: Boxes3D, frame: PreparedFrame, way: int
) -> GroundPose | None:
    """The nearest pose at the same range that is apart in bearing from boxes (N, 7); None if none.

    way: 1 to the left, -1 to the right. The object turns with the bearing, so that it shows the
    same side. taken: (J, 7) boxes of other insertions. Allowed places come first, then any where it
    touches nothing.
    """
    angles = way * np.arange(STEP, FARTHEST_ASIDE, STEP)
    turned = [_turned(one.place, angle, frame) for angle in angles.tolist()]
    clear = [pose for pose in turned if _clear(pose.box(one.size), clear_of)]
    free = [pose for pose in clear if _free(pose, one, taken, frame)]
    allowed = (pose for pose in free if frame.placing.allowed(pose, one.size, taken) is None)
    return next(allowed, next(iter(free), None))


def behind(
    one: MeshInsertion, other: F64, taken: Boxes3D, frame: PreparedFrame
) -> GroundPose | None:
    """The pose behind another's box (7,), as far off as it is in front, at most 15 m; or None."""
    x, y = other[:2]
    gap = min(math.hypot(one.place.x - x, one.place.y - y), MOST_BEHIND)
    away = math.hypot(x, y)
    turn = math.atan2(y, x) - math.atan2(one.place.y, one.place.x)
    scale = (away + gap) / away
    pose = _on_ground(x * scale, y * scale, one.place.yaw + turn, frame)
    return pose if _free(pose, one, taken, frame) else None


def farther(one: MeshInsertion, taken: Boxes3D, frame: PreparedFrame) -> GroundPose | None:
    """An allowed pose farther away along the same bearing; None if there is none."""
    x, y, _, yaw = one.place
    poses = (_on_ground(x * by, y * by, yaw, frame) for by in FARTHER)
    return next((p for p in poses if frame.placing.allowed(p, one.size, taken) is None), None)


def elsewhere(
    one: MeshInsertion, taken: Boxes3D, frame: PreparedFrame, rng: Generator, count: int
) -> list[GroundPose]:
    """At most `count` poses at other places, unlike in distance and in bearing.

    The nearest, where it is easiest to find; the one farthest to the other side, turned
    there if no place is allowed; the one that is farthest off.
    """
    drawn = frame.placing.draw(one.size, rng, DRAWN, taken)
    off = [pose for pose in drawn if _gap(pose, one.place) >= FAR_OFF]
    chosen = [min(off, key=lambda pose: math.hypot(pose.x, pose.y), default=None)]
    chosen.append(_other_side(one, off, taken, frame))
    chosen.append(max(off, key=lambda pose: _gap(pose, one.place), default=None))
    there = [pose for pose in chosen if pose is not None]
    return list(dict.fromkeys(there))[:count]


def _other_side(
    one: MeshInsertion, off: Sequence[GroundPose], taken: Boxes3D, frame: PreparedFrame
) -> GroundPose | None:
    """A pose to the other side of the line straight ahead: allowed, else where nothing touches."""
    side = math.copysign(1.0, one.place.y)
    best = min(off, key=lambda pose: side * math.atan2(pose.y, pose.x), default=None)
    if best is not None and side * best.y < -BEYOND:
        return best
    angles = -side * np.arange(STEP, FARTHEST_ASIDE, STEP)
    turned = (_turned(one.place, angle, frame) for angle in angles.tolist())
    beyond = (pose for pose in turned if side * pose.y < -BEYOND)
    return next((pose for pose in beyond if _free(pose, one, taken, frame)), best)


def fits(pose: GroundPose, size: Size, taken: Boxes3D, frame: PreparedFrame) -> bool:
    """Whether an object of a size touches no labelled and no other inserted one. taken: (J, 7)."""
    return _untouched(pose.box(size), 0.0, taken, frame)


def _gap(one: GroundPose, other: GroundPose) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def _turned(pose: GroundPose, angle: float, frame: PreparedFrame) -> GroundPose:
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = pose.x * cos - pose.y * sin, pose.x * sin + pose.y * cos
    return _on_ground(x, y, pose.yaw + angle, frame)


def _on_ground(x: float, y: float, yaw: float, frame: PreparedFrame) -> GroundPose:
    return GroundPose(float(x), float(y), float(frame.placing.ground_height(x, y)), float(yaw))


def _clear(box: F64, others: Boxes3D) -> bool:
    """Whether no bearing is shared."""
    own, spans = BearingSpans.of(box[None]), BearingSpans.of(others)
    wider = BearingSpans(own.bearings, own.halves + ASIDE, own.distances)
    return bool((wider.common(spans) <= 0).all())


def _free(pose: GroundPose, one: MeshInsertion, taken: Boxes3D, frame: PreparedFrame) -> bool:
    """Whether the object keeps apart from all labelled and other inserted ones."""
    return _untouched(pose.box(one.size), APART, taken, frame)


def _untouched(box: F64, apart: float, taken: Boxes3D, frame: PreparedFrame) -> bool:
    others = np.concatenate([frame.truth.boxes, taken.reshape(-1, 7)])
    own = grown(footprints_of(box[None]), apart)
    return not overlapping(own, footprints_of(others)).any()
