"""Opens a study in memory, with pictures that nobody sees."""

from __future__ import annotations

from tests.study.fake_study import FakeStudy, classify_design

from experiments.study.coverage import OpenStudy


def fake_opener(seed: int) -> OpenStudy:
    """80 scenes, each unchanged and at 12 visual changes, half of them with the class."""
    design = classify_design(seed)
    study = FakeStudy(design)
    return OpenStudy(design, study, study.read)
