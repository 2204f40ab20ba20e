"""Snellen: an eye exam for machine vision.

`import snellen as sn` gives one flat namespace; each name is imported when it is first used, so
that the import itself costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from snellen.engine.campaign import load_campaign as load_campaign
    from snellen.methods.combinations.covering.cover import cover as cover
    from snellen.scenes.scene import Scene as Scene
    from snellen.scenes.scene import SceneSet as SceneSet
    from snellen.session.campaign import run as run
    from snellen.session.campaign import test as test
    from snellen.session.evaluation import evaluate as evaluate
    from snellen.session.exam import exam as exam
    from snellen.session.plain_scenes import open_scenes as open_scenes
    from snellen.session.plain_subject import open_subject as open_subject
    from snellen.session.run import Run as Run
    from snellen.session.run import open_run as open_run
    from snellen.session.trackers.mlflow_tracker import log_to_mlflow as log_to_mlflow
    from snellen.session.trackers.wandb_tracker import log_to_wandb as log_to_wandb
    from snellen.subjects.subject import Subject as Subject
    from snellen.vision.annotations import Annotations as Annotations
    from snellen.vision.boxes.matching import match as match
    from snellen.vision.detections import Detections as Detections
    from snellen.vision.events import compare_predictions as compare_predictions
    from snellen.vision.label_vector import LabelVector as LabelVector
    from snellen.vision.masks.rle_masks import Masks as Masks
    from snellen.vision.precision.tide import tide as tide

_PLACES = {
    "Annotations": "snellen.vision.annotations",
    "Detections": "snellen.vision.detections",
    "LabelVector": "snellen.vision.label_vector",
    "Masks": "snellen.vision.masks.rle_masks",
    "Run": "snellen.session.run",
    "Scene": "snellen.scenes.scene",
    "SceneSet": "snellen.scenes.scene",
    "Subject": "snellen.subjects.subject",
    "compare_predictions": "snellen.vision.events",
    "cover": "snellen.methods.combinations.covering.cover",
    "evaluate": "snellen.session.evaluation",
    "exam": "snellen.session.exam",
    "load_campaign": "snellen.engine.campaign",
    "log_to_mlflow": "snellen.session.trackers.mlflow_tracker",
    "log_to_wandb": "snellen.session.trackers.wandb_tracker",
    "match": "snellen.vision.boxes.matching",
    "open_run": "snellen.session.run",
    "open_scenes": "snellen.session.plain_scenes",
    "open_subject": "snellen.session.plain_subject",
    "run": "snellen.session.campaign",
    "test": "snellen.session.campaign",
    "tide": "snellen.vision.precision.tide",
}

__all__ = ["__version__", *_PLACES]


class _Namespace(ModuleType):
    """The flat namespace; a room never hides the function of its name, such as `exam`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Namespace


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'snellen' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
