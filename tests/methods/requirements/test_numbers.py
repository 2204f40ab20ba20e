"""What a summary says of requirements, against counts made by hand and subjects with a truth."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.disk.json_values import finite_or_none
from snellen.methods.human.people import People, ThresholdSource
from snellen.methods.requirements.curves.paired_levels import change_levels
from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.methods.requirements.numbers import NO_SCENES
from snellen.methods.requirements.own_numbers import (
    CurveGroup,
    OpenEstimate,
    RequirementNumbers,
    RequirementRow,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.report.summary import summarise
from snellen.store.summary import Summary
from snellen.vision.decomposition.subtask_curves import curves
from snellen.vision.decomposition.subtask_outcomes import pooled
from tests.methods.requirements.requirement_journal import requirement_journal
from tests.methods.requirements.simulated_evidence import (
    SCORE,
    SUBTASKS,
    falling,
    requirement,
    simulated,
    steady,
)

PARTS = [*SUBTASKS, "detection", "segmentation"]
SPANS = {"localise": (0, 1), "classify": (1, 2), "segment": (2, 3), "detection": (0, 2),
         "segmentation": (0, 3)}  # fmt: skip


def summary_of(
    folder: Path, requirements: list[Requirement], every: Mapping[str, RunEvidence], **more: Any
) -> Summary:
    with closing(requirement_journal(folder, requirements, every, **more)) as journal:
        return summarise(journal)


def groups_of(summary: Summary) -> tuple[CurveGroup, ...]:
    return RequirementNumbers.model_validate(summary.own).reliability


def area_of(group: CurveGroup) -> OpenEstimate:
    """Under the recall of the first part."""
    graded = group.parts[0].curves["recall"].graded
    assert graded is not None
    return graded.area


def rows_of(summary: Summary) -> list[RequirementRow]:
    return [RequirementRow.of(one) for one in summary.requirements]


def made(seed: int = 3, scenes: int = 40, cases: int = 3, **more: Any) -> RunEvidence:
    return simulated(np.random.default_rng(seed), scenes, cases, **more)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """A subject that localises 40 points worse from visual change 0.45 on, and nothing else."""
    evidence = made(scenes=250, cases=2, rates=(falling(0.8, 0.45, 0.4), steady(1), steady(1)),
                    false=steady(0.2))  # fmt: skip
    every = [
        requirement(name=part, subtask=part, thresholds=(0.3, 0.9), margin=0.06)
        for part in ("localise", "classify")
    ]
    every.append(
        requirement(name="low", task="detection", subtask="whole", threshold=0.3, margin=0.06)
    )
    return summary_of(tmp_path_factory.mktemp("broken"), every, {"frost": evidence})


def test_only_the_broken_subtask_is_violated_and_only_where_it_breaks(
    broken: Summary,
) -> None:
    found = {one.name: one for one in rows_of(broken)}
    assert {name: one.status for name, one in found.items()} == {
        "localise": "violated",
        "classify": "satisfied",
        "low": "satisfied",
    }
    worst = found["localise"]
    assert worst.metric == "recall"
    assert worst.over == (0.0, 0.9)
    assert worst.breaks_from == 0.45
    points = " to ".join(f"{100 * one:.1f}" for one in worst.ends or ())
    assert worst.says == (
        f"localise: recall of person falls by {100 * (worst.value or 0):.1f} points ({points}) "
        "under frost up to visual change 0.9; it breaks from visual change 0.45 on"
    ), "the interval of the row, and no other"
    assert all(one.breaks_from is None for name, one in found.items() if name != "localise")
    assert worst.ends is not None
    assert worst.ends[0] < 0.2 < worst.ends[1], "half of the range loses 40 points"
    assert [one.status for one in worst.by_threshold] == ["satisfied", "violated"]


def test_a_requirement_is_reported_with_all_it_rests_on(broken: Summary) -> None:
    one = rows_of(broken)[0]
    assert one.thresholds == (0.3, 0.9)
    assert (one.task, one.subtask, one.label) == ("segmentation", "localise", "person")
    assert one.source.study == "made up"
    assert set(one.metrics) == {"precision", "recall", "average precision"}
    assert one.metrics["recall"].loss.value == one.value
    ends = one.metrics["average precision"].loss.ends
    assert ends is not None
    assert ends[0] > 0.1
    found = one.distance
    assert None not in (found.value, found.null, found.p_value)
    assert found.value == max(at.distance.value or 0.0 for at in one.by_threshold)
    assert 0 < (found.null or 0.0) < (found.value or 0.0)
    assert 0 < (found.p_value or 0.0) <= 1
    assert not one.satisfied_as_published


def test_a_row_is_read_back_as_it_was_stored(broken: Summary) -> None:
    for stored, row in zip(broken.requirements, rows_of(broken), strict=True):
        assert json.dumps(row.to_json()) == json.dumps(stored.to_json()), "also the order of keys"
        assert row.verdict() == stored
        assert "people" not in row.to_json()["source"]
    numbers = RequirementNumbers.model_validate(broken.own)
    assert json.dumps(numbers.to_json()) == json.dumps(broken.own), "without absent keys"


def cases_at(evidence: RunEvidence, level: int) -> list[int]:
    """The case of each scene with so many less changed ones of the same scene."""
    found = []
    for scene in range(evidence.scenes):
        own = [
            place
            for place in range(len(evidence.scene))
            if evidence.scene[place] == scene and evidence.transformation[place] == "frost"
        ]
        found.append(sorted(own, key=lambda place: evidence.delta_v[place])[level])
    return found


def by_hand(
    evidence: RunEvidence, label: int, start: int, end: int, places: list[int]
) -> tuple[float | None, float | None]:
    """Precision and recall of cases, a scene's mean counting for the scene."""
    rows: dict[int, list[list[int]]] = defaultdict(list)
    for place in places:
        one = evidence.outcomes[place]
        counts = [0, 0, 0, 0]
        for score, said, truth, stage in zip(
            one.score, one.label, one.truth, one.stage, strict=True
        ):
            if score < np.float32(SCORE):
                continue
            counts[0] += said == label and stage >= end
            counts[1] += said == label and stage >= start
            counts[2] += truth == label and stage >= end
            counts[3] += truth == label and stage >= start and start > 0
        if start == 0:
            counts[3] = int((one.objects == label).sum())
        rows[int(evidence.scene[place])].append(counts)
    passed, asked, found, known = np.sum(
        [np.mean(counts, axis=0) for counts in rows.values()], axis=0
    )
    return (passed / asked if asked else None, found / known if known else None)


