"""The files that the mistakes are made with: models, data sets, code, configurations and runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from PIL import Image

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from tests.subjects.decoders.test_foreign_heads import oriented, pose
from tests.subjects.model_file.classifier_graphs import onnx_classifier
from tests.subjects.model_file.colour_detector import colour_detector, colour_scenes
from tests.subjects.model_file.model_graphs import constant_model

CODE = {
    "code.py": "NUMBER = 3\n\n\ndef detect(image):\n    return [], [], []\n",
    "uses_maite.py": "import maite\n",
    "broken.py": "raise ValueError('no licence')\n",
}
TEXTS = {
    "text.onnx": "this is no model\n",
    "best.pt": "weights",
    "best.pth": "weights",
    "best.safetensors": "weights",
    "model.tflite": "weights",
    "notes/read.txt": "no image",
    "list.json": "[1, 2]",
    "other.json": '{"boxes": []}',
    "tab.yaml": "method: identity\nsubject:\n\tkind: planted\n",
    "list.yaml": "- method\n- subject\n",
}
BASE: dict[str, Any] = {
    "method": "identity",
    "subject": {"kind": "planted"},
    "scenes": {"kind": "synthetic", "count": 2, "size": [144, 192]},
    "engine": {"workers": 0},
    "out": "new",
}
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "good": {},
    "key": {"sceens": {"kind": "synthetic"}},
    "option": {"subject": {"kind": "onnx", "model": "model.onnx", "scor": 0.3}},
    "type": {"seed": "one"},
    "method": {"method": "insertions"},
    "kind": {"subject": {"kind": "onxx", "model": "model.onnx"}},
    "scenes_kind": {"scenes": {"kind": "cocoo"}},
    "no_scenes": {"scenes": None},
    "taken": {"out": "runs/fine"},
    "gone_model": {"subject": {"kind": "onnx", "model": "gone.onnx"}},
    "gone_scenes": {"scenes": {"kind": "folder", "path": "gone"}},
    "count": {"subject": {"kind": "onnx", "model": "model.onnx", "classes": ["red", "green"]}},
    "gpu": {
        "subject": {"kind": "onnx", "model": "model.onnx", "providers": ["CUDAExecutionProvider"]}
    },
    "classifier": {
        "method": "insertion",
        "subject": {"kind": "onnx", "model": "classifier.onnx"},
        "objects": {"kind": "synthetic", "count": 4, "shade": "deep"},
    },
    "attribute": {"subject": {"kind": "python", "target": "code:detct"}},
    "raises": {"subject": {"kind": "python", "target": "broken:detect"}},
    "no_function": {"subject": {"kind": "python", "target": "code:NUMBER"}},
    "voc": {"scenes": {"kind": "voc", "root": "voc", "split": "test"}},
    "yolo": {"scenes": {"kind": "yolo", "images": "yolo/images", "labels": "yolo/labels"}},
    "tflite": {"subject": {"kind": "tflite", "model": "model.tflite"}},
    "torch": {"subject": {"kind": "torch", "target": "code:detect"}},
    "maite": {"subject": {"kind": "maite", "target": "uses_maite:model"}},
    "lidar": {"subject": {"kind": "lidar-only"}, "scenes": {"kind": "streets", "count": 1}},
}


def write_mistakes(folder: Path) -> None:
    """Write everything into a folder."""
    for name, text in (TEXTS | CODE).items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    for name, changes in CONFIGURATIONS.items():
        values = {key: value for key, value in (BASE | changes).items() if value is not None}
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
    _models(folder)
    _data(folder)
    _run(folder, "fine", {"method": "identity"})
    _run(
        folder,
        "lost",
        {
            "method": "insertion",
            "subject": {"kind": "planted", "fault": "loses", "distance": 12},
            "objects": {"kind": "synthetic", "count": 4, "shade": "deep"},
            "insertion": {"per_object": 4},
        },
    )


def _models(folder: Path) -> None:
    whole = colour_detector(folder / "model.onnx").read_bytes()
    (folder / "truncated.onnx").write_bytes(whole[: len(whole) // 2])
    constant_model(folder / "pose.onnx", [1, 3, 320, 320], {"output0": pose()})
    constant_model(folder / "obb.onnx", [1, 3, 320, 320], {"output0": oriented()})
    onnx_classifier(folder / "classifier.onnx", [1, 3, 32, 32])


def _data(folder: Path) -> None:
    (folder / "empty").mkdir()
    colour_scenes(folder / "data", 4)
    shutil.copytree(folder / "data", folder / "animals")
    known = json.loads((folder / "data" / "instances.json").read_text(encoding="utf-8"))
    named = [{**one, "name": f"animal {one['id']}"} for one in known["categories"]]
    text = json.dumps({**known, "categories": named})
    (folder / "animals" / "instances.json").write_text(text, encoding="utf-8")
    (folder / "moved").mkdir()
    shutil.copy(folder / "data" / "instances.json", folder / "moved" / "instances.json")
    _picture(folder / "yolo" / "images" / "1.png")
    (folder / "yolo" / "labels").mkdir()
    (folder / "yolo" / "labels" / "1.txt").write_text("0 0.5 0.5 0.2 0.2\n", encoding="utf-8")
    _picture(folder / "voc" / "JPEGImages" / "1.png")
    (folder / "voc" / "Annotations").mkdir()
    (folder / "voc" / "ImageSets" / "Main").mkdir(parents=True)
    for split in ("train", "val"):
        (folder / "voc" / "ImageSets" / "Main" / f"{split}.txt").write_text("1\n")


def _picture(path: Path) -> None:
    path.parent.mkdir(parents=True)
    Image.fromarray(np.full((48, 64, 3), 90, np.uint8)).save(path)


def _run(folder: Path, name: str, changes: dict[str, Any]) -> None:
    values = {**BASE, **changes, "out": f"runs/{name}"}
    run_campaign(campaign_from(values, folder / f"{name}-run.yaml"))
