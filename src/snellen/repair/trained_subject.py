"""A copy of a torch subject, trained further and saved so that a configuration opens it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from snellen.configuration import read_yaml
from snellen.disk.atomic_file import write_atomically
from snellen.engine.campaign import as_yaml
from snellen.errors import UserError
from snellen.repair.picture_sets import PictureSet
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.training_data import TrainingData, with_validation
from snellen.repair.training.training_loop import TrainingResult, train
from snellen.repair.training.training_watcher import TrainingWatcher
from snellen.scenes.scene import SceneSet
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject
from snellen.subjects.torch_models.trainable_detector import TrainableDetector

SUBJECT = "subject.yaml"
CARRIED = ("score", "floor", "batch", "threads", "device", "explain", "dropout")
CARRIED_BY_OWN = ("files", "version")


def detector_of(subject: Subject, where: str) -> TrainableDetector:
    """The detector of a subject that can be trained; an error for any other."""
    found = getattr(subject, "detector", None)
    if not isinstance(found, TrainableDetector):
        raise UserError(
            f"{where}: '{subject.name}' can be tested but not trained. Use `kind: torch`, with the "
            "cfg and weights of a Darknet network or a detector of your own, see "
            "docs/how-to/subjects-torch.md."
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

    start: the part `subject:` of a configuration, whose relative paths start at `folder`.
    validation: the share of scenes set apart for curves and early stopping, none where that would
    leave nothing to train on. name: of the new subject. Goes on with a training that was cut short
    in `out`.
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
    """The part `subject:` that opens what was saved in a folder, wherever paths start."""
    values = read_yaml(out / SUBJECT)["subject"]
    return {key: _placed(value, out) for key, value in values.items()}


def _data(original: SceneSet, repair: PictureSet, validation: float, seed: int) -> TrainingData:
    """Pictures of one scene are on one side, also those made of it."""
    data = TrainingData(original, repair.scenes)
    if not validation:
        return data
    apart = with_validation(
        data, validation, seed, lambda scene: repair.sources.get(scene.id, scene.id)
    )
    bare = len(data.original) and not len(apart.original)
    return data if bare or (len(data.repair) and not len(apart.repair)) else apart


def _placed(value: Any, folder: Path) -> Any:
    """A path as it is on disk; anything else as it is."""
    if isinstance(value, Mapping):
        return {key: _placed(one, folder) for key, one in value.items()}
    if isinstance(value, str) and value and (folder / value).is_file():
        return str((folder / value).resolve())
    return value


def _write(out: Path, start: Mapping[str, Any], folder: Path, saved: Mapping[str, Any]) -> None:
    """`subject.yaml`: the part `subject:` of a configuration, as it was but for what was learnt."""
    own = saved.get("target") is not None
    keys = (*CARRIED, *CARRIED_BY_OWN) if own else CARRIED
    kept = {key: start[key] for key in keys if start.get(key) is not None}
    if "files" in kept:
        kept["files"] = [str((folder / one).resolve()) for one in kept["files"]]
    values: dict[str, Any] = {"subject": {**kept, **saved}}
    if own:
        values["base"] = str(folder)
    write_atomically(out / SUBJECT, as_yaml(values).encode())
