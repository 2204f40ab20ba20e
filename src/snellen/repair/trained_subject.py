"""A copy of a torch subject, trained and saved so that a configuration can open it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from snellen.configuration import read_yaml
from snellen.configuration.stored_configuration import store_configuration
from snellen.errors import UserError
from snellen.repair.picture_sets import PictureSet
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.training_data import TrainingData, with_validation
from snellen.repair.training.training_loop import TrainingResult, train
from snellen.repair.training.training_watcher import TrainingWatcher
from snellen.scenes.scene import SceneSet
from snellen.subjects.registry import check_code, open_subject
from snellen.subjects.subject import Subject
from snellen.subjects.torch_models.trainable_detector import TrainableDetector

SUBJECT = "subject.yaml"
COPIED = ("score", "floor", "batch", "threads", "device", "explain", "dropout")
COPIED_OWN = ("files", "version")


def detector_of(subject: Subject, where: str) -> TrainableDetector:
    """The trainable detector of a subject; an error if it has none."""
    found = getattr(subject, "detector", None)
    if not isinstance(found, TrainableDetector):
        raise UserError(
            f"{where}: '{subject.name}' can be tested but not trained. Use `kind: torch` with the "
            "cfg and weights of a Darknet network or a detector of your own. Read: "
            "snellen docs subjects-torch"
        )
    return found


def train_subject(
    start: Mapping[str, Any],
    folder: Path,
    original: SceneSet,
    repair: PictureSet,
    options: TrainingOptions,
    *,
    validation: float,
    seed: int,
    name: str,
    out: Path,
    watcher: TrainingWatcher,
) -> TrainingResult:
    """Train a copy of the subject `start` and save it in `out`, with checkpoints and curves.

    start: the section `subject:` of a configuration, with paths relative to `folder`.
    validation: the share of scenes used for curves and early stopping, none if that would leave
    nothing to train on. name: of the new subject. Resumes an interrupted training in `out`.
    """
    data = _data(original, repair, validation, seed)
    subject = open_subject(start, folder)
    with closing(subject):
        detector = detector_of(subject, "subject")
        rng = np.random.default_rng(seed)
        trained = train(detector, data, options, rng, watcher, folder=out, resume=True)
        device = next(detector.module.parameters()).device
        detector.module.to("cpu")
        saved = detector.save(out)
        detector.module.to(device)
    _write(out, start, folder, {**saved, "name": name})
    return trained


def saved_subject(out: Path) -> dict[str, Any]:
    """The section `subject:` that opens the subject saved in a folder, with absolute paths."""
    values = read_yaml(out / SUBJECT)
    check_code(out / SUBJECT, values)
    return {key: _placed(value, out) for key, value in values["subject"].items()}


def _data(original: SceneSet, repair: PictureSet, validation: float, seed: int) -> TrainingData:
    """Training data in which a scene and the pictures made from it are on the same side."""
    data = TrainingData(original, repair.scenes)
    if not validation:
        return data
    split = with_validation(
        data, validation, seed, lambda scene: repair.sources.get(scene.id, scene.id)
    )
    bare = len(data.original) and not len(split.original)
    return data if bare or (len(data.repair) and not len(split.repair)) else split


def _placed(value: Any, folder: Path) -> Any:
    """An absolute path for a file in the folder; any other value unchanged."""
    if isinstance(value, Mapping):
        return {key: _placed(one, folder) for key, one in value.items()}
    if isinstance(value, str) and value and (folder / value).is_file():
        return str((folder / value).resolve())
    return value


def _write(out: Path, start: Mapping[str, Any], folder: Path, saved: Mapping[str, Any]) -> None:
    """Write `subject.yaml`: the section `subject:` with the trained weights."""
    own = saved.get("target") is not None
    keys = (*COPIED, *COPIED_OWN) if own else COPIED
    copied = {key: start[key] for key in keys if start.get(key) is not None}
    if "files" in copied:
        copied["files"] = [str((folder / one).resolve()) for one in copied["files"]]
    values: dict[str, Any] = {"subject": {**copied, **saved}}
    if own:
        values["base"] = str(folder)
    store_configuration(out / SUBJECT, values, out / SUBJECT)
