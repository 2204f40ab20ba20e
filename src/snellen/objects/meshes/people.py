"""A parametric pedestrian, and the figure that riders share: limbs between joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.primitives import MeshPart, Palette, ellipsoid, join_parts, tube
from snellen.objects.meshes.sizes import Size
from snellen.vision.arrays import F64

Point = tuple[float, float, float]

CLOTHS = ((40, 44, 56), (92, 30, 34), (60, 76, 60), (150, 142, 128), (34, 58, 96), (190, 188, 182),
          (24, 24, 26), (120, 96, 70), (44, 96, 108), (168, 120, 44))  # fmt: skip
SKINS = ((224, 180, 152), (198, 146, 114), (150, 104, 76), (96, 64, 48))
HAIRS = ((30, 24, 20), (72, 50, 34), (120, 92, 60), (90, 88, 86))


@dataclass(frozen=True)
class Pose:
    """The joints of a figure 1.76 m tall, in metres; left before right."""

    hip: Point
    chest: Point
    head: Point
    knees: tuple[Point, Point]
    ankles: tuple[Point, Point]
    elbows: tuple[Point, Point]
    hands: tuple[Point, Point]


def pedestrian(size: Size, rng: np.random.Generator) -> Mesh:
    """A walking person of this length (with the stride), width and height in metres."""
    solids = figure(_walking(size[0], size[1], float(rng.uniform(0.6, 1.0))))
    return join_parts("pedestrian", "Pedestrian", solids, clothing(rng), size)


def clothing(rng: np.random.Generator) -> Palette:
    """Random colours of coat, trousers, shoes, skin and hair."""
    coat, trousers = (CLOTHS[int(i)] for i in rng.integers(len(CLOTHS), size=2))
    return {
        "coat": ("cloth", coat),
        "trousers": ("cloth", trousers),
        "shoe": ("plastic", (34, 30, 28)),
        "skin": ("skin", SKINS[int(rng.integers(len(SKINS)))]),
        "hair": ("hair", HAIRS[int(rng.integers(len(HAIRS)))]),
    }


def _walking(length: float, width: float, swing: float) -> Pose:
    step = min(max(length - 0.3, 0.16), 0.75) * 0.5
    reach = step * swing
    out = min(max(width / 2 - 0.06, 0.2), 0.3)
    return Pose(
        hip=(0.0, 0.0, 0.93),
        chest=(0.02, 0.0, 1.36),
        head=(0.05, 0.0, 1.635),
        knees=((0.55 * step + 0.03, 0.095, 0.5), (-0.25 * step + 0.03, -0.095, 0.5)),
        ankles=((step, 0.09, 0.085), (-step, -0.09, 0.13)),
        elbows=((-0.55 * reach, 0.85 * out, 1.12), (0.35 * reach, -0.85 * out, 1.12)),
        hands=((-0.45 * reach, out, 0.87), (reach, -out, 0.9)),
    )


def figure(pose: Pose, *, helmet: str | None = None) -> list[MeshPart]:
    """The parts of a figure in this pose, with hair or a helmet of the named finish."""
    hip, chest = np.asarray(pose.hip), np.asarray(pose.chest)
    solids = [_torso(hip, chest), _neck(chest, np.asarray(pose.head))]
    for k, side in enumerate((1, -1)):
        solids += _leg(hip + np.array([0.0, 0.085 * side, 0]), pose.knees[k], pose.ankles[k])
        solids += _arm(chest + np.array([0.0, 0.168 * side, 0.055]), pose.elbows[k], pose.hands[k])
    return solids + _head(np.asarray(pose.head), helmet)


def _torso(hip: F64, chest: F64) -> MeshPart:
    shares = np.array([-0.16, -0.02, 0.2, 0.45, 0.7, 0.92, 1.05, 1.15, 1.23])
    radii = [0.165, 0.182, 0.178, 0.175, 0.196, 0.212, 0.205, 0.175, 0.12]
    path = hip + shares[:, None] * (chest - hip)
    return tube(path.tolist(), radii, "coat", sides=24, flat=0.66)


def _neck(chest: F64, head: F64) -> MeshPart:
    base = chest + 0.25 * (head - chest)
    return tube([base.tolist(), ((base + head) / 2).tolist(), head.tolist()], [0.062, 0.055, 0.055],
                "skin")  # fmt: skip


def _leg(hip: F64, knee: Point, ankle: Point) -> list[MeshPart]:
    k, a = np.asarray(knee), np.asarray(ankle)
    thigh = [hip.tolist(), (0.5 * (hip + k)).tolist(), k.tolist()]
    shin = [k.tolist(), (0.65 * k + 0.35 * a).tolist(), a.tolist()]
    heel, toe = a + np.array([-0.06, 0.0, -0.045]), a + np.array([0.17, 0.0, -0.055])
    shoe = [heel.tolist(), (0.5 * (heel + toe)).tolist(), toe.tolist()]
    return [
        tube(thigh, [0.098, 0.09, 0.066], "trousers", sides=18),
        tube(shin, [0.066, 0.066, 0.05], "trousers", sides=18),
        tube(shoe, [0.042, 0.045, 0.03], "shoe", sides=14),
    ]


def _arm(shoulder: F64, elbow: Point, hand: Point) -> list[MeshPart]:
    e, h = np.asarray(elbow), np.asarray(hand)
    wrist = e + 0.86 * (h - e)
    return [
        tube([shoulder.tolist(), (0.5 * (shoulder + e)).tolist(), e.tolist()], [0.068, 0.058, 0.05],
             "coat"),
        tube([e.tolist(), (0.5 * (e + wrist)).tolist(), wrist.tolist()], [0.05, 0.046, 0.038],
             "coat"),
        ellipsoid(h.tolist(), (0.045, 0.035, 0.055), "skin", rows=8, sides=12),
    ]  # fmt: skip


def _head(head: F64, helmet: str | None) -> list[MeshPart]:
    face = ellipsoid(head.tolist(), (0.095, 0.078, 0.122), "skin", rows=16, sides=24)
    if helmet == "helmet-full":
        shell = ellipsoid(head.tolist(), (0.135, 0.118, 0.142), "helmet", rows=16, sides=24)
        front = head + np.array([0.03, 0.0, 0.01])
        visor = ellipsoid(front.tolist(), (0.118, 0.104, 0.066), "visor", rows=12, sides=24)
        return [face, shell, visor]
    tip, crown = head + np.array([0.095, 0.0, -0.01]), head + np.array([-0.022, 0.0, 0.034])
    finish = "helmet" if helmet else "hair"
    return [
        face,
        ellipsoid(tip.tolist(), (0.022, 0.014, 0.024), "skin", rows=6, sides=10),
        ellipsoid(crown.tolist(), (0.098, 0.088, 0.108), finish, rows=14, sides=24),
    ]
