from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from snellen.errors import UserError
from snellen.repair.training.example import Example
from snellen.repair.training.frozen_parameters import frozen_names, set_training
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.schedule import rate_at
from snellen.repair.training.tensors import pixels_of, targets_of
from snellen.repair.training.training_step import optimiser_of, take_step
from snellen.repair.training.weight_average import Average, interpolate_state, temporary_state
from tests.repair.toy_detector import ToyDetector
from tests.repair.training.small_detectors import options, same_bits, state_of

torch.set_num_threads(1)


def examples(count: int, seed: int) -> list[Example]:
    rng = np.random.default_rng(seed)
    return [
        Example(
            rng.integers(0, 256, (32, 32, 3)).astype(np.uint8),
            np.array([[4, 5, 20, 22]], np.float32),
            np.array([place % 2]),
            np.ones(1, np.float32),
            np.zeros((0, 4), np.float32),
        )
        for place in range(count)
    ]


def gradients(detector: ToyDetector, batch: list[Example]) -> list[Tensor]:
    """The gradient of the summed loss by torch's own function, from pixels stacked by hand."""
    pixels = torch.tensor(np.stack([one.pixels for one in batch]).transpose(0, 3, 1, 2) / 255.0)
    parts = detector.loss(detector.outputs(pixels.float()), targets_of(batch, "cpu"))
    loss = parts["found"] + parts["box"] + parts["class"]
    return list(torch.autograd.grad(loss, list(detector.module.parameters())))


def by_hand(detector: ToyDetector, batches: list[list[Example]], o: TrainingOptions) -> None:
    """Two steps of the optimiser as its formula reads, on the detector's own parameters."""
    own = list(detector.module.parameters())
    first = [torch.zeros_like(one) for one in own]
    second = [torch.zeros_like(one) for one in own]
    for step, batch in enumerate(batches, start=1):
        slopes = gradients(detector, batch)
        norm = math.sqrt(sum(float((one**2).sum()) for one in slopes))
        factor = min(1.0, o.clip / (norm + 1e-6)) if o.clip else 1.0
        with torch.no_grad():
            for place, (one, slope) in enumerate(zip(own, slopes, strict=True)):
                slope = slope * factor
                decay = o.decay if one.ndim > 1 else 0.0
                if o.optimiser == "sgd":
                    first[place] = o.momentum * first[place] + slope + decay * one
                    one -= o.rate * first[place]
                else:
                    one *= 1 - o.rate * decay
                    first[place] = o.momentum * first[place] + (1 - o.momentum) * slope
                    second[place] = 0.999 * second[place] + 0.001 * slope**2
                    mean = first[place] / (1 - o.momentum**step)
                    spread = (second[place] / (1 - 0.999**step)).sqrt() + 1e-8
                    one -= o.rate * mean / spread


@pytest.mark.parametrize("clip", [None, 0.7])
@pytest.mark.parametrize("optimiser", ["sgd", "adamw"])
def test_a_step_is_the_optimisers_formula(optimiser: str, clip: float | None) -> None:
    o = options(optimiser=optimiser, rate=0.01, momentum=0.9, decay=0.1, clip=clip)
    batches = [examples(3, 1), examples(3, 2)]
    ours, theirs = ToyDetector((32, 32), seed=2), ToyDetector((32, 32), seed=2)
    working = optimiser_of(list(ours.module.named_parameters()), o)
    for batch in batches:
        take_step(ours, working, batch, o.rate, o.clip)
    by_hand(theirs, batches, o)
    for (name, one), other in zip(
        ours.module.named_parameters(), theirs.module.parameters(), strict=True
    ):
        torch.testing.assert_close(one, other, rtol=2e-5, atol=2e-6, msg=name)
    assert not same_bits(state_of(ours), state_of(ToyDetector((32, 32), seed=2)))


def test_pixels_reach_the_network_as_red_green_blue_from_0_to_1() -> None:
    one = examples(1, 1)[0]
    one.pixels[3, 7] = (255, 0, 51)
    batch = pixels_of([one], "cpu")
    assert batch.shape == (1, 3, 32, 32)
    assert batch.dtype == torch.float32
    torch.testing.assert_close(batch[0, :, 3, 7], torch.tensor([1.0, 0.0, 0.2]))


