"""Margins: from people, and of parts that add up to no more than that of the whole."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.human.people import HumanLoss, People, ThresholdSource
from snellen.methods.requirements.specification.margin import Margin
from snellen.methods.requirements.specification.margin_composition import (
    margins_of,
    parts_of_whole,
    warn_of_shrunk,
)
from snellen.methods.requirements.specification.requirement import Requirement
from tests.methods.requirements.simulated_evidence import requirement

SUBTASKS = ("localise", "classify", "segment")


def file(margins: dict[str, Any], task: str = "segmentation", **values: Any) -> list[Requirement]:
    return [
        requirement(name=name, subtask=name, task=task, margin=margin, **values)
        for name, margin in margins.items()
    ]


@given(
    st.tuples(*[st.floats(0, 0.5)] * 3).filter(sum),
    st.floats(0.001, 0.5),
)
def test_the_margins_of_parts_add_up_to_no_more_than_that_of_the_whole(
    parts: tuple[float, ...], whole: float
) -> None:
    stated = dict(zip(SUBTASKS, parts, strict=True))
    found = margins_of(file({**stated, "whole": whole}))
    total = sum(found[name]["recall"].low for name in SUBTASKS)
    assert total <= whole + 1e-8
    assert found["whole"]["recall"].value == whole
    for name in SUBTASKS:
        assert found[name]["recall"].value <= stated[name]
        if sum(parts) <= whole:
            assert found[name]["recall"].value == stated[name]


def test_parts_that_do_not_make_up_the_whole_keep_their_margins() -> None:
    for names in (("localise", "classify", "whole"), ("localise",)):
        found = margins_of(file(dict.fromkeys(names, 0.02)))
        assert all(one["recall"].value == 0.02 for one in found.values())


def test_a_part_is_one_of_the_same_label_metric_and_range() -> None:
    made = file(dict.fromkeys((*SUBTASKS, "whole"), 0.02), threshold=0.6)
    *parts, whole = made
    assert [one.name for one in parts_of_whole(whole, made)] == list(SUBTASKS)
    assert parts_of_whole(parts[0], made) == ()
    for change in (
        {"label": "bus"},
        {"transformation": "fog"},
        {"kind": "preservation"},
        {"metric": "accuracy"},
        {"confidence": 0.9},
        {"threshold": 0.9, "thresholds": (0.9,)},
    ):
        other = [parts[0].model_copy(update=change), *parts[1:], whole]
        assert parts_of_whole(whole, other) == (), change
    further = parts[0].model_copy(update={"threshold": 0.9, "thresholds": (0.6, 0.9)})
    assert parts_of_whole(whole, [further, *parts[1:], whole])


def test_a_shared_part_gets_the_smaller_of_its_shares() -> None:
    made = [
        requirement(name="l", subtask="localise", task="detection", shared_with=("segmentation",),
                    margin=0.02),
        requirement(name="c", subtask="classify", task="detection", shared_with=("segmentation",),
                    margin=0.02),
        requirement(name="s", subtask="segment", margin=0.02),
        requirement(name="d", subtask="whole", task="detection", margin=0.02),
        requirement(name="w", subtask="whole", margin=0.02),
    ]  # fmt: skip
    found = margins_of(made)
    assert found["l"]["recall"].value == pytest.approx(0.02 / 3)
    assert found["l"]["recall"].source == "share"


def people(metric: str, value: float, low: float, high: float) -> People:
    return People(metric=metric, delta_v=(0.1,), share=(0.9,), answers=(50,),
                  loss=HumanLoss(value=value, low=low, high=high))  # fmt: skip


def test_a_margin_from_people_carries_its_uncertainty_and_is_no_less_than_the_default() -> None:
    curves = (people("recall", 0.12, 0.04, 0.2), people("precision", 0.01, -0.03, 0.06))
    [one] = file({"localise": "human"}, source=ThresholdSource(study="s", people=curves))
    found = margins_of([one])["localise"]
    assert found["recall"] == Margin(0.12, 0.04, 0.2, "people")
    assert found["precision"] == Margin(0.02, 0.02, 0.06, "people")


def test_people_lose_in_a_whole_task_what_they_lose_in_its_parts() -> None:
    source = ThresholdSource(study="s", people=(people("recall", 0.12, 0.04, 0.2),))
    made = file({"localise": "human", "classify": "human", "whole": "human"}, "detection",
                source=source)  # fmt: skip
    found = margins_of(made)
    assert found["whole"]["recall"].low == pytest.approx(0.08)
    assert found["whole"]["recall"].high == pytest.approx(0.4)
    assert found["localise"]["recall"].low == pytest.approx(0.04)


def test_a_warning_names_the_parts_whose_margins_were_shrunk(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        warn_of_shrunk(file(dict.fromkeys((*SUBTASKS, "whole"), 0.02)))
    assert len(caplog.messages) == 3
    assert "'localise'" in caplog.messages[0]
    assert "0.00667" in caplog.messages[0]
