"""Procedures 1 and 2 against their plain definition and against the paper's own example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.corruptions.registry import CORRUPTIONS
from snellen.errors import UserError
from snellen.methods.human.people import ThresholdSource
from snellen.methods.human.subtasks import Kind
from snellen.methods.requirements.specification.estimate_file import read_estimates
from snellen.methods.requirements.specification.generation import (
    KnownThresholds,
    generate_requirements,
)
from snellen.methods.requirements.specification.published_thresholds import (
    published_thresholds,
    sources,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import (
    read_requirements,
    write_requirements,
)
from snellen.vision.visual_change.registry import visual_measure

SOURCE = ThresholdSource(study="made up")
levels = st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])


def known(localise: float, classify: float, segment: float) -> KnownThresholds:
    thresholds = {"localise": localise, "classify": classify, "segment": segment}
    pairs = {name: (value, SOURCE) for name, value in thresholds.items()}
    return KnownThresholds("bus", "frost", "correctness", "vifp", pairs, {"detection": 0.85})  # type: ignore[arg-type]


def by_part(found: tuple[Requirement, ...]) -> dict[str, Requirement]:
    return {one.task if one.subtask == "whole" else one.subtask: one for one in found}


@given(levels, levels, levels)
def test_a_subtask_has_every_threshold_not_above_its_own_and_the_whole_the_smallest(
    localise: float, classify: float, segment: float
) -> None:
    found = by_part(generate_requirements([known(localise, classify, segment)], ["segmentation"]))
    values = {"localise": localise, "classify": classify, "segment": segment}
    assert set(found) == {*values, "segmentation"}
    for name, own in values.items():
        assert found[name].threshold == own
        assert set(found[name].thresholds) == {one for one in values.values() if one <= own}
    assert found["segmentation"].threshold == min(values.values())
    assert found["segmentation"].thresholds == (min(values.values()),)


@given(levels, levels, levels)
def test_a_shared_subtask_is_one_requirement_that_both_tasks_use(
    localise: float, classify: float, segment: float
) -> None:
    found = generate_requirements(
        [known(localise, classify, segment)], ["segmentation", "detection"]
    )
    assert len({one.name for one in found}) == len(found) == 5
    parts = by_part(found)
    for name, own in (("localise", localise), ("classify", classify)):
        assert parts[name].tasks == ("detection", "segmentation")
        related = {localise, classify, segment}
        assert set(parts[name].thresholds) == {one for one in related if one <= own}
    assert parts["segment"].tasks == ("segmentation",)
    assert parts["detection"].threshold == min(localise, classify)
    assert parts["segmentation"].threshold == min(localise, classify, segment)
    assert parts["detection"].naive == 0.85
    assert parts["segmentation"].naive is None


# Table 2 of the paper: correctness of buses under frost, the same for both tasks.
@pytest.mark.parametrize("tasks", [["detection"], ["segmentation"], ["detection", "segmentation"]])
def test_buses_under_frost_get_the_requirements_of_the_paper(tasks: list) -> None:
    bus = published_thresholds("decompovision-voc", "bus", "frost", "correctness")
    found = by_part(generate_requirements([bus], tasks))
    assert found["localise"].thresholds == (0.7, 0.9)
    assert found["classify"].thresholds == (0.7,)
    for task in tasks:
        assert found[task].thresholds == (0.7,)
    if "segmentation" in tasks:
        assert found["segment"].thresholds == (0.7,)


PUBLISHED = [
    ("person", "frost", (0.9, 0.9, 0.6), (0.7, 0.3, 0.3)),
    ("bus", "frost", (0.9, 0.7, 0.7), (0.3, 0.3, 0.3)),
    ("person", "brightness", (0.9, 0.9, 0.5), (0.2, 0.8, 0.2)),
    ("bird", "brightness", (0.8, 0.9, 0.8), (0.9, 0.8, 0.9)),
]


@pytest.mark.parametrize(("label", "transformation", "correct", "preserved"), PUBLISHED)
def test_published_thresholds_are_those_of_the_study(
    label: str, transformation: str, correct: tuple, preserved: tuple
) -> None:
    name = sources()[0]
    for kind, expected in (("correctness", correct), ("preservation", preserved)):
        found = published_thresholds(name, label, transformation, kind)  # type: ignore[arg-type]
        values = [found.thresholds[one][0] for one in ("localise", "classify", "segment")]
        assert tuple(values) == expected
        assert found.measure == "vifp(sigma_nsq=0.4)"
        source = found.thresholds["localise"][1]
        assert "10.1145/3611643.3616333" in source.study
        assert source.sha256 is not None


# Constants of ICRAF's released code: t_c, t_p.
ICRAF = {
    "rgb_shift": (0.82, 0.26),
    "brightness": (0.87, 0.87),
    "contrast": (0.77, 0.28),
    "gaussian_noise": (0.91, 0.91),
    "defocus_blur": (0.98, 0.94),
    "frost": (0.84, 0.91),
    "jpeg_compression": (0.94, 0.94),
    "color_jitter": (0.48, 0.48),
}


KINDS: tuple[Kind, ...] = ("correctness", "preservation")


@pytest.mark.parametrize("transformation", ICRAF)
def test_the_eight_transformations_of_icraf_come_with_their_measure(transformation: str) -> None:
    CORRUPTIONS.check(transformation, "transformation")
    known = [published_thresholds("icraf-imagenet", "car", transformation, kind) for kind in KINDS]
    found = generate_requirements(known, ["classification"])
    wholes = [one for one in found if one.subtask == "whole"]
    assert tuple(one.threshold for one in wholes) == ICRAF[transformation]
    for one in found:
        assert one.measure == one.source.measure == "vifvec(sigma_nsq=0.4)"
        assert visual_measure(one.measure).name == "vifvec"


def test_a_threshold_in_another_measure_than_it_was_estimated_in_is_refused(
    tmp_path: Path,
) -> None:
    known = published_thresholds("icraf-imagenet", "car", "frost", "correctness")
    path = tmp_path / "requirements.yaml"
    write_requirements(path, generate_requirements([known], ["classification"]))
    assert read_requirements(path)[0].measure == "vifvec(sigma_nsq=0.4)"
    text = path.read_text()
    lines = [line for line in text.splitlines() if "measure: vifvec" in line]
    swapped = text.replace(lines[0], lines[0].replace("vifvec(sigma_nsq=0.4)", "vifp"), 1)
    path.write_text(swapped)
    with pytest.raises(
        UserError, match=r"measure is vifp, but its threshold was estimated in vifv"
    ):
        read_requirements(path)
    path.write_text(text.replace(lines[0], lines[0].replace("(sigma_nsq=0.4)", ""), 1))
    assert read_requirements(path)[0].measure == "vifvec"


def test_what_a_study_does_not_have_is_reported() -> None:
    with pytest.raises(UserError, match="no thresholds for bird under frost; it has person under"):
        published_thresholds("decompovision-voc", "bird", "frost", "correctness")
    with pytest.raises(UserError, match="did you mean 'decompovision-voc'"):
        published_thresholds("decompovision", "bird", "frost", "correctness")


def test_a_task_without_its_thresholds_is_refused() -> None:
    bus = KnownThresholds("bus", "frost", "correctness", "vifp", {"localise": (0.5, SOURCE)}, {})
    with pytest.raises(UserError, match=r"classification of bus .* needs a threshold for classify"):
        generate_requirements([bus], ["classification"])


def estimated(folder: Path, **changes: object) -> Path:
    values = {
        "task": "classification",
        "label": "car",
        "transformation": "frost",
        "kind": "correctness",
        "threshold": 0.82,
        "low": 0.7,
        "high": 0.84,
        "limited_by_data": False,
        "told": "",
        "procedure": "icraf",
        "as_published": False,
        "measure": "vifvec",
        "source": {"file": "bins.csv", "sha256": "0" * 64},
        "subtasks": {},
        "direct": None,
    }
    path = folder / "thresholds.json"
    path.write_text(json.dumps(values | changes))
    return path


def test_an_estimated_threshold_brings_its_interval_and_source(tmp_path: Path) -> None:
    found = generate_requirements(read_estimates(estimated(tmp_path)), ["classification"])
    assert [one.subtask for one in found] == ["classify", "whole"]
    for one in found:
        assert (one.threshold, one.measure, one.metric) == (0.82, "vifvec", "accuracy")
        assert (one.source.low, one.source.high) == (0.7, 0.84)
        assert one.source.sha256 == "0" * 64


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"measure": "unstated"}, "does not name the measure of visual change"),
        ({"threshold": None, "told": "too few"}, "could not be estimated"),
        ({"source": None}, "not output of `snellen thresholds --json`"),
    ],
)
def test_a_threshold_that_cannot_be_required_is_refused(
    tmp_path: Path, changes: dict, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        read_estimates(estimated(tmp_path, **changes))


def test_what_demands_nothing_is_written_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    """Published: 0.2 for localising persons in brightened images, which is `minimal` itself."""
    found = generate_requirements(
        [published_thresholds("decompovision-voc", "person", "brightness", "preservation")],
        ["detection"],
    )
    assert by_part(found)["classify"].thresholds == (0.2, 0.8)
    logged = [one.getMessage() for one in caplog.records]
    assert len(logged) == 2, "of localise and of the whole task; classify demands something"
    for part, line in zip(("localise", "detection"), logged, strict=True):
        assert line.startswith(
            f"requirement 'person-brightness-{part}-preservation' demands nothing: its threshold "
            "0.2 is not above minimal 0.2."
        )


def test_correctness_at_the_same_threshold_demands_something(
    caplog: pytest.LogCaptureFixture,
) -> None:
    generate_requirements([known(0.2, 0.2, 0.2)], ["segmentation"])
    assert not caplog.records
