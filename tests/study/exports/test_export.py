"""Exports, read back by the readers of the formats they are in."""

from __future__ import annotations

import csv
import json
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.methods.human.answers.answer_files import read_all_human, read_human
from snellen.methods.human.answers.binned_answers import BinnedAnswers
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.answers.class_answers import ClassAnswers
from snellen.methods.human.exports.drawn_masks import decoded
from snellen.methods.human.exports.export_answers import ExportAnswers
from snellen.study.data.opened_study import OpenedStudy, open_study
from snellen.study.data.record_reader import read_record
from snellen.study.estimates.scores.outline_mask import outline_mask
from snellen.study.exports.export import StudyExport, export_study
from snellen.study.exports.exported_study import ExportedStudy, exported_study, image_name
from snellen.study.record import ORIGINAL
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    OutlineAnswer,
    ShownTrial,
    StudyAnswer,
    StudyBox,
    StudyTask,
    TrialKind,
)
from tests.study.made_study import made_study, right_answer, take_part


def careless(study: OpenedStudy, trial: ShownTrial) -> StudyAnswer:
    """Right, but for some tests: by the trial's name, so that it is the same for everyone."""
    planned = study._trial(trial.trial)
    if planned.kind != TrialKind.TEST or int(trial.trial, 16) % 3:
        return right_answer(study, trial)
    if trial.task == StudyTask.LOCALISE:
        return BoxesAnswer(boxes=((0.0, 0.0, 4.25, 3.5),))
    if trial.task == StudyTask.SEGMENT:
        return OutlineAnswer(polygons=(((0, 0), (3, 0), (3, 3)),))
    return ClassAnswer(choice=next(one for one in trial.choices if one != planned.right))


@cache
def answered(boxes: str = "annotations") -> Path:
    folder = made_study(Path(mkdtemp(prefix="snellen-study-")) / "s", samples=32, boxes=boxes)
    with closing(open_study(folder)) as study:
        for _ in range(12):
            take_part(study, careless)
    return folder


def choice(answer: StudyAnswer) -> str:
    assert isinstance(answer, ClassAnswer)
    return answer.choice


def boxes_of(answer: StudyAnswer) -> tuple[StudyBox, ...]:
    assert isinstance(answer, BoxesAnswer)
    return answer.boxes


def of(task: StudyTask) -> list[tuple[str, str, float, StudyAnswer, str]]:
    """Scene, transformation, visual change, answer and right choice of each answer to a test."""
    record = read_record(answered())
    found = []
    for one in record.answers:
        trial = record.trials[one.trial]
        if trial.task == task and trial.kind == TrialKind.TEST:
            sample = record.samples[trial.samples[0]]
            item = (sample.scene, sample.transformation, sample.delta_v, one.answer, trial.right)
            found.append(item)
    return found


def test_answers_to_images_come_back_as_they_were_given(tmp_path: Path) -> None:
    for form, name in ((StudyExport.TABLES, "classes"), (StudyExport.ICRAF, "answers")):
        out = tmp_path / form
        export_study(answered(), form, out, every=True)
        found = read_human(out / f"{name}.csv")
        assert isinstance(found, ClassAnswers)
        expected = of(StudyTask.CLASSIFY)
        assert found.transformation.tolist() == [one[1] for one in expected]
        assert found.label.tolist() == [choice(one[3]) for one in expected]
        assert found.truth.tolist() == [one[4] for one in expected]
        assert found.delta_v == pytest.approx([one[2] for one in expected], abs=1e-6)
        scenes = [one[0] for one in expected]
        same = np.equal.outer(found.image, found.image)
        assert np.array_equal(same, np.equal.outer(scenes, scenes))
        assert found.preserved("brightness").right.size


