"""Monte Carlo dropout: correct variance, reproducible passes, unmodified module."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from snellen.errors import SubjectError, UserError
from snellen.subjects.passes import Draws, Pass
from snellen.subjects.registry import open_subject
from snellen.subjects.torch_models.dropout import Dropout, evaluation_mode
from tests.subjects.darknet.torch_network.networks import NAMED
from tests.subjects.torch_models.linear_detector import WEIGHTS

HERE = "tests.subjects.torch_models"
TINY = {"kind": "torch", "target": f"{HERE}.tiny_detector:TinyDetector", "arguments": {"gain": 9.0}}


def opened(**values: Any) -> Any:
    return open_subject({**TINY, **values}, Path())


def images(count: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return list(rng.integers(0, 256, (count, 8, 12, 3), dtype=np.uint8))


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
def test_the_variance_of_a_linear_model_is_the_analytic_one(rate: float) -> None:
    x = np.random.default_rng(0).normal(size=(1, 6))
    w = np.random.default_rng(1).normal(size=(1, 6))
    module = nn.Sequential(nn.Linear(6, 1, bias=False))
    module[0].weight.data = torch.from_numpy(w)
    drawn = []
    for number in range(1, 4001):
        with Dropout(rate, ("0",), seed=5).applied(module, number), torch.no_grad():
            drawn.append(module(torch.from_numpy(x)).item())
    expected = rate / (1 - rate) * ((w * x) ** 2).sum()
    error = np.sqrt(np.var((np.array(drawn) - np.mean(drawn)) ** 2) / len(drawn))
    assert abs(np.var(drawn, ddof=1) - expected) < 4 * error
    assert error < 0.06 * expected
    assert abs(np.mean(drawn) - (w * x).sum()) < 4 * np.sqrt(expected / len(drawn))


def test_a_subjects_passes_spread_as_the_analytic_value_says() -> None:
    target = f"{HERE}.linear_detector:LinearDetector"
    values = {"kind": "torch", "target": target, "dropout": {"rate": 0.2, "layers": ["1"]}}
    subject: Any = open_subject(values, Path())
    image = np.random.default_rng(3).integers(60, 256, (2, 2, 3), dtype=np.uint8)
    x = image.transpose(2, 0, 1).reshape(-1) / 255
    answers = subject.predict([Pass(image, number) for number in range(1, 1501)])
    scores = np.array([answer.scores[0] for answer in answers])
    expected = 0.2 / 0.8 * ((np.array(WEIGHTS) / 10 * x) ** 2).sum()
    assert np.var(scores, ddof=1) == pytest.approx(expected, rel=0.15)


def test_channels_of_a_map_are_dropped_whole_and_the_rest_grows() -> None:
    module = nn.Sequential(nn.Conv2d(64, 64, 1, groups=64, bias=False))
    module[0].weight.data.fill_(1)
    with Dropout(0.25, ("0",)).applied(module, 1), torch.no_grad():
        [found] = module(torch.ones(1, 64, 3, 3))
    values = {round(value.item(), 5) for value in found.unique()}
    assert values == {0.0, round(1 / 0.75, 5)}
    assert all(len(channel.unique()) == 1 for channel in found)
    assert 4 <= (found[:, 0, 0] == 0).sum() <= 28


def test_a_mask_depends_on_seed_pass_and_layer_alone() -> None:
    usual = Dropout(0.5, ("a", "b"), seed=1)
    mask = usual.mask("a", 3, 40)
    assert np.array_equal(mask, Dropout(0.5, ("a",), seed=1).mask("a", 3, 40))
    others = [
        usual.mask("b", 3, 40),
        usual.mask("a", 4, 40),
        Dropout(0.5, ("a",), seed=2).mask("a", 3, 40),
    ]
    assert not any(np.array_equal(mask, other) for other in others)


def test_a_pass_is_the_same_alone_in_any_batch_and_in_a_new_process_of_asking() -> None:
    subject = opened(dropout={"rate": 0.4})
    first, second = images(2)
    alone = {n: subject.predict([Pass(first, n)])[0] for n in (1, 2, 3)}
    mixed = subject.predict(
        [Pass(second, 2), Pass(first, 3), first, Pass(first, 1), Pass(second, 1), Pass(first, 2)]
    )
    assert [mixed[place] == alone[n] for place, n in ((3, 1), (5, 2), (1, 3))] == [True] * 3
    assert mixed[2] == opened().predict([first])[0]
    assert opened(dropout={"rate": 0.4}).predict([Pass(first, 2)])[0] == alone[2]
    assert alone[1] != alone[2]


def test_a_rate_of_0_gives_the_plain_answer() -> None:
    subject = opened(dropout={"rate": 0.0, "layers": ["mixed", "head"]})
    [image] = images(1)
    plain, drawn = subject.predict([image, Pass(image, 1)])
    assert plain == drawn


@pytest.mark.parametrize("training", [True, False])
def test_the_users_module_is_left_as_it_was(training: bool) -> None:
    subject = opened(dropout={"rate": 0.5, "layers": ["features", "mixed", "head"]})
    module = subject.detector.module
    module.train(training)
    module.get_submodule("mixed").eval()
    flags = [part.training for part in module.modules()]
    before = {key: value.clone() for key, value in module.state_dict().items()}
    [image] = images(1)
    subject.predict([image, Pass(image, 1)])
    subject.heat_map(image, [4, 2, 6, 4], 0)
    assert flags == [part.training for part in module.modules()]
    assert all(torch.equal(before[key], value) for key, value in module.state_dict().items())
    assert list(before) == list(module.state_dict())
    assert not any(part._forward_pre_hooks or part._forward_hooks for part in module.modules())


def test_hooks_and_modes_are_put_back_when_the_module_fails() -> None:
    module = nn.Sequential(nn.Linear(2, 2)).train()
    with (
        pytest.raises(RuntimeError),
        evaluation_mode(module),
        Dropout(0.5, ("0",)).applied(module, 1),
    ):
        module(torch.ones(1, 3))
    assert module.training
    assert module[0].training
    assert not module[0]._forward_pre_hooks


def test_the_users_own_dropout_layers_stay_silent_in_plain_answers() -> None:
    subject = opened()
    subject.detector.module.train()
    [image] = images(1)
    assert subject.predict([image]) == subject.predict([image])


def test_without_names_the_layers_that_heads_read_are_thinned(tmp_path: Path) -> None:
    cfg, weights = NAMED["tiny_v3"]().save(tmp_path)
    values = {"kind": "torch", "cfg": cfg.name, "weights": weights.name}
    image = np.random.default_rng(0).integers(0, 256, (64, 96, 3), dtype=np.uint8)

    def drawn(layers: Sequence[str] | None) -> Any:
        subject = open_subject({**values, "dropout": {"layers": layers}}, tmp_path)
        return subject.predict([Pass(image, 1)])

    heads = ["layer_7.convolution", "layer_15.convolution"]
    assert drawn(None) == drawn(heads)
    assert drawn(None) != drawn(heads[:1])


def test_a_detector_that_names_no_heads_is_thinned_before_its_last_layer() -> None:
    [image] = images(1)
    usual, named = opened(dropout={}), opened(dropout={"layers": ["head"]})
    assert usual.predict([Pass(image, 1)]) == named.predict([Pass(image, 1)])


def test_other_settings_are_another_fingerprint() -> None:
    settings: list[Any] = [None, {}, {"rate": 0.1}, {"seed": 1}, {"layers": ["mixed"]}]
    assert len({opened(dropout=one).fingerprint for one in settings}) == len(settings)


def test_a_subject_says_whether_it_draws() -> None:
    plain = opened()
    assert not plain.draws
    assert opened(dropout={}).draws
    with pytest.raises(SubjectError, match=r"cannot run pass 1, because it has no dropout\. Set"):
        plain.predict([Pass(images(1)[0], 1)])
    assert isinstance(plain, Draws)


def test_an_unknown_layer_is_answered_with_the_layers_there_are() -> None:
    message = r"subject\.dropout\.layers: the module has no layer 'neck'.* features, mixed"
    with pytest.raises(UserError, match=message):
        opened(dropout={"layers": ["neck"]})
    with pytest.raises(UserError, match=r"dropout\.rate: found 1"):
        opened(dropout={"rate": 1})


@pytest.mark.parametrize("layers", [None, ["layer_0"], ["layer_4.convolution", "layer_14"]])
def test_passes_that_share_what_comes_first_answer_as_if_they_did_not(
    tmp_path: Path, layers: Any
) -> None:
    cfg, weights = NAMED["tiny_v3"]().save(tmp_path)
    values = {"kind": "torch", "cfg": cfg.name, "weights": weights.name}
    subject: Any = open_subject({**values, "dropout": {"layers": layers}}, tmp_path)
    image = np.random.default_rng(0).integers(0, 256, (64, 96, 3), dtype=np.uint8)
    dropout, detector = subject._settings.dropout, subject.detector
    frame = subject._letterbox(image)
    found = subject.predict([Pass(image, n) for n in (1, 2, 3)])
    for number, answer in enumerate(found, 1):
        with dropout.applied(detector.module, number), torch.inference_mode():
            outputs = detector.outputs(subject._tensor([image], [frame]))
            assert detector.decode(outputs, [frame], 0.05) == [answer]
    assert found[0] != found[1]
