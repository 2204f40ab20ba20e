"""The demo's study: a few minutes with photographs of the starter pack."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

ITEM = "driving"
"""The item of the starter pack that has the photographs."""
ANNOTATIONS = "study_demo.json"
"""What is in 18 of them, annotated by hand."""


def demo_study(photographs: Path) -> dict[str, Any]:
    """The configuration of a study that takes about five minutes. photographs: the item's folder.

    Objects of less than 60 pixels are known but not asked about.
    """
    return {
        "name": "demo",
        "title": "What do you see at a glance?",
        "purpose": (
            "A short example of a study with Snellen. You see street photographs for a fifth of "
            "a second, some of them covered with frost or too bright, and say what was in them."
        ),
        "contact": "nobody: this is an example on your own computer",
        "scenes": {
            "kind": "coco",
            "annotations": str(files("snellen.starter").joinpath(ANNOTATIONS)),
            "images": str(photographs / "images"),
        },
        "tasks": ["classify"],
        "corruptions": ["frost", "brightness"],
        "samples": 28,
        "strongest": 0.9,
        "answers": 3,
        "batch": 14,
        "sanity": 2,
        "practice": 2,
        "qualification": 0,
        "least_side": 60,
        "pictures": "jpeg",
    }
