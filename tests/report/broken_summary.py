"""The summary of a run whose localisation breaks, made once for tests of page and terminal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from snellen.methods.human.people import People, ThresholdSource
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.report.summary import summarise
from snellen.store.summary import Summary
from tests.methods.requirements.requirement_journal import requirement_journal
from tests.methods.requirements.simulated_evidence import falling, requirement, simulated, steady
from tests.report.test_page import EVIL

PEOPLE = People(metric="recall", delta_v=(0.05, 0.5, 0.95), share=(0.95, 0.9, 0.5),
                answers=(20, 30, 20))  # fmt: skip


def summary_with(folder: Path, every: Sequence[Requirement], scenes: int = 60) -> Summary:
    rng = np.random.default_rng(4)
    rates = (falling(0.9, 0.45, 0.6), steady(1.0), steady(1.0))
    evidence = simulated(rng, scenes, 3, rates=rates)
    classes = ("person", "bus", EVIL)
    with closing(
        requirement_journal(folder, every, {every[0].transformation: evidence}, classes=classes)
    ) as journal:
        return summarise(journal)


@pytest.fixture(scope="session")
def summary(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """Localisation is broken from 0.45 on; nothing can be said of the rest with 60 scenes."""
    source = ThresholdSource(study="A study of people", low=0.8, high=0.95, people=(PEOPLE,))
    every = [
        requirement(name="find", subtask="localise", thresholds=(0.4, 0.9), source=source),
        requirement(name="name", subtask="classify", threshold=0.6, margin=0.5),
        requirement(name="all", task="detection", subtask="whole", threshold=0.4, naive=0.7),
    ]
    return summary_with(tmp_path_factory.mktemp("page"), every)
