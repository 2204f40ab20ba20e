"""Batches of examples in the order of a mixture, prepared in advance by threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from snellen.repair.training.augmentation import augmented, mosaic
from snellen.repair.training.example import Example
from snellen.repair.training.example_set import ExampleSet
from snellen.repair.training.mixture import ORIGINAL, REPAIR, Mixture
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.training_data import TrainingData
from snellen.subjects.model_file.letterbox import InputFit

Size = tuple[int, int]


class ExampleStream:
    """The augmented example at each place of a training."""

    def __init__(
        self,
        data: TrainingData,
        detector_classes: Sequence[str],
        size: Size,
        fit: InputFit,
        options: TrainingOptions,
        seed: int,
    ) -> None:
        factors = (1.0, options.repair_weight)
        parts = ((data.original, "original scenes"), (data.repair, "repair scenes"))
        self.sets = tuple(
            ExampleSet(scenes, detector_classes, data.weights, where, factor)
            for (scenes, where), factor in zip(parts, factors, strict=True)
        )
        self.mixture = Mixture((len(data.original), len(data.repair)), options.mix, seed)
        self._size, self._fit, self._augmentation = size, fit, options.augmentation

    def example(self, place: int) -> Example:
        """The example at this place, augmented, in network pixels."""
        rng = self.mixture.rng_at(place)
        first = self._one(*self.mixture.at(place), rng)
        if rng.random() >= self._augmentation.mosaic:
            return first
        others = [self._one(*self._any(rng), rng) for _ in range(3)]
        return mosaic([first, *others], rng, self._augmentation.visible)

    def _one(self, part: int, index: int, rng: np.random.Generator) -> Example:
        own = replace(self.sets[part].example(index), repair=part == REPAIR)
        return augmented(own, self._size, self._fit, self._augmentation, rng)

    def _any(self, rng: np.random.Generator) -> tuple[int, int]:
        part = REPAIR if rng.random() < self.mixture.share else ORIGINAL
        return part, int(rng.integers(len(self.sets[part])))


def batches(
    stream: ExampleStream, places: range, batch: int, workers: int
) -> Iterator[list[Example]]:
    """The examples of these places in order, `batch` at a time.

    workers: threads that prepare the next batches; they affect only the speed.
    """
    groups = [places[start : start + batch] for start in range(0, len(places), batch)]

    def prepared(group: range) -> list[Example]:
        return [stream.example(place) for place in group]

    if not workers:
        yield from map(prepared, groups)
        return
    with ThreadPoolExecutor(workers, "pictures") as pool:
        ahead: deque[Future[list[Example]]] = deque()
        try:
            for group in groups:
                ahead.append(pool.submit(prepared, group))
                if len(ahead) > workers:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()
