"""A study open for answers: what is dealt to whom, what is kept, and what survives."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.study.data.opened_study import OpenedStudy, open_study
from snellen.study.data.record_reader import read_record
from snellen.study.participation import (
    OutOfOrderError,
    StudyPausedError,
    UnknownParticipantError,
)
from snellen.study.record import StudyRecord
from snellen.study.trial import (
    BoxesAnswer,
    Exposure,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyTask,
    TrialKind,
)
from tests.study.data.test_participation_model import wrong_answer
from tests.study.made_study import SCENES, begin, made_study, right_answer, take_part

TINY: dict[str, Any] = {
    "tasks": ["classify", "localise"],
    "samples": 6,
    "batch": 2,
    "answers": 2,
    "scenes": {**SCENES, "count": 24},
    "classes": [],
    "abandoned_minutes": 10,
}


def counts(record: StudyRecord) -> Counter[str]:
    """Answers to each test trial."""
    every = {name: 0 for name, one in record.trials.items() if one.kind == TrialKind.TEST}
    return Counter(every) + Counter(one.trial for one in record.answers if one.trial in every)


def run_until_full(study: OpenedStudy) -> int:
    for number in range(200):
        try:
            take_part(study)
        except StudyPausedError:
            return number
    raise AssertionError("the study is never full")


def test_a_study_ends_when_each_trial_has_the_answers_wanted(tmp_path: Path) -> None:
    with closing(open_study(made_study(tmp_path / "s"))) as study:
        people = run_until_full(study)
        overview = study.overview()
    record = read_record(tmp_path / "s")
    assert set(counts(record).values()) == {2}
    assert 8 <= people <= 14  # 4 tasks of 16 pictures, 2 answers each, 4 pictures a person
    assert overview.answers == overview.expected == dict.fromkeys(overview.expected, 32)
    assert overview.stages == {Stage.FINISHED: people}
    assert overview.exposures == (1.0, len(record.answers))


def test_a_participant_passes_a_batch_of_each_task_with_its_checks(tmp_path: Path) -> None:
    with closing(open_study(made_study(tmp_path / "s"))) as study:
        code, seen = take_part(study)
        assert study.progress(code).share == 1
        kinds = Counter((study._trial(one.trial).kind, one.task) for one in seen)
        shown = {one.trial: (one.place, one.of) for one in seen}
    for task in (StudyTask.CLASSIFY, StudyTask.LOCALISE, StudyTask.SEGMENT):
        found = [kinds[kind, task] for kind in TrialKind]
        assert found == [1, 1, 4, 1]
    tests = [one for one in seen if one.kind == TrialKind.TEST]
    assert [one.task for one in tests] == [
        task for task in study._design.options.tasks for _ in "12345"
    ]
    assert [shown[one.trial] for one in tests[:5]] == [(place, 5) for place in range(1, 6)]


def test_what_was_abandoned_is_dealt_to_others_and_to_nobody_too_often(tmp_path: Path) -> None:
    now = 1e6
    folder = made_study(tmp_path / "s", **TINY)
    with closing(OpenedStudy(folder, clock=lambda: now)) as study:
        gone = [take_part(study, most=5 + number)[0] for number in range(4)]
        held = study.next_trial(gone[0])
        now += 5 * 60
        run_until_full(study)
        assert min(counts(read_record(folder)).values()) < 2  # still held for those who are away
        now += 3600
        run_until_full(study)
        assert set(counts(read_record(folder)).values()) == {2}
        assert held is not None
        for code in gone:  # they come back
            trial = study.next_trial(code)
            assert trial is None
            assert study.progress(code).stage == Stage.FINISHED
        with pytest.raises(OutOfOrderError):
            study.record(gone[0], held.trial, right_answer(study, held), Exposure(), 1.0)


def test_one_who_comes_back_in_time_goes_on_where_they_were(tmp_path: Path) -> None:
    now = 1e6
    folder = made_study(tmp_path / "s", **TINY)
    with closing(OpenedStudy(folder, clock=lambda: now)) as study:
        code, seen = take_part(study, most=5)
        now += 3600
        take_part(study)  # by now the rest may be given away, but nobody needs it
        while (trial := study.next_trial(code)) is not None:
            study.record(code, trial.trial, right_answer(study, trial), Exposure(), 1.0)
            seen.append(trial)
        assert study.progress(code).stage == Stage.FINISHED
        scenes = [study._design.scene_of(study._trial(one.trial)) for one in seen]
    assert len(set(scenes)) == len(scenes)
    assert max(counts(read_record(folder)).values()) <= 2


def test_deleting_a_participant_frees_their_trials_and_leaves_a_note(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s", **TINY)
    with closing(open_study(folder)) as study:
        code, _ = take_part(study)
        run_until_full(study)
        with closing(open_study(folder)) as other:  # as `snellen study delete` beside a server
            other.delete_participant(code)
        with pytest.raises(UnknownParticipantError):
            study.progress(code)
        assert min(counts(read_record(folder)).values()) == 1 or len(
            counts(read_record(folder))
        ) < len(study._design.of_kind(TrialKind.TEST))
        run_until_full(study)
        assert set(counts(read_record(folder)).values()) == {2}
    with closing(sqlite3.connect(folder / "study.sqlite")) as db:
        assert db.execute("SELECT count(*), min(scrubbed) FROM deletion").fetchone() == (1, 1)
        assert db.execute("SELECT count(*) FROM removal").fetchone() == (0,)
        assert "p0001" not in {one.participant for one in read_record(folder).answers}


def test_a_deletion_that_was_cut_short_is_finished_when_the_study_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_study(tmp_path / "s", **TINY)
    with closing(open_study(folder)) as study:
        code, _ = take_part(study, PROLIFIC_PID="ignored")
        monkeypatch.setattr("snellen.study.data.opened_study.scrub", lambda db: False)
        study.delete_participant(code)
        content = b"".join(one.read_bytes() for one in folder.glob("study.sqlite*"))
        assert code.encode() in content
    monkeypatch.undo()
    open_study(folder).close()
    content = b"".join(one.read_bytes() for one in folder.glob("study.sqlite*"))
    assert code.encode() not in content


def test_answers_cannot_be_changed_or_deleted_in_the_file(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s", **TINY)
    with closing(open_study(folder)) as study:
        take_part(study)
    with closing(sqlite3.connect(folder / "study.sqlite")) as db:
        db.execute("PRAGMA foreign_keys = ON")
        for change in (
            "UPDATE answer SET response_ms = 1",
            "DELETE FROM answer",
            "INSERT OR REPLACE INTO answer SELECT * FROM answer LIMIT 1",
            "UPDATE trial SET plan = '{}'",
            "DELETE FROM trial",
            "UPDATE sample SET delta_v = 0",
            "DELETE FROM sample",
            "DELETE FROM participant",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                db.execute(change)


def test_only_parameters_that_the_study_keeps_are_kept_and_the_consent_says_so(
    tmp_path: Path,
) -> None:
    link = "https://app.prolific.com/submissions/complete?cc={code}"
    keep = {"keep": ["PROLIFIC_PID"], "code": "C1", "link": link}
    folder = made_study(tmp_path / "s", **TINY, recruiting=keep)
    with closing(open_study(folder)) as study:
        code, _ = take_part(study, most=3, PROLIFIC_PID="5f8a", STUDY_ID="s7y", name="Ann")
        assert study.completion_code(code) is study.completion_link(code) is None
        assert study.participant_data(code)["recruiting"] == {"PROLIFIC_PID": "5f8a"}
        other, _ = take_part(study)
        assert study.completion_code(other) == "C1"
        assert study.completion_link(other) == link.replace("{code}", "C1")
        assert "recruiting site" in study.wording.consent
    content = b"".join(one.read_bytes() for one in folder.glob("study.sqlite*"))
    assert b"5f8a" in content
    assert b"s7y" not in content
    assert b"Ann" not in content
    made = made_study(tmp_path / "t", **TINY)
    with closing(open_study(made)) as study:
        assert "recruiting site" not in study.wording.consent


def test_who_fails_the_qualification_is_asked_nothing_more(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s", **TINY)
    with closing(open_study(folder)) as study:
        code, seen = take_part(study, wrong_answer)
        assert study.progress(code).stage == Stage.UNQUALIFIED
        assert study.next_trial(code) is None
        assert study.completion_code(code) is None
    assert {one.kind for one in seen} == {TrialKind.PRACTICE, TrialKind.QUALIFICATION}
    assert not any(counts(read_record(folder)).values())


def test_trials_for_participants_at_once_are_kept_once_each(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s")
    with closing(open_study(folder)) as study, ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: take_part(study), range(8)))
    record = read_record(folder)
    assert len(record.answers) == sum(len(seen) for _, seen in done)
    assert max(counts(record).values()) <= 2
    for number in {one.participant for one in record.answers}:
        own = [one for one in record.answers if one.participant == number]
        assert [one.place for one in own] == list(range(len(own)))


def test_reading_a_study_creates_and_changes_no_file(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s", **TINY)
    with closing(open_study(folder)) as study:
        take_part(study)
    before = {one.name: one.stat().st_mtime_ns for one in folder.iterdir()}
    assert len(read_record(folder).answers) > 6
    assert {one.name: one.stat().st_mtime_ns for one in folder.iterdir()} == before


def test_people_are_shown_boxes_that_people_drew(tmp_path: Path) -> None:
    folder = made_study(
        tmp_path / "s", tasks=["localise", "classify-box", "segment"], boxes="people", samples=12
    )
    with closing(open_study(folder)) as study:
        run_until_full(study)
        added, planned = study._boxes.added, study._design.trials
        samples = dict(study._boxes.boxes)
        assert len(added) > 10
        for one in added.values():
            assert one.box in samples[one.samples[0]]
            assert one.object is None
            expected = {
                thing.label
                for thing in study._design.objects[study._design.scene_of(one)]
                if thing.box == one.box
            }
            assert {one.label or one.right} <= expected | {"something else"}
    record = read_record(folder)
    assert set(record.trials) == {*planned, *added}
    by_sample = Counter(
        (record.trials[one.trial].task, record.trials[one.trial].samples)
        for one in record.answers
        if record.trials[one.trial].kind == TrialKind.TEST
    )
    assert set(by_sample.values()) == {2}


def test_a_box_around_nothing_is_something_else(tmp_path: Path) -> None:
    def corner(study: OpenedStudy, trial: ShownTrial) -> StudyAnswer:
        planned = study._trial(trial.trial)
        if trial.task == StudyTask.LOCALISE and planned.kind == TrialKind.TEST:
            return BoxesAnswer(boxes=((0, 0, 3, 3),))
        return right_answer(study, trial)

    folder = made_study(
        tmp_path / "s", tasks=["localise", "classify-box", "segment"], boxes="people", samples=12
    )
    with closing(open_study(folder)) as study:
        for _ in range(4):
            take_part(study, corner)
        assert {one.right for one in study._boxes.added.values()} == {"something else"}
        assert {one.task for one in study._boxes.added.values()} == {StudyTask.CLASSIFY_BOX}


def test_an_adaptive_study_shows_what_the_choice_says_and_no_scene_twice(tmp_path: Path) -> None:
    asked: list[int] = []

    def steepest(samples: Any, count: int, rng: np.random.Generator) -> list[str]:
        asked.append(count)
        best = sorted(samples, key=lambda one: abs(one.delta_v - 0.05))
        return [one.sample for one in best[:count]]

    folder = made_study(
        tmp_path / "s", tasks=["classify"], design="adaptive", pool=2, samples=12, originals=0.1
    )
    with closing(OpenedStudy(folder, choice=steepest)) as study:
        tests = study._design.of_kind(TrialKind.TEST)
        assert len(tests) == 24
        assert {one.batch for one in tests} == {None}
        best = min(
            (study._design.samples[one.samples[0]] for one in tests),
            key=lambda one: abs(one.delta_v - 0.05),
        )
        _, seen = take_part(study)
        assert best.sample in {one.pictures[0].name for one in seen}
        scenes = [study._design.scene_of(study._trial(one.trial)) for one in seen]
        assert len(set(scenes)) == len(scenes)
        run_until_full(study)
        assert study.overview().answers == {StudyTask.CLASSIFY: 24}
    assert max(counts(read_record(folder)).values()) <= 2
    assert set(asked) == {4}


def test_an_adaptive_study_asks_its_own_estimates(tmp_path: Path) -> None:
    folder = made_study(
        tmp_path / "s", tasks=["classify"], design="adaptive", pool=2, samples=12, originals=0.1
    )
    with closing(open_study(folder)) as study:
        run_until_full(study)
        assert study.overview().answers == {StudyTask.CLASSIFY: 24}


KILLED = """
import sys
from pathlib import Path
from snellen.study.data.opened_study import open_study
from tests.study.made_study import begin, right_answer
from snellen.study.trial import Exposure
study = open_study(Path(sys.argv[1]))
while True:
    code = begin(study)
    print("code", code, flush=True)
    while (trial := study.next_trial(code)) is not None:
        study.record(code, trial.trial, right_answer(study, trial), Exposure(), 1.0)
        print("kept", code, trial.trial, flush=True)