def test_curves_are_what_counting_by_hand_gives(tmp_path: Path) -> None:
    evidence = made(rates=(falling(0.9, 0.5, 0.3), steady(0.8), steady(0.7)))
    [group] = groups_of(summary_of(tmp_path, [requirement()], {"frost": evidence}))
    assert [part.part for part in group.parts] == PARTS
    checks = 0
    for part in group.parts:
        start, end = SPANS[part.part]
        for place, metric in enumerate(("precision", "recall")):
            for level, one in enumerate(part.curves[metric].bins):
                places = cases_at(evidence, level)
                wanted = by_hand(evidence, 0, start, end, places)[place]
                assert one.value.value == pytest.approx(wanted)
                changes = evidence.delta_v[places]
                assert (one.low, one.high) == (changes.min(), changes.max())
                assert one.at == pytest.approx(changes.mean(), abs=1e-4)
                assert (one.cases, one.scenes) == (40, 40), "the same scenes at every level"
                checks += 1
    assert checks == 30


def test_a_group_says_how_many_cases_scenes_and_objects_it_has(tmp_path: Path) -> None:
    evidence = made(scenes=30, cases=2)
    [group] = groups_of(summary_of(tmp_path, [requirement(label="bus")], {"frost": evidence}))
    changed = [
        one for one, name in zip(evidence.outcomes, evidence.transformation, strict=True) if name
    ]
    assert (group.cases, group.scenes) == (60, 30)
    assert group.objects == sum(int((one.objects == 1).sum()) for one in changed)
    assert sum(one.cases for one in group.parts[0].curves["recall"].bins) == 60
    assert (group.transformation, group.label, group.most) == ("frost", "bus", 0.9)


