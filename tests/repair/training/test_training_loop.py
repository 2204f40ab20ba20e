from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from snellen.errors import UserError
from snellen.repair.training.checkpoints import LAST, read_checkpoint
from snellen.repair.training.options import AugmentationOptions, TrainingOptions
from snellen.repair.training.training_curves import read_curves
from snellen.repair.training.training_data import TrainingData
from snellen.repair.training.training_loop import TrainingResult, train
from snellen.repair.training.training_step import DivergedError
from snellen.repair.training.training_watcher import StepProgress
from tests.repair.toy_detector import ToyDetector
from tests.repair.toy_scenes import right_scenes, wrong_scenes
from tests.repair.training.small_detectors import (
    Sloped,
    State,
    options,
    same_bits,
    state_of,
    thing_data,
)

torch.set_num_threads(1)

LIVELY = AugmentationOptions(mosaic=0.3)
SMALL: dict[str, Any] = {
    "epochs": 4, "steps": 2, "batch": 4, "rate": 0.002, "momentum": 0.9, "decay": 5e-4,
    "clip": 10.0, "schedule": "cosine", "keep": "last", "augmentation": LIVELY,
}  # fmt: skip
WAYS: dict[str, dict[str, Any]] = {
    "sgd": {},
    "adamw with an average": {"optimiser": "adamw", "average": 0.9, "keep": "best"},
    "on the way back": {"average": 0.9, "given": 0.3, "keep": "best"},
    "moving batch norms": {"batch_norm": "train", "warm_up": 3},
}


def toy_data() -> TrainingData:
    return TrainingData(
        right_scenes(9, 1), wrong_scenes(5, 2), right_scenes(3, 3), wrong_scenes(2, 4)
    )


def toy() -> ToyDetector:
    """With dropout, whose draws a resumed training must repeat."""
    detector = ToyDetector((48, 48), seed=5)
    detector.module.get_submodule("neck").append(nn.Dropout(0.2))
    return detector


class Killer:
    """Ends the training at a step as a kill would: nothing of the loop's runs after it."""

    def __init__(self, step: int) -> None:
        self._step = step

    def step_done(self, progress: StepProgress) -> None:
        if progress.step == self._step:
            raise KeyboardInterrupt

    def epoch_done(self, epoch: int, values: Mapping[str, float]) -> None:
        pass


def trained(
    folder: Path, chosen: TrainingOptions, **more: Any
) -> tuple[TrainingResult, State, ToyDetector]:
    detector = toy()
    result = train(detector, toy_data(), chosen, np.random.default_rng(3), folder=folder, **more)
    return result, state_of(detector), detector


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("step", [1, 5])
def test_a_broken_off_training_resumes_to_the_same_bits(
    way: str, step: int, tmp_path: Path
) -> None:
    chosen = options(**{**SMALL, **WAYS[way]})
    whole, wanted, _ = trained(tmp_path / "whole", chosen)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "broken", chosen, watcher=Killer(step))
    result, got, _ = trained(tmp_path / "broken", chosen, resume=True)
    assert same_bits(got, wanted)
    assert result.curves == whole.curves
    assert (result.epochs, result.kept_epoch) == (whole.epochs, whole.kept_epoch)


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.repair.training.test_training_loop import SMALL, Killer, options, trained

class Kill(Killer):
    def step_done(self, progress):
        if progress.step == 6:
            os.kill(os.getpid(), signal.SIGKILL)

