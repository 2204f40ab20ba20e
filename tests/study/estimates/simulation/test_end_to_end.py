"""Sixty people whose curves are known answer a study; its interval holds the true threshold."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from experiments.study.coverage import simulated_study
from experiments.study.fake_opener import fake_opener
from experiments.study.folder_opener import folder_opener

from snellen.study.estimates.simulation.simulated_people import SimulatedPeople

PEOPLE = SimulatedPeople(inattentive=0.15)


def test_most_of_five_intervals_hold_the_true_threshold() -> None:
    found = [simulated_study(fake_opener, PEOPLE, seed) for seed in range(5)]
    assert sum(one.covered for one in found) >= 4
    raters = sum((one.raters for one in found), Counter())
    assert raters[False, False] > 5 * raters[True, False]
    assert max(one.fit.high - one.fit.low for one in found) < 0.25


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_ninety_of_a_hundred_intervals_hold_the_true_threshold() -> None:
    assert sum(simulated_study(fake_opener, PEOPLE, seed).covered for seed in range(100)) >= 90


@pytest.mark.thorough
@pytest.mark.timeout(1800)
def test_the_same_holds_for_real_study_folders(tmp_path: Path) -> None:
    opener = partial(folder_opener, parent=tmp_path)
    assert sum(simulated_study(opener, PEOPLE, seed).covered for seed in range(8)) >= 7