def test_bins_count_what_the_answers_say(tmp_path: Path) -> None:
    export_study(answered(), StudyExport.ICRAF, tmp_path / "out", every=True)
    found = {(one.kind, one.transformation): one for one in read_all_human_bins(tmp_path / "out")}
    expected = [one for one in of(StudyTask.CLASSIFY) if one[1] == "brightness"]
    right = sum(choice(one[3]) == one[4] for one in expected)
    bins = found["correctness", "brightness"]
    assert (bins.asked.sum(), bins.right.sum()) == (len(expected), right)
    assert 0 < right < len(expected)
    for edge, asked in zip(bins.edges, bins.asked, strict=True):
        inside = [one for one in expected if edge - 0.01 - 1e-9 < one[2] <= edge + 1e-9]
        assert len(inside) == asked
    bins = found["preservation", "brightness"]
    answers = read_human(tmp_path / "out" / "answers.csv")
    assert isinstance(answers, ClassAnswers)
    judged = answers.preserved("brightness")
    assert (bins.asked.sum(), bins.right.sum()) == (judged.right.size, judged.right.sum())


def read_all_human_bins(folder: Path) -> list[BinnedAnswers]:
    return [one for one in read_all_human(folder) if isinstance(one, BinnedAnswers)]


def test_raw_exports_come_back_as_they_were_given(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_study(answered(), StudyExport.DECOMPOVISION, out, every=True)
    found = read_human(out / "500_L.csv")
    assert isinstance(found, ExportAnswers)
    record = read_record(answered())
    changed = [one for one in record.samples.values() if one.level is not None]
    assert Counter(one.transformation for one in found.images) == Counter(
        one.transformation for one in changed
    )
    assert sorted(one.delta_v for one in found.images) == pytest.approx(
        sorted(one.delta_v for one in changed), abs=1e-6
    )
    views = of(StudyTask.LOCALISE)
    assert found.views is not None
    assert Counter(len(one.boxes) for one in found.views) == Counter(
        len(boxes_of(one[3])) for one in views
    )
    for scene, transformation, _, answer, _ in views:
        assert any(
            view.image.startswith(f"{scene}.")
            and (transformation in view.image or transformation == ORIGINAL)
            and np.allclose(view.boxes, boxes_of(answer), atol=2e-3)
            for view in found.views
        )
    labels = of(StudyTask.CLASSIFY_BOX)
    assert Counter(one.label for one in found.labels) == Counter(choice(one[3]) for one in labels)
    boxes = {
        (record.samples[one.samples[0]].scene, one.box)
        for one in record.trials.values()
        if one.task == StudyTask.CLASSIFY_BOX
    }
    for label in found.labels:
        scene = label.image.split(".")[0]
        assert any(
            scene == at and np.allclose(label.box, box, atol=2e-3) for at, box in boxes if box
        )
    outlines = of(StudyTask.SEGMENT)
    assert found.masks is not None
    drawn = sorted(int(decoded(one).sum()) for one in found.masks)
    expected = [one[3] for one in outlines]
    sizes = [outline_mask(one, (96, 128)) for one in expected if isinstance(one, OutlineAnswer)]
    assert drawn == sorted(int(one.sum()) for one in sizes)
    for scene, objects in record.objects.items():
        known = found.annotations.objects(image_name(scene))
        assert known.labels == tuple(one.label for one in objects)
        corners = known.boxes - np.array([1, 1, 0, 0])
        assert np.allclose(corners, [one.box for one in objects], atol=1e-3)


def test_boxes_are_matched_named_and_outlined_as_people_did(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_study(answered(), StudyExport.TABLES, out, every=True)
    found = read_human(out / "boxes.csv")
    assert isinstance(found, BoxAnswers)
    assert found.measure == read_record(answered()).measure
    rows = list(csv.DictReader((out / "boxes.csv").open()))
    record = read_record(answered())
    asked = {
        (one.samples[0], one.object): one.trial
        for one in record.trials.values()
        if one.task == StudyTask.CLASSIFY_BOX and one.kind == TrialKind.TEST
    }
    localise = {
        one.samples[0]: one.trial
        for one in record.trials.values()
        if one.task == StudyTask.LOCALISE and one.kind == TrialKind.TEST
    }
    kept = {one.trial for one in record.answers}
    by_key = {
        (row["image"], row["transformation"], row["delta_v"], row["object"]): row for row in rows
    }
    checked = 0
    for (sample, thing), trial in asked.items():
        if not {trial, localise[sample]} <= kept:
            continue
        shown = record.samples[sample]
        row = by_key[image_name(shown.scene), shown.transformation, str(shown.delta_v), str(thing)]
        missed = int(localise[sample], 16) % 3 == 0
        wrong = int(trial, 16) % 3 == 0
        assert (row["answer"] == "") == missed
        if not missed:
            assert (row["answer"] == row["truth"]) == (not wrong)
        checked += 1
    assert checked > 20
    assert {row["segmented"] for row in rows} == {"", "0", "1"}


def test_boxes_of_people_are_rows_with_the_object_they_fit(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_study(answered("people"), StudyExport.TABLES, out, every=True)
    rows = list(csv.DictReader((out / "boxes.csv").open()))
    assert isinstance(read_human(out / "boxes.csv"), BoxAnswers)
    fitting = [row for row in rows if row["object"] and row["answer"]]
    assert fitting
    assert any(row["answer"] == "something else" and not row["object"] for row in rows)


def test_every_answer_is_a_line_with_its_question_and_no_code(tmp_path: Path) -> None:
    folder = answered()
    export_study(folder, StudyExport.ANSWERS, tmp_path / "out")
    lines = (tmp_path / "out" / "answers.jsonl").read_text().splitlines()
    record = read_record(folder)
    assert [json.loads(one)["trial"] for one in lines] == [one.trial for one in record.answers]
    with closing(open_study(folder)) as study:
        codes = [code for (code,) in study._db.execute("SELECT code FROM participant")]
    assert codes
    assert not any(code in line for code in codes for line in lines)


def test_links_carry_what_the_site_fills_in_and_ids_only_if_asked(tmp_path: Path) -> None:
    keep = {
        "keep": ["PROLIFIC_PID", "workerId"],
        "link": "https://app.prolific.com/submissions/complete?cc={code}",
    }
    folder = made_study(tmp_path / "s", recruiting=keep)
    with closing(open_study(folder)) as study:
        code, _ = take_part(study, PROLIFIC_PID="5f8a")
        unfinished, _ = take_part(study, most=2)
        done = study.completion_code(code)
    for recruiting in (False, True):
        out = tmp_path / str(recruiting)
        export_study(
            folder, StudyExport.LINKS, out, recruiting=recruiting, address="https://lab.example"
        )
        text = "".join(one.read_text() for one in out.iterdir())
        assert ("5f8a" in text) == recruiting
        assert code not in text
        assert unfinished not in text
        links = list(csv.DictReader((out / "links.csv").open()))
        assert [one["study_link"] for one in links] == [
            "https://lab.example/?PROLIFIC_PID={{%PROLIFIC_PID%}}",
            "https://lab.example/?workerId=${workerId}",
        ]
        codes = list(csv.DictReader((out / "completions.csv").open()))
        assert [one["completion_code"] for one in codes] == [done, ""]


def test_answers_of_the_inattentive_are_left_out_unless_asked_for() -> None:
    folder = answered()
    every, kept = exported_study(folder, every=True), exported_study(folder)
    assert isinstance(every, ExportedStudy)
    assert len(every.answers) == len(read_record(folder).answers)
    assert set(kept.answers) <= set(every.answers)


def test_names_of_images_are_plain_and_their_own() -> None:
    names = [image_name(one) for one in ("a/b.png", "a_b.png", "a b.png", "a", "a.png", "ä")]
    assert len(set(names)) == len(names)
    assert not any(set("./ ") & set(one) for one in names)


def test_a_study_without_answers_is_not_exported(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s")
    with pytest.raises(UserError, match="no answers yet"):
        export_study(folder, StudyExport.TABLES, tmp_path / "out")
    assert not (tmp_path / "out").exists()