"""


def test_no_answer_that_was_acknowledged_is_lost_to_kill_9(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s", samples=32, answers=5)
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines: list[str] = []
    stop = random.Random(7).randrange(60, 120)
    for line in process.stdout:
        lines.append(line)
        if len(lines) == stop:
            process.send_signal(signal.SIGKILL)
            break
    lines += process.stdout.readlines()
    process.wait()
    kept = [line.split()[1:] for line in lines if line.startswith("kept") and line.endswith("\n")]
    answers = [one.trial for one in read_record(folder).answers]
    assert [trial for _, trial in kept] == answers[: len(kept)]
    assert len(answers) - len(kept) in (0, 1)  # one may have been kept but not yet acknowledged
    with closing(open_study(folder)) as study:
        last = kept[-1][0]
        trial = study.next_trial(last)
        if trial is not None:
            study.record(last, trial.trial, right_answer(study, trial), Exposure(), 1.0)


def test_a_paused_study_keeps_its_place_and_says_that_it_is_paused(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s", **TINY)
    with closing(open_study(folder)) as study:
        code = begin(study)
        trial = study.next_trial(code)
        assert trial is not None
        answer = right_answer(study, trial)
        study.record(code, trial.trial, answer, Exposure(), 1.0)
        study.set_running(False)
        assert study.progress(code).stage == Stage.PAUSED
        assert study.next_trial(code) is None
        study.record(code, trial.trial, answer, Exposure(), 1.0)  # a repetition is answered
        with pytest.raises(StudyPausedError):
            study.enrol({})
    with closing(open_study(folder)) as study:
        assert not study.overview().running
        study.set_running(True)
        assert study.next_trial(code) is not None


def test_exported_answers_are_numbered_and_come_in_parts(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s", **TINY)
    with closing(open_study(folder)) as study:
        code, seen = take_part(study)
        every = study.answers(0, 1000)
        parts = study.answers(0, 3) + study.answers(every[2]["number"], 1000)
        assert every == parts
        assert [one["trial"] for one in every] == [one.trial for one in seen]
        assert study.answers(every[-1]["number"], 10) == []
        assert code not in str(every)


@pytest.mark.parametrize("damage", ["none", "foreign", "text", "schema"])
def test_what_is_no_study_is_refused(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "s"
    if damage == "schema":
        made_study(folder, **TINY)
        with closing(sqlite3.connect(folder / "study.sqlite")) as db:
            db.execute("PRAGMA user_version = 99")
    else:
        folder.mkdir()
    if damage == "foreign":
        with closing(sqlite3.connect(folder / "study.sqlite")) as db:
            db.execute("CREATE TABLE t (x)")
    elif damage == "text":
        (folder / "study.sqlite").write_text("no database" * 1000)
    for opened in (read_record, open_study):
        with pytest.raises(UserError, match="study"):
            opened(folder)
