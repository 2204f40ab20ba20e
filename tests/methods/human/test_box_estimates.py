"""Raw exports as published: against a slow reference, rule by rule, and against the paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from snellen.errors import UserError
from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.estimate import EstimateRequest, HumanEstimate
from snellen.methods.human.estimation import estimates
from snellen.methods.human.exports.export_answers import ExportAnswers
from snellen.methods.human.procedures.published_counts import (
    LabelRows,
    PublishedAnswers,
)
from snellen.methods.human.procedures.published_decompovision import PublishedScans
from snellen.methods.human.subtasks import Kind
from snellen.methods.human.threshold import Threshold
from tests.methods.human.published_reference import (
    box_iou,
    reference_tests,
    reference_threshold,
)
from tests.methods.human.simulated_exports import (
    Study,
    made_up_study,
    write_study,
)

PUBLISHED = EstimateRequest(as_published=True, task="segmentation", label="person", replicates=10)

# Table 1 of DecompoVision (frost); t_p by the authors' code where it gives what they print.
CORRECTNESS = {
    "person": {"localise": 0.9, "classify": 0.9, "segment": 0.6},
    "bus": {"localise": 0.9, "classify": 0.7, "segment": 0.7},
}
PRESERVATION = {
    "person": {"localise": 0.7, "classify": 0.2, "segment": 0.2},
    "bus": {"localise": 0.3, "classify": 0.4, "segment": 0.4},
}


def parts_of(found: HumanEstimate) -> dict[str, Threshold]:
    assert found.direct is not None
    return {**{str(name): part for name, part in found.subtasks.items()}, "whole": found.direct}


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["correctness", "preservation"])
def test_a_study_is_counted_as_the_slow_reference_counts_it(
    tmp_path: Path, seed: int, kind: Kind
) -> None:
    study = made_up_study(np.random.default_rng(seed), 60)
    [found] = estimates(
        read_human(write_study(tmp_path / "study", study)), replace(PUBLISHED, kind=kind)
    )
    expected = reference_tests(study, "person", kind)
    assert len(expected) == 8
    for name, part in parts_of(found).items():
        sides = {curve.what: curve for curve in part.curves}
        for what, curve in sides.items():
            rows = zip(curve.share, curve.asked, curve.p_value, strict=True)
            bins = expected[name, what]
            assert [row[1:] for row in bins] == [pytest.approx(tuple(row)) for row in rows], name
        smaller = min(reference_threshold(expected[name, what]) for what in sides)
        assert part.value == pytest.approx(smaller)


@pytest.mark.parametrize("label", ["person", "bus"])
@pytest.mark.parametrize("kind", ["correctness", "preservation"])
def test_the_frost_study_gives_its_published_thresholds(
    shared: Callable[[str], Path], label: str, kind: Kind
) -> None:
    data = read_human(shared("human/decompovision_frost"))
    [found] = estimates(data, replace(PUBLISHED, label=label, kind=kind))
    expected = (CORRECTNESS if kind == "correctness" else PRESERVATION)[label]
    assert {name: part.value for name, part in found.subtasks.items()} == pytest.approx(expected)
    assert found.own is not None
    assert found.measure == "vifp(sigma_nsq=0.4)"


def bins(
    counts: list[tuple[int, int, int, int, int, int]], clean: tuple[int, ...]
) -> PublishedAnswers:
    """Answers with these six counts in the bins from 0, 0.1, ...; all in one image each."""
    middles = np.linspace(0.05, 0.95, 10)

    def rows(many: list[tuple[int, ...]]) -> LabelRows:
        place = np.repeat(np.arange(len(many)), [max(one[1:]) for one in many])
        flags = [
            np.concatenate([np.arange(max(one[1:])) < one[column] for one in many])
            for column in range(1, 6)
        ]
        return LabelRows(place, middles[place], np.array(flags))

    asked = [one[0] for one in counts]
    image = np.repeat(np.arange(len(counts)), asked)
    return PublishedAnswers(
        rows(list(counts)), rows([clean]), np.arange(sum(asked)), image, middles[image]
    )


def scans(answers: PublishedAnswers, kind: Kind = "correctness") -> PublishedScans:
    images = int(answers.of_image.max()) + 1
    return PublishedScans(answers, kind, "segmentation", np.ones((1, images)))


def test_recall_of_classify_is_tested_with_all_objects() -> None:
    """Three of four found objects named: no bin of four is tested, one of twenty fails."""
    found = scans(bins([(20, 9, 9, 4, 3, 3)] * 3, (0, 60, 60, 60, 60, 60))).scan("classify")
    recall = next(curve for curve in found.curves if curve.what == "recall")
    assert recall.asked.tolist() == [20, 20, 20]
    assert recall.share.tolist() == [0.75] * 3
    assert (recall.p_value == 0).all()
    assert found.values[0] == 0.0


def test_a_p_value_fails_up_to_0_05_after_rounding() -> None:
    """15 of 20 against 0.895 has p = 0.0516: rounded to 0.05 it fails; 16 of 20 does not."""
    clean = (0, 1000, 895, 1000, 895, 895)
    assert 0.05 < binom.cdf(15, 20, 0.895) < 0.055
    failing = scans(bins([(20, 20, 19, 20, 19, 19), *[(20, 20, 15, 20, 15, 15)] * 2], clean))
    passing = scans(bins([(20, 20, 19, 20, 19, 19), *[(20, 20, 16, 20, 16, 16)] * 2], clean))
    assert failing.scan("localise").values[0] == pytest.approx(0.1)
    assert passing.scan("localise").values[0] == pytest.approx(0.2)


def test_a_recall_above_1_is_cut_and_a_count_is_cut_to_a_whole_number() -> None:
    found = scans(bins([(10, 30, 20, 15, 10, 10)] * 2, (0, 60, 40, 60, 40, 40)))
    localise = {curve.what: curve for curve in found.scan("localise").curves}
    assert localise["recall"].share.tolist() == [1, 1]
    assert localise["recall"].p0 == 1
    classify = {curve.what: curve for curve in found.scan("classify").curves}
    assert classify["recall"].share[0] == pytest.approx(2 / 3)
    expected = binom.cdf(6, 10, 40 / 60)
    assert classify["recall"].p_value[0] == round(float(expected), 2)


def study_of(versions: list[float]) -> Study:
    """One person in each of 12 originals, seen by everyone in every version."""
    study = Study()
    for number in range(12):
        name = f"2008_{number:06d}"
        study.objects[name] = [("person", [5, 5, 30, 40])]
        names = [f"{name}.jpg"]
        for iqa in versions:
            names.append(f"{name}.jpg.frost_{len(study.images)}.png")
            study.images.append((names[-1], f"{name}.jpg", iqa))
        for image in names:
            study.votes.append((image, [5, 5, 25, 35], ["person"] * 5))
    return study


def estimated(tmp_path: Path, study: Study, kind: Kind) -> HumanEstimate:
    wanted = replace(PUBLISHED, task="detection", kind=kind)
    return estimates(read_human(write_study(tmp_path / "one", study)), wanted)[0]


def test_a_vif_above_1_is_no_visual_change(tmp_path: Path) -> None:
    """It is in no bin, but among the hardly changed images that preservation is compared with."""
    study = study_of([1.2, 0.5])
    found = estimated(tmp_path, study, "correctness")
    data = read_human(tmp_path / "one")
    assert isinstance(data, ExportAnswers)
    assert {one.delta_v for one in data.images} == {0.0, 0.5}
    curve = found.subtasks["localise"].curves[1]
    assert curve.edges.tolist() == [0.5]
    assert estimated(tmp_path, study, "preservation").subtasks["localise"].curves[1].p0 == 1
    [own] = estimates(
        read_human(tmp_path / "one"),
        replace(PUBLISHED, task="detection", kind="correctness", as_published=False),
    )
    assert own.subtasks["localise"].curves[0].edges.tolist() == [0.1, 0.5]


def test_changes_of_0_8_and_0_9_fall_into_the_bins_that_start_there(tmp_path: Path) -> None:
    found = estimated(tmp_path, study_of([0.2, 0.1, 0.4]), "correctness")
    assert found.subtasks["localise"].curves[1].edges.tolist() == pytest.approx([0.6, 0.9, 1.0])


def test_an_original_is_compared_with_the_objects_of_all_its_versions(tmp_path: Path) -> None:
    found = estimated(tmp_path, study_of([0.5, 0.3]), "correctness")
    recall = found.subtasks["localise"].curves[1]
    assert recall.what == "recall"
    assert recall.p0 == 0.5
    assert found.own is not None
    assert found.own.subtasks["localise"].curves[1].p0 == 1.0


def test_preservation_takes_peoples_own_boxes_on_the_originals_as_truth(tmp_path: Path) -> None:
    """Everybody calls the dogs persons, in every version: nothing right, everything preserved."""
    study = study_of([0.9, 0.5, 0.3])
    study.objects = {name: [("dog", box) for _, box in one] for name, one in study.objects.items()}
    found = estimated(tmp_path, study, "preservation")
    assert found.subtasks["classify"].limited_by_data
    assert found.subtasks["classify"].curves[1].share.tolist() == [1, 1, 1]
    assert found.subtasks["classify"].curves[1].asked.tolist() == [12, 12, 12]
    assert found.own is not None
    assert found.own.subtasks["classify"].curves[1].share.tolist() == [1, 1, 1]


def boxes_of(study: Study) -> str:
    """The same study as a CSV file of boxes, each on the object that it overlaps most."""
    lines = ["image,transformation,delta_v,object,truth,answer"]
    shown = [(f"{name}.jpg", 0.0, name) for name in study.objects]
    shown += [(name, max(1 - iqa, 0), original[:-4]) for name, original, iqa in study.images]
    for image, delta_v, name in shown:
        head = f"{name},{'frost' if '.frost_' in image else 'original'},{delta_v!r}"
        objects, left = study.objects[name], set(range(len(study.objects[name])))
        for own, (x, y, width, height), votes in study.votes:
            if own != image:
                continue
            box = (x, y, x + width, y + height)
            place = max(range(len(objects)), key=lambda one: box_iou(box, objects[one][1]))
            hit = box_iou(box, objects[place][1]) > 0.5
            left -= {place} if hit else set()
            tail = f"{image}-{place},{objects[place][0]}" if hit else ","
            lines += [f"{head},{tail},{label}" for label in dict.fromkeys(votes)]
        lines += [f"{head},{image}-{place},{objects[place][0]}," for place in sorted(left)]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", [1, 2])
def test_boxes_in_a_csv_file_are_counted_in_the_same_way(tmp_path: Path, seed: int) -> None:
    study = made_up_study(np.random.default_rng(seed), 60)
    path = tmp_path / "boxes.csv"
    path.write_text(boxes_of(study))
    wanted = replace(PUBLISHED, task="detection", kind="correctness")
    [raw] = estimates(read_human(write_study(tmp_path / "study", study)), wanted)
    [boxes] = estimates(read_human(path), wanted)
    for name, part in parts_of(raw).items():
        for one, other in zip(part.curves, parts_of(boxes)[name].curves, strict=True):
            assert one.edges.tolist() == other.edges.tolist()
            assert one.asked.tolist() == other.asked.tolist()
            assert one.p_value.tolist() == other.p_value.tolist()
            assert one.p0 == other.p0
    assert boxes.own is not None


def test_preservation_of_boxes_in_a_csv_file_is_by_the_answer_to_the_original(
    tmp_path: Path,
) -> None:
    """All dogs are called persons in the original; half of them still are when changed."""
    lines = ["image,transformation,delta_v,object,truth,answer"]
    for number in range(20):
        answer = "person" if number % 2 else "dog"
        lines += [f"i{number},original,0,o1,dog,person", f"i{number},frost,0.15,o1,dog,person"]
        lines += [f"i{number},frost,0.55,o1,dog,{answer}", f"i{number},frost,0.65,o1,dog,{answer}"]
    path = tmp_path / "boxes.csv"
    path.write_text("\n".join(lines))
    wanted = replace(PUBLISHED, task="detection", kind="preservation")
    [found] = estimates(read_human(path), wanted)
    [recall] = [one for one in found.subtasks["classify"].curves if one.what == "recall"]
    assert recall.p0 == 1
    assert recall.share.tolist() == [1, 0.5, 0.5]
    assert recall.asked.tolist() == [20, 20, 20]
    assert found.subtasks["classify"].value == pytest.approx(0.5)


def test_a_label_must_be_chosen_as_published(tmp_path: Path) -> None:
    data = read_human(write_study(tmp_path / "one", study_of([0.5])))
    with pytest.raises(UserError, match="Choose it with --label: person"):
        estimates(data, replace(PUBLISHED, label="any", task="detection"))
    with pytest.raises(UserError, match=r"no object of label 'perso'.*did you mean 'person'"):
        estimates(data, replace(PUBLISHED, label="perso", task="detection"))


def test_the_json_has_both_estimates_and_the_reasons(tmp_path: Path) -> None:
    study = made_up_study(np.random.default_rng(5), 40)
    [found] = estimates(
        read_human(write_study(tmp_path / "study", study)), replace(PUBLISHED, kind="correctness")
    )
    values = json.loads(json.dumps(found.to_json()))
    assert list(values["own"]["subtasks"]) == ["localise", "classify", "segment"]
    assert len(values["reasons"]) == 5
    [own] = estimates(
        read_human(tmp_path / "study"), replace(PUBLISHED, kind="correctness", as_published=False)
    )
    assert "reasons" not in own.to_json()
    assert own.to_json()["threshold"] == values["own"]["threshold"]