trained(Path(sys.argv[1]), options(**SMALL), watcher=Kill(0))
"""


def test_a_killed_process_loses_at_most_one_epoch(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"}
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "killed")], env=environment
    )
    assert ended.returncode == -signal.SIGKILL
    assert read_checkpoint(tmp_path / "killed" / LAST)["epoch"] == 2  # of steps 5 and 6, one lost
    _, wanted, _ = trained(tmp_path / "whole", options(**SMALL))
    _, got, _ = trained(tmp_path / "killed", options(**SMALL), resume=True)
    assert same_bits(got, wanted)


def test_threads_that_prepare_pictures_change_nothing(tmp_path: Path) -> None:
    states = [
        trained(tmp_path / str(workers), options(**SMALL, workers=workers))[1]
        for workers in (0, 1, 2)
    ]
    assert same_bits(states[0], states[1])
    assert same_bits(states[0], states[2])


def test_another_seed_is_another_training(tmp_path: Path) -> None:
    _, one, _ = trained(tmp_path / "one", options(**SMALL))
    detector = toy()
    other = np.random.default_rng(4)
    train(detector, toy_data(), options(**SMALL), other, folder=tmp_path / "other")
    assert not same_bits(one, state_of(detector))


@pytest.mark.parametrize("keep", ["last", "best"])
def test_weights_on_the_way_back_are_what_is_measured_and_kept(keep: str, tmp_path: Path) -> None:
    """From 3 by a half a step to 1.5; a quarter of the way back from there is 1.875."""
    detector = Sloped(3.0)
    chosen = options(epochs=3, given=0.25, keep=keep)
    result = train(detector, thing_data(), chosen, np.random.default_rng(1), folder=tmp_path)
    judged = [value for _, value in result.curves.epochs["judged by"]]
    assert judged == [2.0, 1.625, 1.25, 0.875]
    assert float(detector.module.state_dict()["number"]) == 1.875
    assert float(read_checkpoint(tmp_path / LAST)["module"]["number"]) == 1.5


@pytest.mark.parametrize("average", [None, 0.9])
def test_frozen_layers_stay_as_they_are_bit_for_bit(average: float | None, tmp_path: Path) -> None:
    before = state_of(toy())
    chosen = options(**SMALL, freeze="backbone", batch_norm="train", average=average)
    _, after, detector = trained(tmp_path, chosen)
    same = {name for name in before if torch.equal(before[name], after[name])}
    assert {name for name in before if name.startswith("backbone.")} <= same
    assert not any(name.endswith("weight") and name.startswith("neck.") for name in same)
    assert all(one.requires_grad for one in detector.module.parameters())


def test_frozen_batch_norms_keep_their_running_figures(tmp_path: Path) -> None:
    before = state_of(toy())
    for kind, kept in (("frozen", True), ("train", False)):
        _, after, _ = trained(tmp_path / kind, options(**SMALL, batch_norm=kind))
        name = "neck.1.running_mean"
        assert torch.equal(before[name], after[name]) is kept


def test_training_stops_at_a_plateau_and_keeps_its_first_epoch(tmp_path: Path) -> None:
    """The number falls from 3 by a half a step, so nothing is gained after epoch 4."""
    detector = Sloped(3.0)
    chosen = options(epochs=50, patience=3, keep="best")
    result = train(detector, thing_data(), chosen, np.random.default_rng(1), folder=tmp_path)
    assert (result.epochs, result.kept_epoch, result.early) == (7, 4, True)
    judged = [value for _, value in result.curves.epochs["judged by"]]
    assert judged == [2.0, 1.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    assert float(detector.module.state_dict()["number"]) == 1.0


def test_a_gain_below_the_least_is_none(tmp_path: Path) -> None:
    chosen = options(epochs=50, patience=2, keep="best", rate=0.1, least_gain=0.15)
    result = train(Sloped(3.0), thing_data(), chosen, np.random.default_rng(1), folder=tmp_path)
    # 0.1 an epoch: every second epoch is 0.2 better than the best kept.
    assert result.curves.epochs["judged by"][-1][1] < 0.2
    assert result.epochs > 18


def test_training_that_only_harms_keeps_the_weights_it_began_with(tmp_path: Path) -> None:
    detector = Sloped(3.0)

    def worse(outputs: Any, targets: Any) -> dict[str, Any]:
        sign = -1 if outputs[0].requires_grad else 1
        return {"slope": sign * torch.relu(outputs[0] - 1).sum()}

    detector.loss = worse  # type: ignore[method-assign]
    chosen = options(epochs=5, patience=2, keep="best")
    result = train(detector, thing_data(), chosen, np.random.default_rng(1), folder=tmp_path)
    assert (result.epochs, result.kept_epoch) == (2, 0)
    assert float(detector.module.state_dict()["number"]) == 3.0


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_ends_with_the_last_good_checkpoint(
    bad: float, tmp_path: Path
) -> None:
    chosen = options(**SMALL)
    sick, calls = toy(), [0]
    healthy = sick.loss

    def sometimes(outputs: Any, targets: Any) -> dict[str, Any]:
        parts = healthy(outputs, targets)
        calls[0] += outputs[0].requires_grad
        return {**parts, "box": parts["box"] * (bad if calls[0] == 6 else 1)}

    sick.loss = sometimes  # type: ignore[method-assign]
    with pytest.raises(DivergedError, match=rf"epoch 3: .*box is {bad}.*after epoch 2.*rate"):
        train(sick, toy_data(), chosen, np.random.default_rng(3), folder=tmp_path / "sick")
    assert all(one.isfinite().all() for one in state_of(sick).values())
    state = read_checkpoint(tmp_path / "sick" / LAST)
    assert state["epoch"] == 2
    _, wanted, _ = trained(tmp_path / "whole", chosen)
    _, got, _ = trained(tmp_path / "sick", chosen, resume=True)
    assert same_bits(got, wanted)


def test_a_gradient_that_is_no_number_is_never_stepped_along(tmp_path: Path) -> None:
    detector = Sloped(3.0)

    def steep(outputs: Any, targets: Any) -> dict[str, Any]:
        return {"slope": torch.sqrt(outputs[0] - outputs[0].detach()).sum()}  # 0, slope infinite

    detector.loss = steep  # type: ignore[method-assign]
    with pytest.raises(DivergedError, match="gradient"):
        train(detector, thing_data(), options(), np.random.default_rng(1), folder=tmp_path)
    assert float(detector.module.state_dict()["number"]) == 3.0


def test_a_resumed_training_must_be_the_same_training(tmp_path: Path) -> None:
    def run(
        chosen: TrainingOptions, seed: int = 1, count: int = 4, resume: bool = True
    ) -> TrainingResult:
        rng = np.random.default_rng(seed)
        data = thing_data(count)
        return train(Sloped(3.0), data, chosen, rng, folder=tmp_path, resume=resume)

    first = run(options())
    with pytest.raises(UserError, match=r"already contains a training.*--resume"):
        run(options(), resume=False)
    with pytest.raises(UserError, match=r"different training.rate: '0.5', here '0.25'"):
        run(options(rate=0.25))
    with pytest.raises(UserError, match="different seed"):
        run(options(), seed=2)
    with pytest.raises(UserError, match="different scenes"):
        run(options(), count=5)
    again = run(options(workers=2))  # where and how fast may differ
    assert again == first


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    (tmp_path / LAST).write_bytes(b"no checkpoint")
    with pytest.raises(UserError, match=r"last.pt: is not a training checkpoint"):
        train(
            Sloped(3.0), thing_data(), options(), np.random.default_rng(1), folder=tmp_path,
            resume=True,
        )  # fmt: skip


def test_an_unusable_device_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"training.device: found 'abacus'"):
        train(
            Sloped(3.0), thing_data(), options(device="abacus"), np.random.default_rng(1),
            folder=tmp_path,
        )  # fmt: skip


def test_torch_is_left_as_it_was_found(tmp_path: Path) -> None:
    torch.manual_seed(8)
    wanted = torch.rand(1)
    torch.manual_seed(8)
    _, _, detector = trained(tmp_path, options(**SMALL))
    assert torch.equal(torch.rand(1), wanted)
    assert not torch.are_deterministic_algorithms_enabled()
    assert not detector.module.training


def test_watcher_and_curves_tell_the_same(tmp_path: Path) -> None:
    class Notes:
        def __init__(self) -> None:
            self.moments: list[StepProgress] = []
            self.epochs: dict[int, dict[str, float]] = {}

        def step_done(self, progress: StepProgress) -> None:
            self.moments.append(progress)

        def epoch_done(self, epoch: int, values: Mapping[str, float]) -> None:
            self.epochs[epoch] = dict(values)

    notes = Notes()
    trained(tmp_path, options(**SMALL), watcher=notes)
    curves = read_curves(tmp_path)
    assert [one.step for one in notes.moments] == list(range(1, 9))
    assert {one.steps for one in notes.moments} == {8}
    assert [one.epoch for one in notes.moments] == [1, 1, 2, 2, 3, 3, 4, 4]
    sums = np.sum([[value for _, value in own] for own in curves.losses.values()], axis=0)
    np.testing.assert_allclose([one.loss for one in notes.moments], sums)
    assert set(curves.losses) == {"found", "box", "class"}
    for name, points in curves.epochs.items():
        assert points == [(epoch, own[name]) for epoch, own in notes.epochs.items() if name in own]
    assert sorted(notes.epochs) == [0, 1, 2, 3, 4]
