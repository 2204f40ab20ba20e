"""The demo of camera+LiDAR fusion: generated streets and a weak-fusion subject.

Its camera detector was trained on other generated streets and is part of the package, so nothing
is fetched.
"""

from __future__ import annotations

import shutil
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import write_atomically
from snellen.errors import MissingExtraError

STREETS, SEED = 8, 1
FOLDER, CAMERA = "streets", "camera.onnx"
INTRODUCTION = (
    "Testing a camera+LiDAR detector on generated streets. An object is inserted into image and "
    "point cloud alike: it must be found, and everything else must be detected as before."
)


def prepare_streets(folder: Path) -> None:
    """Write the streets and the camera's detector into the demo's folder.

    Existing streets are reused.
    """
    from snellen.starter.streets.street import VERSION, write_streets

    if find_spec("pypatchworkpp") is None:
        raise MissingExtraError("The fusion demo", "fusion")
    mark = folder / FOLDER / "version.txt"
    version = f"{VERSION} {SEED} {STREETS}\n"
    if not mark.is_file() or mark.read_text(encoding="utf-8") != version:
        shutil.rmtree(folder / FOLDER, ignore_errors=True)
        write_streets(folder / FOLDER, STREETS, SEED)
        mark.write_text(version, encoding="utf-8")
    packed = files("snellen.starter.streets") / CAMERA
    write_atomically(folder / CAMERA, packed.read_bytes())


def fusion_values() -> dict[str, Any]:
    """A campaign with weak fusion on the streets: the camera classifies, the LiDAR locates."""
    return {
        "method": "fusion",
        "seed": 1,
        "subject": {
            "kind": "weak-fusion",
            "camera": {"kind": "onnx", "model": CAMERA, "letterbox": "stretch", "floor": 0.15},
            "tiles": False,
        },
        "scenes": {"kind": "kitti", "root": FOLDER},
        "fusion": {"objects": 2, "tries": 4, "controls": 0.25, "nearest": 10.0},
        "out": "run",
    }
