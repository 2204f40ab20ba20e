"""The detectors of the experiments, from the starter pack and the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from snellen.starter.fetch import fetch


def detectors(data: Path) -> dict[str, dict[str, Any]]:
    """Configurations of subjects by name."""
    tiny = fetch(["yolov4-tiny"])["yolov4-tiny"]
    folder = data / "detectors"
    return {
        "YOLOX-nano": {"kind": "onnx", "model": str(folder / "yolox_nano.onnx")},
        "NanoDet": {"kind": "onnx", "model": str(folder / "nanodet.onnx")},
        "SSD-MobileNet": {
            "kind": "tflite",
            "model": str(folder / "ssd_mobilenet.tflite"),
            "classes": str(folder / "ssd_mobilenet.txt"),
        },
        "YOLOv4-tiny": {
            "kind": "darknet",
            "cfg": str(tiny / "yolov4-tiny.cfg"),
            "weights": str(tiny / "yolov4-tiny.weights"),
        },
    }
