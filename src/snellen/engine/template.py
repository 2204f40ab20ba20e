"""A commented configuration to start from, generated from the options' descriptions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import yaml
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from snellen.configuration import Options
from snellen.engine.options import EngineOptions
from snellen.errors import UserError
from snellen.methods.kind import METHODS, MethodKind
from snellen.objects.library.cut_options import CutOptions
from snellen.scenes.registry import READERS, open_scenes
from snellen.subjects.registry import ADAPTERS, READ_AS

NAMES = ("data.yaml", "data.yml", "dataset.yaml", "classes.txt", "obj.names")
"""Files with the class names of YOLO data, the first of which is used."""
SUBJECTS = {".onnx": "onnx", ".tflite": "tflite", ".cfg": "darknet", ".weights": "darknet"}

Values = dict[str, Any]


def guess_subject(model: Path | None, folder: Path) -> Values:
    """The subject that a model file suggests, for a configuration in `folder`."""
    if model is None:
        return {"kind": "onnx", "model": "model.onnx"}
    if model.suffix == ".py":
        return {"kind": "python", "target": f"{model.stem}:detect"}
    kind = SUBJECTS.get(model.suffix)
    if kind is None:
        raise UserError(
            f"--subject {model}: the suffix '{model.suffix}' names no kind of subject; "
            f"expected {', '.join(SUBJECTS)} or .py. Omit --subject and fill in the file."
        )
    if kind == "darknet":
        return {
            "kind": kind,
            "cfg": _relative_path(folder, model.with_suffix(".cfg")),
            "weights": _relative_path(folder, model.with_suffix(".weights")),
        }
    return {"kind": kind, "model": _relative_path(folder, model)}


def guess_scenes(place: Path | None, folder: Path) -> Values:
    """The scene set that a folder or file suggests, for a configuration in `folder`."""
    if place is None:
        return {"kind": "folder", "path": "images"}
    path = _relative_path(folder, place)
    if place.suffix == ".json":
        images = _relative_path(folder, place.parent / "images")
        return {"kind": "coco", "annotations": path, "images": images}
    if place.suffix in (".yaml", ".yml"):
        return {"kind": "yolo", "data": path}
    for mark, kind in (("training/velodyne", "kitti"), ("JPEGImages", "voc")):
        if (place / mark).is_dir():
            return {"kind": kind, "root": path}
    return _annotated_images(place, folder) or {"kind": "folder", "path": path}


def _annotated_images(place: Path, folder: Path) -> Values | None:
    """The scene set of a folder of images with annotations beside it; None without any.

    COCO: `instances*.json` in the folder, beside it, or in `annotations` beside it. YOLO: a folder
    `labels` beside `images`, with class names in a `data.yaml` or `classes.txt` beside these.
    """
    for near in (place, place.parent, place.parent / "annotations"):
        for file in sorted(near.glob("instances*.json")):
            images = place / "images" if (place / "images").is_dir() else place
            return {
                "kind": "coco",
                "annotations": _relative_path(folder, file),
                "images": _relative_path(folder, images),
            }
    images = place / "images" if (place / "images").is_dir() else place
    labels = label_folder(images)
    if labels is None:
        return None
    names = [near / name for near in (images.parent, images.parent.parent) for name in NAMES]
    known = next((file for file in names if file.is_file()), None)
    if known is None:
        return None
    return {
        "kind": "yolo",
        "images": _relative_path(folder, images),
        "labels": _relative_path(folder, labels),
        "classes": _relative_path(folder, known),
    }


def label_folder(images: Path) -> Path | None:
    """The folder of YOLO labels of a folder of images: `labels` in place of the last `images`."""
    parts = list(images.parts)
    for place in range(len(parts) - 1, -1, -1):
        if parts[place] == "images":
            labels = Path(*parts[:place], "labels", *parts[place + 1 :])
            return labels if labels.is_dir() and any(labels.glob("*.txt")) else None
    return None


def _relative_path(folder: Path, path: Path) -> str:
    return str(path if path.is_absolute() else os.path.relpath(path, folder))


def starter_options(method: str, config: Path, scenes: Values, *, force: bool = False) -> Values:
    """Options of the method that a new configuration needs; writes the files that they name."""
    kind: MethodKind = METHODS.load(METHODS.check(method, "--method"))
    starter = kind.opened_starter()
    if starter is None:
        return {}
    return starter(config, open_scenes(scenes, config.parent), force=force)


def template(
    method: str, subject: Values, scenes: Values, objects: Values, options: Values | None = None
) -> str:
    """The text of a configuration with every option, those at their defaults commented out.

    options: the method's own that are known.
    """
    kind: MethodKind = METHODS.load(METHODS.check(method, "--method"))
    parts = [
        "# What Snellen tests, with what, and how. Relative paths start at this file's folder.",
        "# Lines that begin with '#' show defaults; remove the '#' to change one.",
        "",
        f"method: {method}  # one of: {', '.join(METHODS.kinds())}",
        "seed: 1  # seed of all randomness",
        "out: runs/first  # the run folder",
        "",
        "subject:  # the vision system under test",
        *_section(ADAPTERS.load(subject["kind"]).options, subject),
        f"  # {READ_AS}: null  # labels: read a detector as a multi-label classifier",
        "",
        *(_scenes(scenes) if kind.scenes else []),
        *(_objects(objects) if kind.objects else []),
        f"{method}:  # the method's own options",
        *(_section(kind.options, options or {}) or ["  # none"]),
        "",
        "engine:  # how the run is executed; only the two budgets change a result",
        *_section(EngineOptions, {}),
    ]
    return "\n".join(parts) + "\n"


def _scenes(scenes: Values) -> list[str]:
    return [
        "scenes:  # what the subject is tested on",
        *_section(READERS.load(scenes["kind"]).options, scenes),
        "",
    ]


def _objects(objects: Values) -> list[str]:
    reader = READERS.load(objects["kind"]).options
    return [
        "objects:  # what can be put into a scene: a library, or scenes to cut objects from",
        *_section(reader, objects),
        *_section(CutOptions, objects),
        "",
    ]


def _section(model: type[Options], given: Values) -> list[str]:
    """A line for each option: the kind, then required and given ones, then the rest."""
    fields = sorted(
        model.model_fields.items(),
        key=lambda one: (one[0] != "kind", one[0] not in given and not one[1].is_required()),
    )
    return [_line(name, field, given) for name, field in fields]


def _line(name: str, field: FieldInfo, given: Values) -> str:
    note = f"  # {field.description}" if field.description else ""
    if name in given:
        return f"  {name}: {_plain(given[name])}{note}"
    if field.is_required():
        return f"  {name}:  # required{note.replace('  #', ':')}"
    default = to_jsonable_python(field.get_default(call_default_factory=True))
    return f"  # {name}: {_plain(default)}{note}"


def _plain(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6).strip()
    return text.removesuffix("...").strip()
