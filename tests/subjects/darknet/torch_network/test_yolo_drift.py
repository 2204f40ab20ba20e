"""Drift: against a hand-written formula, numeric differences, and its exemptions."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from snellen.subjects.darknet.torch_network.head_settings import HeadSettings
from snellen.subjects.darknet.torch_network.yolo_drift import yolo_drift
from snellen.subjects.darknet.torch_network.yolo_heads import read_head
from tests.subjects.darknet.torch_network.test_yolo_loss import (
    COARSE,
    FINE,
    SIZE,
    assert_true_gradient,
    random_outputs,
    targets_of,
)

HEADS = (COARSE, FINE)


def drift(outputs: Any, given: Any, free: Any) -> Tensor:
    return yolo_drift(outputs, given, free, HEADS, [HeadSettings()] * 2, SIZE)


def nothing(count: int) -> list[Any]:
    return [targets_of() for _ in range(count)]


def divergence(new: float, old: float) -> float:
    """The divergence of two binary predictions from their log-odds, by definition."""
    p, q = (1 / (1 + math.exp(-one)) for one in (old, new))
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def by_hand(outputs: list[Tensor], given: list[Tensor]) -> float:
    """The definition, computed place by place."""
    total = 0.0
    for now, then, head in zip(outputs, given, HEADS, strict=True):
        new, old = read_head(now, head, SIZE), read_head(then, head, SIZE)
        for place in [tuple(one) for one in torch.ones_like(old.objectness).nonzero().tolist()]:
            was = float(old.objectness[place])
            total += divergence(float(new.objectness[place]), was)
            x1, y1, x2, y2 = old.boxes[place].tolist()
            sides = [max(x2 - x1, 1), max(y2 - y1, 1)] * 2
            moves = (new.boxes[place] - old.boxes[place]).tolist()
            apart = sum((move / side) ** 2 for move, side in zip(moves, sides, strict=True))
            pairs = zip(new.classes[place].tolist(), old.classes[place].tolist(), strict=True)
            apart += sum(divergence(*pair) for pair in pairs)
            total += apart / (1 + math.exp(-was))
    return total / len(outputs[0])


def test_it_is_the_formula_by_hand() -> None:
    outputs, given = random_outputs(2, seed=1), random_outputs(2, seed=2)
    found = drift(outputs, given, nothing(2))
    assert float(found) == pytest.approx(by_hand(outputs, given), rel=1e-9)


def test_it_is_nothing_where_nothing_moved_and_pulls_back_from_there() -> None:
    given = random_outputs(1)
    assert float(drift(given, given, nothing(1))) == pytest.approx(0, abs=1e-12)
    moved = [one + 0.1 for one in given]
    assert float(drift(moved, given, nothing(1))) > 0
    assert_true_gradient(lambda *now: drift(now, given, nothing(1)), *map(_learning, moved))


def test_places_of_free_objects_may_move() -> None:
    """The object has the shape of the coarse head's first anchor and is in its first cell."""
    free = [targets_of(([2.0, 3.0, 14.0, 13.0], 1))]
    given = [torch.full_like(one, -1.0) for one in random_outputs(1)]
    own, other = [one.clone() for one in given], [one.clone() for one in given]
    own[0][0, 4, 0, 0] = 5.0
    other[0][0, 4, 1, 2] = 5.0
    assert float(drift(own, given, free)) == pytest.approx(0, abs=1e-12)
    assert float(drift(own, given, nothing(1))) > 1
    assert float(drift(other, given, free)) == float(drift(other, given, nothing(1))) > 1


def _learning(one: Tensor) -> Tensor:
    return one.clone().requires_grad_()
