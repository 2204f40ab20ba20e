"""What a command imports and builds, loaded once: processes forked from here start at once."""

from __future__ import annotations

import gc
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

import cv2  # noqa: F401
import numpy as np
import PIL.Image
import pydantic.type_adapter  # noqa: F401
import pytest  # noqa: F401
import typer.main

from snellen.cli.main import app
from snellen.vision.boxes.box_geometry import iou

ROOMS = ("changes", "cli", "engine", "methods", "objects", "report", "scenes", "statistics",
         "store", "subjects.planted", "vision")  # fmt: skip
"""Those that need no network's library."""

for room in ROOMS:
    package = import_module(f"snellen.{room}")
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)

PIL.Image.preinit()
vars(typer.main)["get_command"] = cache(typer.main.get_command)
typer.main.get_command(app)
iou(np.array([[0.0, 0.0, 2.0, 2.0]]), np.array([[1.0, 1.0, 3.0, 3.0]]))
# What is here stays: a fork that looks through it for garbage would copy every page of it.
gc.collect()
gc.freeze()
