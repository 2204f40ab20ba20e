"""A toy detector with a planted fault, and all that its repair needs, in a folder.

It was taught that a circle with a square near is nothing. Scenes have one circle each; squares are
what is put in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.training_data import TrainingData
from snellen.repair.training.training_loop import train
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.vision.annotations import Annotations
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.masks.run_lengths import runs_of
from tests.repair import toy_scenes
from tests.repair.toy_detector import CLASSES, ToyDetector

SCENES = {"train": (16, 11), "repair": (8, 12), "evaluate": (14, 13)}
"""How many scenes of each part there are, and their seed."""
OBJECTS = {"repair": 21, "evaluate": 22}


_PLACE: list[Path] = []


def material(factory: pytest.TempPathFactory) -> Path:
    """A folder with wrong.pt, scenes/<part> and objects/<part>, made once; not to be changed."""
    if not _PLACE:
        folder = factory.mktemp("toy")
        _write_detector(folder)
        for part, (count, seed) in SCENES.items():
            make = toy_scenes.right_scenes if part == "train" else circles
            write_coco(make(count, seed), folder / "scenes" / part)
        for part, seed in OBJECTS.items():
            write_coco(squares(6, seed), folder / "objects" / part)
        _PLACE.append(folder)
    return _PLACE[0]


def _write_detector(folder: Path) -> None:
    torch.set_num_threads(1)
    right, wrong = toy_scenes.right_scenes(80, 1), toy_scenes.wrong_scenes(60, 2)
    detector = ToyDetector()
    options = TrainingOptions.model_validate(
        {"epochs": 1, "steps": 160, "batch": 8, "optimiser": "adamw", "rate": 5e-3, "warm_up": 10,
         "last_rate": 0.05, "mix": 0.4, "patience": None, "batch_norm": "train", "device": "cpu",
         "workers": 0, "augmentation": {"scale": [1, 1], "shift": 0, "hue": 0}}
    )  # fmt: skip
    data = TrainingData(right, wrong)
    train(detector, data, options, np.random.default_rng(1), folder=folder / "teaching")
    torch.save(detector.module.state_dict(), folder / "wrong.pt")


def circles(count: int, seed: int) -> SceneSet:
    """Scenes of one circle each."""
    found = []
    for number in range(count):
        own = toy_scenes.base(np.random.default_rng((seed, number)))
        found.append(toy_scenes.scene(f"circle-{seed}-{number}", own.drawn(), own.disc))
    return toy_scenes.scene_set(found)


def squares(count: int, seed: int) -> SceneSet:
    """Scenes of one square each, with its mask: objects are cut out along it."""
    found = []
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        pixels, square = toy_scenes.ground(rng), toy_scenes.some_square(rng)
        x, y = (min(max(at, 4), toy_scenes.SIZE - square.side - 4) for at in (square.x, square.y))
        mask = np.zeros(pixels.shape[:2], dtype=np.bool_)
        mask[y : y + square.side, x : x + square.side] = True
        pixels[mask] = square.colour
        masks = Masks((toy_scenes.SIZE, toy_scenes.SIZE), (runs_of(mask),))
        known = Annotations(masks.boxes(), [toy_scenes.SQUARE], masks)  # type: ignore[arg-type]
        size = (toy_scenes.SIZE, toy_scenes.SIZE)
        found.append(Scene(f"square-{seed}-{number}", PictureArray(pixels), size, known))
    return SceneSet(tuple(found), CLASSES, (1, 2))


def coco(folder: Path) -> dict[str, Any]:
    """The reading of a COCO folder that was written."""
    return {"kind": "coco", "annotations": str(folder / "instances.json"),
            "images": str(folder / "images")}  # fmt: skip


def configuration(folder: Path, **changes: Any) -> dict[str, Any]:
    """A small repair of the material in a folder."""
    values: dict[str, Any] = {
        "method": "robustness",
        "seed": 3,
        "subject": {
            "kind": "torch",
            "target": "tests.repair.toy_detector:open_toy",
            "arguments": {"weights": str(folder / "wrong.pt")},
            "threads": 1,
        },
        "scenes": {part: coco(folder / "scenes" / part) for part in SCENES},
        "objects": {part: {**coco(folder / "objects" / part), "prune": "none"} for part in OBJECTS},
        "robustness": {
            "score": 0.4, "per_scene": 1, "tests_per_level": 3, "levels": [0.0, 0.25],
            "contour": "box", "uncertainty": "none", "variety": 1, "size_ratio": [0.5, 0.9],
        },
        "retraining": {"failing": 1, "random": 0, "pictures": 2},
        "training": {
            "epochs": 3, "steps": 6, "batch": 8, "optimiser": "adamw", "rate": 2e-3, "mix": 0.5,
            "device": "cpu", "workers": 0, "measure_ap": True,
            "augmentation": {"scale": [1, 1], "shift": 0},
        },
        "engine": {"workers": 0},
        "out": "repair",
    }  # fmt: skip
    return {**values, **changes}


def write_configuration(place: Path, folder: Path, **changes: Any) -> Path:
    """The file of a small repair in `place`, of the material in `folder`."""
    path = place / "toy.yaml"
    path.write_text(yaml.safe_dump(configuration(folder, **changes)))
    return path
