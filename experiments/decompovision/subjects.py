"""What is tested, and on which scenes; all paths start at the folder of the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from snellen.starter.fetch import fetch

SEGMENTER = "YOLOv8n-seg"


def subjects(data: Path) -> dict[str, dict[str, Any]]:
    """The subjects by name, as configurations."""
    tiny = fetch(["yolov4-tiny"])["yolov4-tiny"]
    detectors = data / "detectors"
    return {
        "YOLOX-nano": {"kind": "onnx", "model": str(detectors / "yolox_nano.onnx")},
        "NanoDet": {"kind": "onnx", "model": str(detectors / "nanodet.onnx")},
        "SSD-MobileNet": {
            "kind": "tflite",
            "model": str(detectors / "ssd_mobilenet.tflite"),
            "classes": str(detectors / "ssd_mobilenet.txt"),
        },
        "YOLOv4-tiny": {
            "kind": "darknet",
            "cfg": str(tiny / "yolov4-tiny.cfg"),
            "weights": str(tiny / "yolov4-tiny.weights"),
        },
        SEGMENTER: {
            "kind": "tflite",
            "model": str(data / "segmenters" / "yolov8n-seg_int8.tflite"),
        },
    }


def scenes(data: Path, limit: int | None) -> dict[str, Any]:
    """64 images of COCO val2017, or the first `limit` of them."""
    return {
        "kind": "coco",
        "annotations": str(data / "coco_val64" / "instances.json"),
        "images": str(data / "coco_val64" / "images"),
        "limit": limit,
    }