def test_average_precision_is_the_area_of_the_pooled_curve(tmp_path: Path) -> None:
    evidence = made(scenes=120, cases=1)
    [group] = groups_of(summary_of(tmp_path, [requirement()], {"frost": evidence}))
    for part in group.parts:
        start, end = SPANS[part.part]
        if start:
            assert "average precision" not in part.curves, "no area of a part given another"
            continue
        [one] = part.curves["average precision"].bins
        clean = np.flatnonzero(evidence.transformation == "")
        for estimate, chosen in ((one.value, cases_at(evidence, 0)), (None, clean.tolist())):
            estimate = estimate or part.curves["average precision"].clean
            merged = pooled([evidence.outcomes[place] for place in chosen])
            wanted = curves(merged, 0, 3).average_precision(end)
            assert estimate.value == pytest.approx(wanted, abs=2e-4), "stored scores are rounded"
            assert estimate.ends is not None
            assert estimate.ends[0] <= wanted <= estimate.ends[1]
        before = part.curves["average precision"].clean.value
        assert one.loss is not None
        assert one.loss.value == pytest.approx((before or 0) - (one.value.value or 0))


def test_clean_values_are_of_the_scenes_as_they_are(tmp_path: Path) -> None:
    evidence = made(scenes=50, rates=(falling(0.9, 0.0, 0.5), steady(1), steady(1)))
    [group] = groups_of(summary_of(tmp_path, [requirement()], {"frost": evidence}))
    clean = [
        one
        for one, name in zip(evidence.outcomes, evidence.transformation, strict=True)
        if not name
    ]
    known = sum(int((one.objects == 0).sum()) for one in clean)
    found = sum(int((one.above(SCORE).truth == 0).sum()) for one in clean)
    assert group.parts[0].curves["recall"].clean.value == pytest.approx(found / known)


def test_curves_of_preservation_start_at_the_answer_to_the_unchanged_scene(
    tmp_path: Path,
) -> None:
    evidence = made(scenes=60, cases=6, kind="preservation")
    summary = summary_of(tmp_path, [requirement(kind="preservation")], {"frost": evidence})
    curve = groups_of(summary)[0].parts[0].curves["recall"]
    clean = [place for place, name in enumerate(evidence.transformation) if not name]
    assert curve.clean.value == pytest.approx(by_hand(evidence, 0, 0, 1, clean)[1])


def test_a_scene_with_fewer_changes_is_in_no_level(tmp_path: Path) -> None:
    """As when a budget ends within a scene: every level has the same scenes."""
    evidence = made(scenes=30, cases=3)
    dropped = np.flatnonzero((evidence.scene == 4) & (evidence.transformation == "frost"))[:1]
    kept = np.setdiff1d(np.arange(len(evidence.scene)), dropped)
    fewer = replace(
        evidence,
        scene=evidence.scene[kept],
        transformation=evidence.transformation[kept],
        delta_v=evidence.delta_v[kept],
        outcomes=tuple(evidence.outcomes[place] for place in kept),
    )
    levels = list(change_levels(fewer, "frost"))
    assert [one.cases for one in levels] == [29, 29, 29]
    for one in levels:
        assert set(fewer.scene[one.arms.after]) == set(range(30)) - {4}
        assert set(fewer.scene[one.arms.before]) == set(range(30)) - {4}
    assert list(change_levels(fewer, "fog")) == []


def test_the_same_journal_gives_the_same_numbers_and_seeds_only_move_intervals(
    tmp_path: Path,
) -> None:
    evidence, every = made(), [requirement(), requirement(name="two", subtask="classify")]
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    first = summary_of(folders[0], every, {"frost": evidence})
    again = summary_of(folders[1], every, {"frost": evidence})
    other = summary_of(folders[2], every[::-1], {"frost": evidence}, seed=2)
    assert first.requirements == again.requirements
    assert first.own == again.own
    assert other.requirements[1].value == first.requirements[0].value
    areas = [area_of(groups_of(one)[0]) for one in (first, other)]
    assert areas[0].value == areas[1].value
    assert areas[0].low != areas[1].low, "the draws of scenes follow the run's seed"