def test_the_rate_rises_falls_and_ends_where_it_should() -> None:
    o = TrainingOptions(rate=0.1, warm_up=4, last_rate=0.2)
    rates = [rate_at(step, 24, o) for step in range(24)]
    np.testing.assert_allclose(rates[:4], [0.025, 0.05, 0.075, 0.1])
    np.testing.assert_allclose(rates[4], 0.1)
    np.testing.assert_allclose(rates[-1], 0.02)
    assert (np.diff(rates[4:]) < 0).all()
    # Half-way the rate is the mean of both ends: reference is the closed form of the cosine.
    middle = [0.02 + 0.08 * 0.5 * (1 + math.cos(math.pi * n / 19)) for n in range(20)]
    np.testing.assert_allclose(rates[4:], middle)


def test_an_average_is_the_weighted_sum_of_all_weights_it_saw() -> None:
    module = nn.Linear(1, 1, bias=False)
    seen = [2.0, 5.0, -1.0, 4.0]
    with torch.no_grad():
        module.weight.fill_(seen[0])
    average = Average(module, 0.15)
    expected = seen[0]
    for step, value in enumerate(seen[1:], start=1):
        with torch.no_grad():
            module.weight.fill_(value)
        average.update(module)
        decay = min(0.15, (1 + step) / (10 + step))
        expected = decay * expected + (1 - decay) * value
    assert float(average.state["weight"]) == pytest.approx(expected, rel=1e-6)
    with temporary_state(module, average.state):
        assert float(module.weight.detach()) == pytest.approx(expected, rel=1e-6)
    assert float(module.weight.detach()) == seen[-1]


def test_the_start_of_an_average_is_soon_forgotten_however_slow_it_is() -> None:
    """A decay of 0.999 alone would keep 99% of the start after ten steps."""
    module = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        module.weight.fill_(100.0)
    average = Average(module, 0.999)
    with torch.no_grad():
        module.weight.fill_(0.0)
    kept = 100.0
    for step in range(1, 11):
        average.update(module)
        kept *= (1 + step) / (10 + step)
    assert float(average.state["weight"]) == pytest.approx(kept, rel=1e-5)
    assert kept < 0.1


def test_weights_between_are_on_the_line_and_exact_where_nothing_changed() -> None:
    given = {"w": torch.tensor([1.0, 0.1, 3.0]), "n": torch.tensor(4)}
    state = {"w": torch.tensor([2.0, 0.1, -1.0]), "n": torch.tensor(9)}
    found = interpolate_state(state, given, 0.25)
    torch.testing.assert_close(found["w"], torch.tensor([1.75, 0.1, 0.0]))
    assert float(found["w"][1]) == float(state["w"][1])
    assert int(found["n"]) == 9


def test_patterns_freeze_modules_and_parameters_by_name() -> None:
    detector = ToyDetector()
    names = {name for name, _ in detector.module.named_parameters()}
    backbone = {name for name in names if name.startswith("backbone.")}
    assert frozen_names(detector, "backbone") == backbone
    assert frozen_names(detector, "but-heads") == {n for n in names if not n.startswith("head.")}
    assert frozen_names(detector, ("head.bias", "neck.0")) == {"head.bias", "neck.0.weight"}
    assert frozen_names(detector, ("neck.*.weight",)) == {
        name for name in names if name.startswith("neck.") and name.endswith("weight")
    }
    assert frozen_names(detector, ()) == frozenset()


@pytest.mark.parametrize(
    ("freeze", "message"),
    [
        (("stem.*",), r"'stem.\*' matches no parameter.*backbone.0.weight"),
        (("*",), "nothing is left to train"),
    ],
)
def test_a_wrong_pattern_is_answered_with_the_names_there_are(freeze: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        frozen_names(ToyDetector(), freeze)


def test_a_detector_that_names_no_backbone_says_so() -> None:
    class Plain:
        module = nn.Linear(2, 2)

    with pytest.raises(UserError, match="no attribute `backbone`"):
        frozen_names(Plain(), "backbone")


def test_only_the_batch_norms_of_frozen_layers_stand_still() -> None:
    module = ToyDetector().module
    frozen = frozenset(name for name, _ in module.named_parameters() if name.startswith("backbone"))
    set_training(module, frozen, norms_frozen=False)
    norms = {n: m.training for n, m in module.named_modules() if isinstance(m, nn.BatchNorm2d)}
    assert norms == {name: name.startswith("neck") for name in norms}
    set_training(module, frozen, norms_frozen=True)
    assert not any(m.training for m in module.modules() if isinstance(m, nn.BatchNorm2d))
    assert module.training
