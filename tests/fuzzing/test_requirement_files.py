"""Damaged requirement files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from snellen.methods.human.people import HumanLoss, People, ThresholdSource
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import (
    read_requirements,
    requirements_yaml,
)
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import DIGITS_401, DIGITS_5000, TEXT
from tests.fuzzing.test_configuration import LAUGHS, damage_values

FILE = "requirements.yaml"
PEOPLE = People(
    metric="accuracy", delta_v=(0.1, 0.5), share=(0.9, 0.4), answers=(30, 20),
    loss=HumanLoss(value=0.1, low=0.05, high=0.2),
)  # fmt: skip
ONE = Requirement(
    name="frost", task="detection", subtask="localise", transformation="frost",
    measure="vifp(sigma_nsq=0.4)", threshold=0.6, thresholds=(0.5, 0.6), margin="human",
    shared_with=("segmentation",),
    source=ThresholdSource(study="a study", file="a.csv", sha256="0" * 64, people=(PEOPLE,)),
)  # fmt: skip
TWO = ONE.model_copy(update={"name": "rain", "transformation": "rain", "margin": 0.1})
CONTENT = requirements_yaml([ONE, TWO])


def read(folder: Path) -> None:
    requirements_yaml(read_requirements(folder / FILE)).encode()


TARGET = Target(
    "requirement files",
    {FILE: CONTENT.encode()},
    {FILE: (*TEXT, damage_values, damage_values)},
    read,
)


def text(old: str, new: str) -> Files:
    return {FILE: CONTENT.replace(old, new, 1).encode()}


PAST: Mapping[str, Files] = {
    "a billion laughs": {FILE: (LAUGHS + CONTENT).encode()},
    "a threshold that is no number": text("threshold: 0.6", "threshold: .nan"),
    "a threshold of 401 digits": text("threshold: 0.6", f"threshold: {DIGITS_401}"),
    "a version of 5,000 digits": text("requirements: 1", f"requirements: {DIGITS_5000}"),
    "a version that is a list": text("requirements: 1", "requirements: [1]"),
    "a measure that is none": text("vifp(sigma_nsq=0.4)", "vifp(((("),
    "a measure of infinity": text("vifp(sigma_nsq=0.4)", "vifp(sigma_nsq=inf)"),
    "a measure of 5,000 digits": text("vifp(sigma_nsq=0.4)", f"vifp(sigma_nsq={DIGITS_5000})"),
    "a name that is half a pair": text("name: frost", 'name: "\\ud800"'),
    "deep lists": {FILE: b"[" * 100_000},
    "requirements that are numbers": {FILE: b"snellen_requirements: 1\nrequirements: [1, 2]"},
    "requirements that are a mapping": {FILE: b"snellen_requirements: 1\nrequirements: {a: b}"},
    "keys that are numbers": text("task: detection", "5: detection"),
    "nothing": {FILE: b""},
    "bytes that are not text": {FILE: b"\xff\xfe\xfd"},
}  # fmt: skip


class TestRequirementFiles(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