def test_a_verdict_does_not_depend_on_what_else_is_checked(tmp_path: Path) -> None:
    evidence, one, two = made(), requirement(), requirement(name="two", subtask="classify")
    (tmp_path / "alone").mkdir()
    (tmp_path / "both").mkdir()
    alone = summary_of(tmp_path / "alone", [one], {"frost": evidence}).requirements
    both = summary_of(tmp_path / "both", [two, one], {"frost": evidence}).requirements
    assert alone[0] == both[1]


def test_a_label_without_objects_is_undecided_and_the_summary_is_sound_json(
    tmp_path: Path,
) -> None:
    classes = ("person", "bus", "unicorn")
    one = requirement(label="unicorn", subtask="whole", naive=0.8)
    summary = summary_of(tmp_path, [one], {"frost": made(scenes=12)}, classes=classes)
    [found] = rows_of(summary)
    assert found.status == "undecided"
    assert "too few" in found.says
    assert found.naive == 0.8
    json.dumps(summary.to_json(), allow_nan=False)


def test_without_an_examined_scene_nothing_is_satisfied(tmp_path: Path) -> None:
    evidence = made(scenes=5, kind="preservation")
    summary = summary_of(tmp_path, [requirement()], {"frost": evidence})
    [found] = rows_of(summary)
    assert (found.status, found.value) == ("undecided", None)
    assert NO_SCENES in found.says
    assert summary.own["reliability"] == []
    json.dumps(summary.to_json(), allow_nan=False)


def test_transformations_and_labels_have_curves_of_their_own(tmp_path: Path) -> None:
    every = {"frost": made(), "fog": made(rates=(steady(0.2), steady(1), steady(1)))}
    wanted = [
        requirement(name=f"{name}-{label}", transformation=name, label=label)
        for name in every
        for label in ("person", "any")
    ]
    groups = groups_of(summary_of(tmp_path, wanted, every))
    about = [(one.transformation, one.label) for one in groups]
    assert about == [("frost", "person"), ("frost", "any"), ("fog", "person"), ("fog", "any")]
    areas = [area_of(one).value or 0.0 for one in groups]
    assert min(areas[:2]) > 0.6 > 0.3 > max(areas[2:])


PEOPLE = People(
    metric="recall",
    delta_v=tuple(np.linspace(0.05, 0.95, 10).round(2).tolist()),
    share=(0.95,) * 8 + (0.9, 0.5),
    answers=(20,) * 10,
)


def test_people_stand_beside_the_subject_where_their_answers_are_known(tmp_path: Path) -> None:
    one = requirement(source=ThresholdSource(study="a study", people=(PEOPLE,)))
    evidence = made(scenes=150, rates=(steady(0.5), steady(1), steady(1)))
    summary = summary_of(tmp_path, [one], {"frost": evidence})
    [group] = groups_of(summary)
    recall, precision = (group.parts[0].curves[name] for name in ("recall", "precision"))
    assert recall.people == PEOPLE
    assert precision.people is None
    assert precision.graded is not None
    assert precision.graded.compared is None
    assert recall.graded is not None
    compared = recall.graded.compared
    assert compared is not None
    assert compared.human > 0.9
    assert compared.human_relative == pytest.approx(compared.subject / compared.human)
    assert 0.4 < compared.human_relative < 0.6, "half of the objects are found, whatever the noise"
    assert group.parts[1].curves["recall"].people is None, "of another subtask"
    stored = summary.own["reliability"][0]["parts"][0]["curves"]
    assert stored["precision"]["people"] is None
    assert "human_relative" not in stored["precision"]["graded"], "absent, not null"


def test_people_seen_elsewhere_are_shown_but_not_compared(tmp_path: Path) -> None:
    far = People(metric="recall", delta_v=(0.96, 0.99), share=(0.5, 0.4), answers=(9, 9))
    one = requirement(source=ThresholdSource(study="a study", people=(far,)))
    [group] = groups_of(summary_of(tmp_path, [one], {"frost": made()}))
    recall = group.parts[0].curves["recall"]
    assert recall.people == far
    assert recall.graded is not None
    assert recall.graded.compared is None
    assert (area_of(group).value or 0.0) > 0


def test_what_could_not_be_computed_is_null() -> None:
    assert finite_or_none({"a": [float("nan"), (1.5, "x")], "b": None}) == {
        "a": [None, [1.5, "x"]],
        "b": None,
    }
