"""The systems under test, and the test frames."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

KITTI, STREETS = "KITTI", "streets"


def subjects(data: Path) -> dict[str, dict[str, Any]]:
    """The systems by name: three modular ones, and one trained on KITTI."""
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


def street_subjects() -> dict[str, dict[str, Any]]:
    """The systems tested on generated streets; the camera's detector comes with Snellen.

    YOLOX-nano was trained on photographs and is not suitable for generated pictures.
    """
    camera = files("snellen.starter.streets") / "camera.onnx"
    seen = {"kind": "onnx", "model": str(camera), "letterbox": "stretch", "score": 0.3}
    return {
        "lidar-only": {"kind": "lidar-only"},
        "weak-fusion": {"kind": "weak-fusion", "camera": seen, "tiles": False},
    }


def scenes(data: Path, streets: int) -> dict[str, dict[str, Any]]:
    """The sets of frames by name: KITTI's, and generated streets unless their number is 0."""
    sets: dict[str, dict[str, Any]] = {KITTI: {"kind": "kitti", "root": str(data / "kitti")}}
    if streets:
        sets[STREETS] = {"kind": "streets", "count": streets}
    return sets
