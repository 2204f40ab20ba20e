"""The demonstration's configuration: on the starter pack, or on generated scenes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

ITEMS = ("yolov4-tiny", "driving")
ROAD = {0: "background", 1: "road", 2: "drivable", 3: "line", 4: "line-2", 5: "line-3"}


def demo_values(places: Mapping[str, Path]) -> dict[str, Any]:
    """A campaign of YOLOv4-tiny on 24 driving photographs; places: the items' folders."""
    model, photographs = places["yolov4-tiny"], places["driving"]
    return {
        "method": "identity",
        "seed": 1,
        "subject": {
            "kind": "darknet",
            "cfg": str(model / "yolov4-tiny.cfg"),
            "weights": str(model / "yolov4-tiny.weights"),
            "names": str(model / "coco.names"),
            "score": 0.4,
        },
        "scenes": {
            "kind": "masks",
            "images": str(photographs / "images"),
            "masks": str(photographs / "labels"),
            "classes": ROAD,
        },
        "out": "run",
    }


def offline_values() -> dict[str, Any]:
    """A campaign that needs no download: generated scenes and a subject that is not steady."""
    return {
        "method": "identity",
        "seed": 1,
        "subject": {"kind": "planted", "fault": "restless", "rate": 0.1},
        "scenes": {"kind": "synthetic", "count": 24},
        "out": "run",
    }
