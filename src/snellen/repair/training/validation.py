"""How good a detector is on scenes that it is not trained on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.errors import UserError
from snellen.repair.training.augmentation import plain
from snellen.repair.training.example_set import ExampleSet
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.tensors import pixels_of, targets_of
from snellen.repair.training.training_data import TrainingData
from snellen.subjects.model_file.letterbox import letterbox_of
from snellen.subjects.torch_models.trainable_detector import TrainableDetector, fit_of
from snellen.vision.detections import Detections

FLOOR = 0.005
LOSS, AP = "validation loss", "validation AP"
JUDGED = "judged by"


@dataclass(frozen=True, eq=False)
class Validation:
    """The measurements of each epoch, and the one number that epochs are compared by.

    That number is the loss, or 1 - AP, where validation scenes of both sorts count as they are
    mixed in training; the smaller, the better. parts: a name's prefix, the scenes, and how much
    they count.
    """

    parts: tuple[tuple[str, ExampleSet, float], ...]
    batch: int
    by_ap: bool
    with_ap: bool

    @classmethod
    def of(
        cls, data: TrainingData, detector: TrainableDetector, options: TrainingOptions
    ) -> Validation:
        """The validation that the data and options ask for."""
        parts = (
            ("", data.validation, 1 - options.mix),
            ("repair ", data.repair_validation, options.mix),
        )
        shelves = tuple(
            (
                name,
                ExampleSet(scenes, detector.classes, data.weights, f"{name}validation scenes"),
                share,
            )
            for name, scenes, share in parts
            if len(scenes)
        )
        by_ap = options.watch == "ap"
        return cls(shelves, options.batch, by_ap, by_ap or options.measure_ap)

    def measured(self, detector: TrainableDetector, device: Any) -> dict[str, float]:
        """All measurements by name; none where there are no validation scenes."""
        found: dict[str, float] = {}
        total = weights = 0.0
        for name, shelf, weight in self.parts:
            loss, answers = self._passed(shelf, detector, device)
            found[name + LOSS] = loss
            if self.with_ap:
                found[name + AP] = _ap(answers, shelf, len(detector.classes))
            weight = weight if len(self.parts) > 1 else 1.0
            total += weight * (1 - found[name + AP] if self.by_ap else loss)
            weights += weight
        return {**found, JUDGED: total / weights} if self.parts else found

    def _passed(
        self, shelf: ExampleSet, detector: TrainableDetector, device: Any
    ) -> tuple[float, list[Detections]]:
        """The mean loss of a shelf's pictures, and what is found in them."""
        import torch

        total, answers = 0.0, []
        detector.module.eval()
        with torch.no_grad():
            for start in range(0, len(shelf), self.batch):
                places = range(start, min(start + self.batch, len(shelf)))
                own = [shelf.example(place) for place in places]
                shown = [plain(one, detector.size, fit_of(detector)) for one in own]
                outputs = detector.outputs(pixels_of(shown, device))
                parts = detector.loss(outputs, targets_of(shown, device))
                total += len(places) * float(sum(parts.values()))
                if self.with_ap:
                    sizes = [one.pixels.shape[:2] for one in own]
                    frames = [letterbox_of(one, detector.size, fit_of(detector)) for one in sizes]
                    answers += detector.decode(outputs, frames, FLOOR)
        return total / len(shelf), answers


def _ap(answers: Sequence[Detections], shelf: ExampleSet, classes: int) -> float:
    """COCO's AP, 0 to 1."""
    from snellen.vision.precision.average_precision import evaluate

    truths = [shelf.truth(place) for place in range(len(shelf))]
    value = evaluate(answers, truths, classes=classes).value()
    if math.isnan(value):
        raise UserError(
            "the validation scenes show no object of the detector's classes, so they have no AP. "
            "Give other scenes, or set training.watch: loss and training.measure_ap: false."
        )
    return value
