"""The state of a training and its epochs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.repair.training.anchor import Anchor
from snellen.repair.training.batches import ExampleStream, batches
from snellen.repair.training.checkpoints import (
    BEST,
    LAST,
    check_same,
    read_checkpoint,
    write_checkpoint,
)
from snellen.repair.training.example import Example
from snellen.repair.training.frozen_parameters import set_training
from snellen.repair.training.mixture import generator
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.patience import Patience
from snellen.repair.training.schedule import rate_at
from snellen.repair.training.training_curves import StepLosses, forget_after, record
from snellen.repair.training.training_data import TrainingData
from snellen.repair.training.training_step import DivergedError, optimiser_of, seed_torch, take_step
from snellen.repair.training.training_watcher import StepProgress, TrainingWatcher
from snellen.repair.training.validation import JUDGED, Validation
from snellen.repair.training.weight_average import (
    Average,
    copied,
    interpolate_state,
    temporary_state,
)
from snellen.subjects.torch_models.trainable_detector import TrainableDetector, fit_of

if TYPE_CHECKING:
    from torch import Tensor, nn

_TORCH = 7
TRAINING_LOSS, RATE = "training loss", "rate"


class Trainer:
    """The state of a training between epochs, and the next epoch.

    parameters: those to train, by name; all others are frozen.
    """

    def __init__(
        self,
        detector: TrainableDetector,
        data: TrainingData,
        options: TrainingOptions,
        seed: int,
        folder: Path,
        watcher: TrainingWatcher,
        parameters: Sequence[tuple[str, nn.Parameter]],
    ) -> None:
        module = detector.module
        self.epoch = 0
        self._detector, self._options, self._seed = detector, options, seed
        self._folder, self._watcher = folder, watcher
        trained = {name for name, _ in parameters}
        names = (name for name, _ in module.named_parameters())
        self._frozen = frozenset(name for name in names if name not in trained)
        self._device = next(module.parameters()).device
        self._optimiser = optimiser_of(parameters, options)
        self._average = Average(module, options.average) if options.average else None
        self._given = copied(module) if options.given else None
        self._anchor = Anchor(detector, options.anchor) if options.anchor else None
        self._patience = Patience(options.patience, options.least_gain)
        self._stream = ExampleStream(
            data, detector.classes, detector.size, fit_of(detector), options, seed
        )
        self._validation = Validation.of(data, detector, options)
        pictures = len(data.original) + len(data.repair)
        self._steps = options.steps or math.ceil(pictures / options.batch)
        self._identity = _identity(data, options, seed)

    @property
    def over(self) -> bool:
        """Whether all epochs are done, or early stopping applies."""
        return self.epoch >= self._options.epochs or self._patience.over

    def begin(self) -> None:
        """Measure the original detector."""
        forget_after(self._folder, -1)
        self._close(0, [])

    def run_epoch(self) -> None:
        """Run one epoch: steps, measurements, checkpoint."""
        number, options = self.epoch + 1, self._options
        set_training(self._detector.module, self._frozen, options.batch_norm == "frozen")
        first = self.epoch * self._steps
        places = range(first * options.batch, (first + self._steps) * options.batch)
        shown = batches(self._stream, places, options.batch, options.workers)
        steps = [self._step(first + place, examples) for place, examples in enumerate(shown)]
        self._close(number, steps)

    def _step(self, step: int, examples: Sequence[Example]) -> StepLosses:
        options, steps = self._options, self._options.epochs * self._steps
        rate = rate_at(step, steps, options)
        seed_torch(int(generator(self._seed, _TORCH, step).integers(2**63)), self._device)
        try:
            parts = take_step(
                self._detector, self._optimiser, examples, rate, options.clip, self._anchor
            )
        except DivergedError as error:
            raise self._diverged(str(error)) from None
        if self._average is not None:
            self._average.update(self._detector.module)
        epoch = step // self._steps + 1
        loss = sum(parts.values())
        self._watcher.step_done(StepProgress(epoch, options.epochs, step + 1, steps, rate, loss))
        return step, parts

    def _close(self, number: int, steps: Sequence[StepLosses]) -> None:
        """Measure and record an epoch, then write its checkpoint."""
        measured = self._measured(steps)
        record(self._folder, number, steps, measured)
        self.epoch = number
        if JUDGED in measured:
            self._patience = self._patience.after(number, measured[JUDGED])
        if JUDGED in measured and self._patience.epoch == number:
            state = self._weights()
            write_checkpoint(self._folder / BEST, {"epoch": number, "module": state})
        write_checkpoint(self._folder / LAST, self._state())
        self._watcher.epoch_done(number, measured)

    def _measured(self, steps: Sequence[StepLosses]) -> dict[str, float]:
        found = {}
        if steps:
            found[TRAINING_LOSS] = sum(sum(one.values()) for _, one in steps) / len(steps)
            found[RATE] = float(self._optimiser.param_groups[0]["lr"])
        with temporary_state(self._detector.module, self._weights()):
            found |= self._validation.measure(self._detector, self._device)
        bad = [name for name, value in found.items() if not math.isfinite(value)]
        if bad:
            raise self._diverged(f"{bad[0]} is {found[bad[0]]}")
        return found

    def _diverged(self, what: str) -> DivergedError:
        last = self._folder / LAST
        saved = f" {last} has the weights after epoch {self.epoch}." if last.exists() else ""
        return DivergedError(
            f"epoch {self.epoch + 1}: {what}.{saved} Start again with a smaller training.rate, a "
            "longer training.warm_up or a smaller training.clip, and check the annotations."
        )

    def _state(self) -> dict[str, Any]:
        average = self._average
        return {
            "identity": self._identity,
            "epoch": self.epoch,
            "patience": asdict(self._patience),
            "module": self._detector.module.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "average": None if average is None else {"state": average.state, "n": average.steps},
        }

    def _weights(self) -> Mapping[str, Tensor]:
        """The weights to measure, and to keep if this epoch is the best."""
        average = self._average
        state = self._detector.module.state_dict() if average is None else average.state
        return interpolate_state(state, self._given, self._options.given) if self._given else state

    def resume(self) -> None:
        """Continue from the last checkpoint."""
        path = self._folder / LAST
        state = read_checkpoint(path)
        check_same(path, state, self._identity)
        self.epoch = state["epoch"]
        self._patience = replace(self._patience, **state["patience"])
        self._detector.module.load_state_dict(state["module"])
        self._optimiser.load_state_dict(state["optimiser"])
        if self._average is not None:
            self._average.restore(state["average"]["state"], state["average"]["n"])
        forget_after(self._folder, self.epoch)

    def end(self) -> int:
        """The epoch whose weights are kept, after loading them and setting evaluation mode."""
        module = self._detector.module
        best = self._folder / BEST
        if self._options.keep == "best" and best.exists():
            state = read_checkpoint(best)
            module.load_state_dict(state["module"])
            epoch = int(state["epoch"])
        else:
            epoch = self.epoch
            module.load_state_dict(self._weights())
        module.eval()
        return epoch


def _identity(data: TrainingData, options: TrainingOptions, seed: int) -> dict[str, str]:
    """What a resumed training must have in common with the original one."""
    fields: Mapping[str, Any] = options.model_dump(mode="json", exclude={"workers", "device"})
    own = {f"training.{name}": json.dumps(value) for name, value in fields.items()}
    return {**own, "scenes": data.key, "seed": str(seed)}
