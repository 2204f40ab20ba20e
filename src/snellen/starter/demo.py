"""The demo's configuration: on the starter pack, or on generated scenes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

ITEMS = ("yolov4-tiny", "driving")
VEHICLES = ["car", "truck", "bus"]
INTRODUCTION = (
    "Examining YOLOv4-tiny on 24 photographs taken from cars. Vehicles are inserted on the road "
    "next to what the detector finds, hiding nothing: everything else must be detected as before."
)
OFFLINE_INTRODUCTION = (
    "Testing a built-in detector with a planted fault on generated scenes. An object is inserted "
    "next to what it finds, hiding nothing: everything else must be detected as before."
)
ROAD = {0: "background", 1: "road", 2: "drivable", 3: "line", 4: "line-2", 5: "line-3"}
GROUND = [1, 2, 3, 4, 5]
"""The values of the mask that are road: drivable area, lines and curbs."""


def demo_values(places: Mapping[str, Path]) -> dict[str, Any]:
    """A campaign with YOLOv4-tiny on 24 driving photographs; places: the items' folders.

    Vehicles that the detector finds are cut out of the photographs, and inserted on the drivable
    area next to its other detections.
    """
    model, photographs = places["yolov4-tiny"], places["driving"]
    scenes = {
        "kind": "masks",
        "images": str(photographs / "images"),
        "masks": str(photographs / "labels"),
        "classes": ROAD,
    }
    return {
        "method": "insertion",
        "seed": 1,
        "subject": {
            "kind": "darknet",
            "cfg": str(model / "yolov4-tiny.cfg"),
            "weights": str(model / "yolov4-tiny.weights"),
            "score": 0.4,
        },
        "scenes": scenes,
        "objects": {**scenes, "cut": "boxes"},
        "insertion": {
            "footing": "region",
            "region_values": GROUND,
            "labels": VEHICLES,
            "per_object": 24,
            "variety": 10,
            "relocate": False,
        },
        "out": "run",
    }


def demo_exam(places: Mapping[str, Path]) -> dict[str, Any]:
    """The arguments of an exam of YOLOv4-tiny, with the campaign of `demo_values` in it.

    It has no budget: all photographs are examined, so that the same seed shows the same faults.
    """
    values = demo_values(places)
    return {
        "model": values["subject"],
        "data": values["scenes"],
        "objects": values["objects"],
        "minutes": None,
        "options": {
            "insertion": values["insertion"],
            "robustness": {"per_scene": 1, "tests_per_level": 1},
            "engine": {"stop": None},
        },
    }


def offline_values() -> dict[str, Any]:
    """A campaign that needs no download: generated scenes, and a subject with a planted fault."""
    return {
        "method": "insertion",
        "seed": 1,
        "subject": {"kind": "planted", "fault": "loses", "distance": 5},
        "scenes": {"kind": "synthetic", "count": 16},
        "objects": {"kind": "synthetic", "count": 24, "shade": "deep", "seed": 2},
        "insertion": {"per_object": 5, "relocate": False},
        "out": "run",
    }
