"""Answers are held where nothing is to be repaired, and free where something is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from snellen.errors import UserError
from snellen.repair.training.anchor import Anchor
from snellen.repair.training.augmentation import mosaic
from snellen.repair.training.example import Example
from snellen.repair.training.tensors import pixels_of
from snellen.repair.training.training_loop import train
from snellen.repair.training.training_step import optimiser_of, take_step
from snellen.subjects.torch_models.trainable_detector import Targets
from tests.repair.training.small_detectors import Sloped, options, same_bits, state_of, thing_data
from tests.repair.training.test_training_loop import Killer
from tests.repair.training.test_training_step import examples


class Held(Sloped):
    """Its number slides down a slope of 1; a drift is half the square of how far it has slid."""

    def __init__(self, start: float) -> None:
        super().__init__(start)
        self.free: list[int] = []

    def drift(
        self, outputs: Sequence[Tensor], given: Sequence[Tensor], free: Sequence[Targets]
    ) -> Tensor:
        self.free = [len(one.boxes) for one in free]
        return (outputs[0] - given[0]).square().sum() / 2


def number(detector: Sloped) -> float:
    return float(next(detector.module.parameters()).detach())


@pytest.mark.parametrize(("weight", "end"), [(0.0, 8.5), (0.5, 8.84375), (2.0, 9.5)])
def test_a_step_goes_down_the_sum_of_loss_and_drift(weight: float, end: float) -> None:
    """From 10 at a rate of 0.5 by hand: the slope is 1 less weight times how far it has slid."""
    detector, chosen = Held(10.0), options(rate=0.5)
    working = optimiser_of(list(detector.module.named_parameters()), chosen)
    anchor = Anchor(detector, weight)
    for _ in range(3):
        parts = take_step(detector, working, examples(1, 0), 0.5, None, anchor)
    assert number(detector) == pytest.approx(end)
    assert set(parts) == {"slope", "drift"}


def test_objects_of_repair_pictures_are_free_and_those_of_others_are_not() -> None:
    detector = Held(10.0)
    working = optimiser_of(list(detector.module.named_parameters()), options())
    first, second = examples(2, 0)
    take_step(
        detector, working, [first, replace(second, repair=True)], 0.5, None, Anchor(detector, 1)
    )
    assert detector.free == [0, 1]


def test_asking_as_given_leaves_the_detector_as_it_is() -> None:
    detector = Held(10.0)
    detector.module.add_module("rest", nn.Sequential(nn.BatchNorm2d(3), nn.Dropout(0.5)))
    detector.module.train()
    detector.module.get_submodule("rest.1").eval()
    anchor = Anchor(detector, 1.0)
    with torch.no_grad():
        detector.module.get_parameter("number").fill_(4.0)
    before = state_of(detector)
    assert [float(one) for one in anchor.answers(pixels_of(examples(1, 0), "cpu"))] == [10.0]
    assert same_bits(state_of(detector), before)
    assert detector.module.training
    assert not detector.module.get_submodule("rest.1").training


def test_a_detector_that_cannot_tell_drift_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"training.anchor: the detector has no method `drift`"):
        train(Sloped(3.0), thing_data(), options(anchor=1), np.random.default_rng(1),
              folder=tmp_path / "run")  # fmt: skip


def test_a_resumed_training_is_held_to_the_same_answers(tmp_path: Path) -> None:
    """Held to those of the weights it went on from, it would slide a step further."""
    chosen = options(epochs=40, anchor=1.0)

    def ended(**more: Any) -> float:
        detector = Held(10.0)
        rng = np.random.default_rng(1)
        train(detector, thing_data(), chosen, rng, folder=tmp_path / "run", **more)
        return number(detector)

    with pytest.raises(KeyboardInterrupt):
        ended(watcher=Killer(30))
    assert ended(resume=True) == pytest.approx(9.0, abs=1e-4)


def test_a_mosaic_with_a_repair_picture_is_one() -> None:
    parts = examples(4, 0)
    rng = np.random.default_rng(0)
    assert not mosaic(parts, rng, 0.3).repair
    assert mosaic([*parts[:3], replace(parts[3], repair=True)], rng, 0.3).repair


def test_a_cut_repair_picture_stays_one() -> None:
    one: Example = replace(examples(1, 0)[0], repair=True)
    assert one.cut((0, 0, 8, 8), 0.1).repair
