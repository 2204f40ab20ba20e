"""Promise: what is learnt of a frame is what Bayes' rule says, and it changes what is tried."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from snellen.methods.fusion.search import failure_model as promise
from snellen.methods.fusion.search.difficulty import FEATURES
from snellen.methods.fusion.search.failure_model import FailureModel

NONE = np.zeros((1, len(FEATURES)))


def one(feature: str) -> np.ndarray:
    row = np.zeros((1, len(FEATURES)))
    row[0, FEATURES.index(feature)] = 1.0
    return row


def plain(model: FailureModel, features: np.ndarray, kind: str) -> float:
    """The expected share of failures, without what doubt adds."""
    made = float(model.of(features, [kind])[0])
    rows = model._rows(features, [kind])
    doubt = np.sqrt(rows @ np.linalg.inv(model.precision) @ rows.T)[0, 0]
    return made - promise.CURIOSITY * float(doubt)


def test_before_anything_was_asked_geometry_alone_counts() -> None:
    model = FailureModel(("sedan", "bus"))
    assert plain(model, NONE, "sedan") == pytest.approx(promise.USUAL)
    assert plain(model, one("hiding"), "bus") == pytest.approx(
        promise.USUAL + promise.PRIOR["hiding"]
    )
    assert plain(model, one("sparse"), "bus") == pytest.approx(promise.USUAL)


def test_one_outcome_moves_the_promise_as_bayes_rule_does() -> None:
    """The prediction for the same question is the posterior mean, here by plain integration."""
    model = FailureModel(("sedan",))
    model.learn(NONE[0], "sedan", 1.0)
    spread = np.sqrt(promise.DOUBT[0] + promise.DOUBT[2])
    prior = stats.norm(promise.USUAL, spread)
    noise = np.sqrt(promise.NOISE)

    def weight(share: float) -> float:
        return float(prior.pdf(share) * stats.norm(share, noise).pdf(1.0))

    total = integrate.quad(weight, -5, 5)[0]
    mean = integrate.quad(lambda share: share * weight(share), -5, 5)[0] / total
    assert plain(model, NONE, "sedan") == pytest.approx(mean, rel=1e-6)


def test_a_kind_that_keeps_failing_is_preferred_and_one_that_holds_is_left() -> None:
    model = FailureModel(("cyclist", "sedan", "bus"))
    for _ in range(4):
        model.learn(NONE[0], "cyclist", 1.0)
        model.learn(NONE[0], "sedan", 0.0)
    cyclist, sedan, bus = model.of(np.repeat(NONE, 3, axis=0), ["cyclist", "sedan", "bus"])
    assert cyclist > bus > sedan


def test_what_is_known_less_is_tried_first_where_all_promise_alike() -> None:
    model = FailureModel(("often", "never"))
    for _ in range(6):
        model.learn(NONE[0], "often", 1.0)
        model.learn(NONE[0], "often", 0.0)
    expected = plain(model, NONE, "often")
    model.pull[-1] += (expected - plain(model, NONE, "never")) / promise.DOUBT[2]
    assert plain(model, NONE, "never") > expected - 0.05
    often, never = model.of(np.repeat(NONE, 2, axis=0), ["often", "never"])
    assert never > often


def test_features_that_fail_in_this_frame_outweigh_what_was_thought_of_them() -> None:
    model = FailureModel(("sedan",))
    for _ in range(8):
        model.learn(one("hiding")[0], "sedan", 0.0)
        model.learn(one("sparse")[0], "sedan", 1.0)
    assert model.of(one("sparse"), ["sedan"]) > model.of(one("hiding"), ["sedan"])
