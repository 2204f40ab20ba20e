"""A study against a plain model of it, under any order of calls."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
)

from snellen.study.data.opened_study import OpenedStudy
from snellen.study.data.record_reader import read_record
from snellen.study.participation import (
    InvalidAnswerError,
    OutOfOrderError,
    StudyPausedError,
    UnknownParticipantError,
)
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    Exposure,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyTask,
    TrialKind,
)
from tests.study.made_study import SCENES, made_study, right_answer

TINY = {
    "tasks": ["classify", "localise"],
    "samples": 6,
    "batch": 2,
    "answers": 2,
    "scenes": {**SCENES, "count": 24},
    "classes": [],
    "abandoned_minutes": 10,
}


class StudyMachine(RuleBasedStateMachine):
    """The model knows who was asked what, in which order, and what they said."""

    people = Bundle("people")

    @initialize()
    def open(self) -> None:
        self.root = Path(mkdtemp(prefix="snellen-study-"))
        self.now = 1_000_000.0
        self.folder = made_study(self.root / "study", **TINY)
        self.study = self._opened()
        self.given: dict[str, list[tuple[str, StudyAnswer]]] = {}
        self.shown: dict[str, dict[str, set[str]]] = {}
        self.deleted: set[str] = set()
        self.running = True

    def _opened(self) -> OpenedStudy:
        return OpenedStudy(self.folder, clock=lambda: self.now)

    def teardown(self) -> None:
        if hasattr(self, "study"):
            self.study.close()
            shutil.rmtree(self.root)

    @rule(target=people)
    def enrol(self) -> str:
        return self._enrolled()

    def _enrolled(self) -> str:
        try:
            code = self.study.enrol({"PROLIFIC_PID": "secret"})
        except StudyPausedError:
            assert not self.running or self._is_full()
            return ""
        assert self.running
        assert not self._is_full()
        assert code not in self.given
        assert len(code) >= 22
        self.given[code], self.shown[code] = [], {}
        assert self.study.progress(code).share == 0
        return code

    @rule(target=people, practised=st.booleans())
    def begin(self, practised: bool) -> str:
        code = self._enrolled()
        if code:
            for stage in (Stage.CONSENT, Stage.INSTRUCTIONS):
                self.study.pass_stage(code, stage)
            if practised:
                self.answer(code, 6, True)
        return code

    @rule(code=people, stage=st.sampled_from([Stage.CONSENT, Stage.INSTRUCTIONS, Stage.PRACTICE]))
    def pass_stage(self, code: str, stage: Stage) -> None:
        if code not in self.given:
            self._unknown(code)
            return
        before = self._stage(code)
        try:
            after = self.study.pass_stage(code, stage).stage
        except StudyPausedError:
            assert not self.running
            assert before == stage
        except OutOfOrderError:
            assert before != stage or stage == Stage.PRACTICE
            assert self._stage(code) == before
        else:
            # the next stage, or nothing where this was the stage just left
            order = [Stage.CONSENT, Stage.INSTRUCTIONS, Stage.PRACTICE]
            moved = before == stage
            left = before == order[order.index(stage) + 1]
            assert moved or left or not self.given[code]
            assert after == Stage.PAUSED or after == self._stage(code)

    @rule(code=people, count=st.sampled_from([1, 3, 30]), right=st.booleans())
    def answer(self, code: str, count: int, right: bool) -> None:
        if code not in self.given:
            self._unknown(code)
            return
        for _ in range(count):
            trial = self.study.next_trial(code)
            if trial is None:
                stage = self._stage(code)
                assert not self.running or stage not in (Stage.PRACTICE, Stage.QUALIFICATION)
                if self.running:
                    assert stage != Stage.BATCHES
                return
            assert self.running
            assert self.study.next_trial(code) == trial
            self._see(code, trial)
            answer = right_answer(self.study, trial) if right else wrong_answer(self.study, trial)
            kind = self.study._trial(trial.trial).kind
            recorded = self.study.record(code, trial.trial, answer, Exposure(), 5.0)
            assert (recorded.correct is None) == (kind != TrialKind.PRACTICE)
            if kind == TrialKind.PRACTICE:
                assert recorded.correct == right
            self.given[code].append((trial.trial, answer))
            again = self.study.record(code, trial.trial, answer, Exposure(hidden=True), 9.0)
            assert again == recorded

    def _see(self, code: str, trial: ShownTrial) -> None:
        """No scene comes twice but in the same trial, and no picture of another trial is given."""
        planned = self.study._trial(trial.trial)
        scene = self.study._design.scene_of(planned)
        self.shown[code].setdefault(scene, set()).add(trial.trial)
        assert trial.kind != TrialKind.SANITY
        for picture in trial.pictures:
            assert self.study.picture(code, picture.name).content
        other = next(name for name in self.study._design.samples if name not in planned.samples)
        with pytest.raises(OutOfOrderError):
            self.study.picture(code, other)

    @rule(code=people)
    def answer_wrongly_formed(self, code: str) -> None:
        if code not in self.given:
            self._unknown(code)
            return
        trial = self.study.next_trial(code)
        if trial is None:
            return
        far = BoxesAnswer(boxes=((0, 0, 129, 10),))
        flat = BoxesAnswer(boxes=((5, 5, 5, 10),))
        bad: dict[StudyTask, list[StudyAnswer]] = {
            StudyTask.CLASSIFY: [ClassAnswer(choice="unicorn"), BoxesAnswer(boxes=())],
            StudyTask.LOCALISE: [far, flat, ClassAnswer(choice="tomato")],
        }
        for answer in bad[trial.task]:
            with pytest.raises(InvalidAnswerError):
                self.study.record(code, trial.trial, answer, Exposure(), 5.0)
        assert self.study.next_trial(code) == trial

    @rule(code=people, other=st.integers(0, 10_000))
    def answer_out_of_order(self, code: str, other: int) -> None:
        if code not in self.given:
            self._unknown(code)
            return
        current = self.study.next_trial(code)
        names = list(self.study._design.trials)
        name = names[other % len(names)]
        last = self.given[code][-1][0] if self.given[code] else ""
        if current is not None and name == current.trial:
            return
        answer = ClassAnswer(choice="never offered")
        with pytest.raises((OutOfOrderError, StudyPausedError)):
            self.study.record(code, name, answer, Exposure(), 5.0)
        if last and (current is None or current.trial != last):
            with pytest.raises((OutOfOrderError, StudyPausedError)):
                self.study.record(code, last, answer, Exposure(), 5.0)

    @rule(minutes=st.integers(1, 30))
    def wait(self, minutes: int) -> None:
        self.now += 60.0 * minutes

    @rule(running=st.booleans())
    def pause(self, running: bool) -> None:
        self.study.set_running(running)
        self.running = running

    @rule()
    def reopen(self) -> None:
        self.study.close()
        self.study = self._opened()

    @rule(code=consumes(people))
    def delete(self, code: str) -> None:
        if code not in self.given:
            self._unknown(code)
            return
        data = self.study.participant_data(code)
        assert [one["trial"] for one in data["answers"]] == [name for name, _ in self.given[code]]
        self.study.delete_participant(code)
        self.deleted.add(code)
        del self.given[code], self.shown[code]
        self._unknown(code)
        self.no_byte_of_the_deleted_is_left()

    def no_byte_of_the_deleted_is_left(self) -> None:
        for path in self.folder.glob("study.sqlite*"):
            content = path.read_bytes()
            for code in self.deleted:
                assert code.encode() not in content, path.name

    @precondition(lambda self: hasattr(self, "study"))
    @invariant()
    def nobody_sees_a_scene_in_two_trials(self) -> None:
        for scenes in self.shown.values():
            assert all(len(trials) == 1 for trials in scenes.values())

    @precondition(lambda self: hasattr(self, "study"))
    @invariant()
    def answers_are_those_given_and_none_is_more_than_wanted(self) -> None:
        record = read_record(self.folder)
        kept = Counter((one.trial, one.answer.model_dump_json()) for one in record.answers)
        given = Counter(
            (name, answer.model_dump_json()) for own in self.given.values() for name, answer in own
        )
        assert kept == given
        tests = Counter(
            one.trial for one in record.answers if record.trials[one.trial].kind == TrialKind.TEST
        )
        assert max(tests.values(), default=0) <= 2

    def _is_full(self) -> bool:
        return self.study._dealer.tally.is_full()

    def _stage(self, code: str) -> Stage:
        stage: Stage = self.study._rows.find(code).stage
        return stage

    def _unknown(self, code: str) -> None:
        with pytest.raises(UnknownParticipantError):
            self.study.progress(code)
        with pytest.raises(UnknownParticipantError):
            self.study.record(code, "x", ClassAnswer(choice="x"), Exposure(), 1.0)
        with pytest.raises(UnknownParticipantError):
            self.study.delete_participant(code)


def wrong_answer(study: OpenedStudy, trial: ShownTrial) -> StudyAnswer:
    if trial.task == StudyTask.LOCALISE:
        return BoxesAnswer(boxes=())
    right = study._trial(trial.trial).right
    return ClassAnswer(choice=next(one for one in trial.choices if one != right))


StudyMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=30)
TestStudy = StudyMachine.TestCase


@pytest.mark.thorough
def test_a_study_against_the_model_at_length() -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        StudyMachine, settings=settings(max_examples=300, stateful_step_count=50)
    )
