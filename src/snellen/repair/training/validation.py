"""Loss and AP of a detector on validation scenes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.errors import UserError
from snellen.repair.training.augmentation import unaugmented
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
    """The measurements of each epoch, and the criterion that epochs are compared by.

    The criterion is the loss or 1 - AP, with both kinds of validation scenes weighted as in
    training; smaller is better. parts: prefix of the names, examples, and their weight.
    """

    parts: tuple[tuple[str, ExampleSet, float], ...]
    batch: int
    by_ap: bool
    with_ap: bool

    @classmethod
    def of(
        cls, data: TrainingData, detector: TrainableDetector, options: TrainingOptions
    ) -> Validation:
        """The validation configured by data and options."""
        parts = (
            ("", data.validation, 1 - options.mix),
            ("repair ", data.repair_validation, options.mix),
        )
        sets = tuple(
            (
                name,
                ExampleSet(scenes, detector.classes, data.weights, f"{name}validation scenes"),
                share,
            )
            for name, scenes, share in parts
            if len(scenes)
        )
        by_ap = options.watch == "ap"
        return cls(sets, options.batch, by_ap, by_ap or options.measure_ap)

    def measure(self, detector: TrainableDetector, device: Any) -> dict[str, float]:
        """All measurements by name; empty without validation scenes."""
        found: dict[str, float] = {}
        total = weights = 0.0
        for name, examples, weight in self.parts:
            loss, answers = self._evaluate(examples, detector, device)
            found[name + LOSS] = loss
            if self.with_ap:
                found[name + AP] = _ap(answers, examples, len(detector.classes))
            weight = weight if len(self.parts) > 1 else 1.0
            total += weight * (1 - found[name + AP] if self.by_ap else loss)
            weights += weight
        return {**found, JUDGED: total / weights} if self.parts else found

    def _evaluate(
        self, examples: ExampleSet, detector: TrainableDetector, device: Any
    ) -> tuple[float, list[Detections]]:
        """The mean loss of the examples, and the detections in them."""
        import torch

        total, answers = 0.0, []
        detector.module.eval()
        with torch.no_grad():
            for start in range(0, len(examples), self.batch):
                places = range(start, min(start + self.batch, len(examples)))
                own = [examples.example(place) for place in places]
                shown = [unaugmented(one, detector.size, fit_of(detector)) for one in own]
                outputs = detector.outputs(pixels_of(shown, device))
                parts = detector.loss(outputs, targets_of(shown, device))
                total += len(places) * float(sum(parts.values()))
                if self.with_ap:
                    sizes = [one.pixels.shape[:2] for one in own]
                    frames = [letterbox_of(one, detector.size, fit_of(detector)) for one in sizes]
                    answers += detector.decode(outputs, frames, FLOOR)
        return total / len(examples), answers


def _ap(answers: Sequence[Detections], examples: ExampleSet, classes: int) -> float:
    """COCO's AP, 0 to 1."""
    from snellen.vision.precision.average_precision import evaluate

    truths = [examples.truth(place) for place in range(len(examples))]
    value = evaluate(answers, truths, classes=classes).value()
    if math.isnan(value):
        raise UserError(
            "the validation scenes have no object of the detector's classes, so AP is undefined. "
            "Use other scenes, or set training.watch: loss and training.measure_ap: false."
        )
    return value
