"""Human performance that travels with a requirement, against the answers it was made from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.estimate import EstimateRequest
from snellen.methods.human.estimation import estimates
from snellen.methods.human.human_performance import people_of
from snellen.methods.human.people import People, ThresholdSource
from snellen.methods.requirements.specification.estimate_file import read_estimates
from snellen.methods.requirements.specification.generation import (
    KnownThresholds,
    generate_requirements,
)
from snellen.methods.requirements.specification.requirement_file import (
    read_requirements,
    write_requirements,
)


def bins(*rows: tuple[float, float, int]) -> list[dict[str, float]]:
    return [{"delta_v": edge, "share": share, "answers": count} for edge, share, count in rows]


def test_narrow_bins_are_joined_by_their_answers_not_by_their_number() -> None:
    narrow = bins((0.01, 1.0, 30), (0.05, 0.5, 10), (0.06, 0.0, 5))
    found = people_of({"bins": narrow}, "icraf")
    assert found is not None
    [one] = found
    assert one.metric == "accuracy"
    assert one.share == (0.875, 0.0)
    assert one.answers == (40, 5)
    assert one.delta_v == (0.015, 0.055), "the mean of the answers, and the middle of a bin"


def test_wide_bins_are_kept_and_each_curve_has_its_metric() -> None:
    wide = bins((0.1, 0.9, 8), (0.3, 0.6, 7))
    curves = [{"what": name, "bins": wide} for name in ("precision", "recall", "preserved")]
    found = people_of({"curves": curves}, "decompovision")
    assert found is not None
    assert [one.metric for one in found] == ["precision", "recall", "accuracy"]
    assert found[0].delta_v == (0.05, 0.25)
    assert found[0].share == (0.9, 0.6)


def test_without_bins_there_are_no_people() -> None:
    assert people_of({"curves": [{"what": "recall", "bins": []}]}, "icraf") is None
    assert people_of({}, "icraf") is None


def test_people_with_lists_of_different_lengths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="equal length"):
        People(metric="recall", delta_v=(0.1, 0.2), share=(1.0,), answers=(3, 4))
    path = tmp_path / "r.yaml"
    path.write_text("snellen_requirements: 1\nrequirements: [{name: a, source: {people: [{}]}}]\n")
    with pytest.raises(UserError, match="people"):
        read_requirements(path)


def test_a_whole_task_does_not_show_the_people_of_one_of_its_subtasks() -> None:
    people = People(metric="recall", delta_v=(0.1,), share=(0.9,), answers=(9,))
    source = ThresholdSource(study="a study", people=(people,))
    known = KnownThresholds(
        "dog",
        "fog",
        "correctness",
        "vifp(sigma_nsq=2)",
        {"localise": (0.5, source), "classify": (0.6, source)},
        {},
    )
    by_part = {
        one.subtask: one.source.people for one in generate_requirements([known], ["detection"])
    }
    assert by_part == {"localise": (people,), "classify": (people,), "whole": None}
    [classify, whole] = generate_requirements([known], ["classification"])
    assert classify.source.people == whole.source.people == (people,), "one subtask is the task"


def test_the_answers_of_a_study_come_through_the_file(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    path = shared("human/icraf_imagenet_bins/imagenet_c_p_frost.csv")
    wanted = EstimateRequest(
        measure="vifp(sigma_nsq=2)", p0=0.97, task="classification", replicates=20
    )
    [found] = estimates(read_human(path), wanted)
    (tmp_path / "t.json").write_text(json.dumps(found.to_json()))
    made = generate_requirements(read_estimates(tmp_path / "t.json"), ["classification"])
    write_requirements(tmp_path / "r.yaml", made)
    again = read_requirements(tmp_path / "r.yaml")
    assert again == made
    assert again[0].source.people is not None
    [people] = again[0].source.people
    rows = np.loadtxt(path, delimiter=",", skiprows=1)
    counted = rows[rows[:, 2] > 10]
    assert sum(people.answers) == counted[:, 2].sum()
    right = np.dot(people.share, people.answers)
    assert right == pytest.approx(counted[:, 3].sum(), abs=1)
    assert people.share[0] > 0.9 > 0.7 > people.share[-1]
