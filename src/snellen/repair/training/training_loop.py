"""The training loop: epochs of steps, each measured and saved in a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.disk.lock import try_lock
from snellen.errors import MissingExtraError, UserError
from snellen.repair.training.checkpoints import LAST
from snellen.repair.training.frozen_parameters import frozen_names, trainable
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.trainer import Trainer
from snellen.repair.training.training_curves import Curves, read_curves
from snellen.repair.training.training_data import TrainingData
from snellen.repair.training.training_step import deterministic
from snellen.repair.training.training_watcher import SilentTrainingWatcher, TrainingWatcher
from snellen.subjects.torch_models.trainable_detector import TrainableDetector


@dataclass(frozen=True)
class TrainingResult:
    """The result of a training; the detector's module has the weights of `kept_epoch`.

    epochs: the number done. early: whether early stopping applied. curves: losses and
    measurements, also in `training.sqlite` of `folder`.
    """

    epochs: int
    kept_epoch: int
    early: bool
    curves: Curves
    folder: Path


def train(
    detector: TrainableDetector,
    data: TrainingData,
    options: TrainingOptions,
    rng: np.random.Generator,
    watcher: TrainingWatcher | None = None,
    *,
    folder: Path,
    resume: bool = False,
) -> TrainingResult:
    """Train the detector's module in place, with checkpoints and curves in `folder`.

    One number is drawn from `rng` and seeds everything random, so on a CPU the same call gives
    the same weights bit for bit, even if it was killed and resumed. resume: continue from the
    folder's last checkpoint, if it has one, with the same data, options and rng.
    """
    device = _device(options.device)
    seed = int(rng.integers(2**63))
    frozen = frozen_names(detector, options.freeze)
    detector.module.to(device)
    with (
        _owned(folder, resume),
        deterministic(device),
        trainable(detector.module, frozen) as parameters,
    ):
        trainer = Trainer(
            detector, data, options, seed, folder, watcher or SilentTrainingWatcher(), parameters
        )
        trainer.resume() if (folder / LAST).exists() else trainer.begin()
        while not trainer.over:
            trainer.run_epoch()
        epoch = trainer.end()
        early = trainer.epoch < options.epochs
        return TrainingResult(trainer.epoch, epoch, early, read_curves(folder), folder)


@contextmanager
def _owned(folder: Path, resume: bool) -> Iterator[None]:
    """Create the folder of a training and lock it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be created: {error}. Choose another folder.") from None
    if (folder / LAST).exists() and not resume:
        raise UserError(
            f"{folder}: already contains a training. Pass --resume, or choose a new folder."
        )
    with try_lock(folder / ".lock") as free:
        if not free:
            raise UserError(
                f"{folder}: another training is using this folder. Wait, or choose another."
            )
        yield


def _device(name: str) -> Any:
    try:
        import torch
    except ImportError:
        raise MissingExtraError("training", "torch") from None
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise UserError(
            f"training.device: found '{name}', which torch cannot use here ({error}). "
            "Use auto, cpu or cuda."
        ) from None
    return device
