"""The systems under test, and the frames that they are tested on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

KITTI, STREETS = "KITTI", "streets"


def subjects(data: Path) -> dict[str, dict[str, Any]]:
    """The systems by name: three from parts, and one that was learned on KITTI."""
    camera = {"kind": "onnx", "model": str(data / "detectors" / "yolox_nano.onnx")}
    lidar = data / "lidar"
    return {
        "lidar-only": {"kind": "lidar-only"},
        "weak-fusion": {"kind": "weak-fusion", "camera": camera},
        "late-fusion": {"kind": "late-fusion", "camera": camera},
        "Point-GNN": {
            "kind": "pointgnn",
            "weights": str(lidar / "pointgnn_car_auto_T1_train.npz"),
            "config": str(lidar / "pointgnn_T1_config.json"),
        },
    }


def scenes(data: Path, streets: int) -> dict[str, dict[str, Any]]:
    """The sets of frames by name: KITTI's, and generated streets unless their number is 0."""
    sets: dict[str, dict[str, Any]] = {KITTI: {"kind": "kitti", "root": str(data / "kitti")}}
    if streets:
        sets[STREETS] = {"kind": "streets", "count": streets}
    return sets
