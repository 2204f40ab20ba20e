"""The subject that a model file, a Python name or a configuration suggests."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from snellen.configuration import read_yaml
from snellen.configuration.stored_configuration import is_of_run
from snellen.disk.path_checks import is_file, is_folder
from snellen.errors import UserError
from snellen.subjects.registry import check_code, code_in

KINDS = {".onnx": "onnx", ".tflite": "tflite", ".cfg": "darknet", ".weights": "darknet"}
"""Kinds of subjects by the suffix of their model file."""
PICKLED = (".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".torchscript", ".pt2")
"""Files of torch: programs that run as they are, or weights that need the code of a network."""
PROGRAM = "torch-program"
SAVED = "config.json"
"""The file by which a folder is known that `save_pretrained` of transformers wrote."""
ACCEPTED = (
    f"{', '.join(KINDS)}, TorchScript or a .pt2 program of torch, a folder with {SAVED} "
    "(transformers), a Python name as module:attribute, or a .yaml file with a `subject`"
)
SHOWN = 4
"""Files that a message lists."""
HELP = "snellen docs subjects-model-files"
"""The page on model files."""
_TARGET = re.compile(r"^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$")


@dataclass(frozen=True)
class RecognisedSubject:
    """The options of a subject, with absolute paths.

    words: what was taken, for the user. folder: where relative paths and modules are looked up.
    """

    values: dict[str, Any]
    words: str
    folder: Path


def recognise_subject(model: str | Path | Mapping[str, Any]) -> RecognisedSubject:
    """The subject that is meant; an error with the next step if there is none.

    model: a model file, `module:attribute`, `file.py:attribute`, a configuration file with a
    subject, or the options of one.
    """
    if isinstance(model, Mapping):
        values = dict(model)
        return RecognisedSubject(values, f"a subject of kind {values.get('kind')}", Path.cwd())
    target = _python_target(str(model))
    if target is not None:
        return target
    path = Path(model)
    if is_saved_pipeline(path):
        values = guess_subject(path.resolve(), path.resolve().parent)
        return RecognisedSubject(values, f"{path.name}, a transformers model", path.parent)
    check_model_file(path)
    if path.suffix in (".yaml", ".yml"):
        return _configured(path)
    if path.suffix not in (*KINDS, *PICKLED):
        raise UserError(
            f"{path}: '{path.suffix}' is no kind of model. Accepted are {ACCEPTED}.", next=HELP
        )
    values = guess_subject(path.resolve(), path.resolve().parent)
    if values["kind"] == "darknet":
        _check_pair(path, values)
    return RecognisedSubject(values, f"{path.name}, a model of kind {values['kind']}", path.parent)


def check_model_file(path: Path) -> None:
    """Refuse a file that does not exist, or that has weights alone."""
    if is_folder(path):
        raise UserError(
            f"{path}: is a folder, expected a model; the model comes before the data. Accepted are "
            f"{ACCEPTED}.",
            next=HELP,
        )
    if not is_file(path):
        raise UserError(
            f"{path}: no such model file{_similar(path)} Correct the path; accepted are "
            f"{ACCEPTED}.",
            next=HELP,
        )
    if path.suffix in PICKLED and not is_torch_program(path):
        raise UserError(_pickled(path), next="snellen docs subjects-torch")


def guess_subject(model: Path | None, folder: Path) -> dict[str, Any]:
    """The subject that a model file suggests, for a configuration in `folder`."""
    if model is None:
        return {"kind": "onnx", "model": "model.onnx"}
    if model.suffix == ".py":
        return {"kind": "python", "target": f"{model.stem}:detect"}
    if is_saved_pipeline(model):
        return {"kind": "transformers", "model": relative_path(folder, model)}
    kind = PROGRAM if is_torch_program(model) else KINDS.get(model.suffix)
    if kind is None:
        raise UserError(
            f"--subject {model}: the suffix '{model.suffix}' names no kind of subject; "
            f"expected {', '.join(KINDS)} or .py. Omit --subject and fill in the file."
        )
    if kind == "darknet":
        return {
            "kind": kind,
            "cfg": relative_path(folder, model.with_suffix(".cfg")),
            "weights": relative_path(folder, model.with_suffix(".weights")),
        }
    return {"kind": kind, "model": relative_path(folder, model)}


def is_torch_program(path: Path) -> bool:
    """Whether a file is TorchScript or an exported program, which need no code of ours to run.

    Both are archives that contain code, as text or as a graph; nothing of them is executed here.
    """
    if path.suffix not in PICKLED or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        inner = [name.partition("/")[2] for name in archive.namelist()]
    return any(name.startswith("code/") or name == "models/model.json" for name in inner)


def is_saved_pipeline(path: Path) -> bool:
    """Whether a folder has a model that `save_pretrained` of transformers wrote."""
    return is_file(path / SAVED)


def relative_path(folder: Path, path: Path) -> str:
    """The path as a configuration in `folder` gives it; absolute ones stay."""
    return str(path if path.is_absolute() else os.path.relpath(path, folder))


def _python_target(model: str) -> RecognisedSubject | None:
    """The subject of a Python name or file; None if it is neither."""
    name, colon, attribute = model.partition(".py:")
    if not colon and model.endswith(".py"):
        name, colon, attribute = model.removesuffix(".py"), ".py:", "detect"
    if colon:
        file = Path(f"{name}.py")
        if not is_file(file):
            raise UserError(
                f"{file}: no such file. Correct the path of your Python code.",
                next="snellen docs subjects-your-own",
            )
        target, folder = f"{file.stem}:{attribute}", file.resolve().parent
    elif _TARGET.match(model):
        target, folder = model, Path.cwd()
    else:
        return None
    words = f"{target}, Python code in {folder}"
    return RecognisedSubject({"kind": "python", "target": target}, words, folder)


def _configured(path: Path) -> RecognisedSubject:
    given = read_yaml(path)
    values = given.get("subject")
    if is_of_run(path):
        check_code(path, given, list(code_in({"subject": values})))
    if not isinstance(values, Mapping):
        raise UserError(f"{path}: has no `subject`. Add one, or name a model file.", next=HELP)
    words = f"the subject of {path.name}, of kind {values.get('kind')}"
    return RecognisedSubject(dict(values), words, path.resolve().parent)


def _check_pair(path: Path, values: Mapping[str, Any]) -> None:
    for key in ("cfg", "weights"):
        if not is_file(Path(values[key])):
            raise UserError(
                f"{path}: a Darknet model is two files, and {values[key]} is missing. "
                "Put .cfg and .weights beside one another, with the same name.",
                next=HELP,
            )


def _pickled(path: Path) -> str:
    risk = "" if path.suffix == ".safetensors" else ", and loading it could run any code"
    yolo = f", for YOLO with `yolo export model={path} format=onnx`" if path.suffix == ".pt" else ""
    return (
        f"{path}: has the weights of a network, but not its layers{risk}. Export the network to "
        f"ONNX{yolo}, and give that file; or give module:attribute of your own Python code that "
        "loads it."
    )


def _similar(path: Path) -> str:
    """The end of a sentence: the closest model file in the same folder, or those there are."""
    known = sorted(one.name for one in path.parent.glob("*") if one.suffix in KINDS)
    alike = {Path(name).stem: name for name in known if Path(name).suffix == path.suffix}
    close = get_close_matches(path.stem, alike, n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{path.with_name(alike[close[0]])}'?"
    return f". The models there: {', '.join(known[:SHOWN])}." if known else "."
