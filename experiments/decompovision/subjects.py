"""The subjects and the scenes, with paths in the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments.detectors import detectors

SEGMENTER = "YOLOv8n-seg"


def subjects(data: Path) -> dict[str, dict[str, Any]]:
    """The subjects by name, as configurations."""
    segmenter = data / "segmenters" / "yolov8n-seg_int8.tflite"
    return {**detectors(data), SEGMENTER: {"kind": "tflite", "model": str(segmenter)}}


def scenes(data: Path, limit: int | None) -> dict[str, Any]:
    """600 segmented photographs of Pascal VOC 2012, or the first `limit` of them."""
    return {
        "kind": "voc",
        "root": str(data / "voc600"),
        "split": "Segmentation/val",
        "limit": limit,
    }
