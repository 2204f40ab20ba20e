"""A study in memory, with every task, for tests of the server and of the pages.

It keeps the promises of `Participation` and holds truth of its own, so that a test sees whether the
server gives any of it away. With a journal, a file to which each change is written before it is
acknowledged, it survives the death of its process.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from pydantic import TypeAdapter

from snellen.study.participation import (
    EncodedPicture,
    InvalidAnswerError,
    OutOfOrderError,
    StudyPausedError,
    StudyWording,
    UnknownParticipantError,
)
from snellen.study.trial import (
    AnswerBin,
    BoxesAnswer,
    ClassAnswer,
    Exposure,
    OutlineAnswer,
    Overview,
    Progress,
    RankAnswer,
    Recorded,
    ShownPicture,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyBox,
    StudyCurve,
    StudyTask,
    TrialKind,
)

SECRET = "truth-that-nobody-may-read"
"""Stands in everything that the fake knows and a participant must not."""
CHOICES = ("car", "no car")
SIZE = (320, 240)
ORDER = (Stage.CONSENT, Stage.INSTRUCTIONS, Stage.PRACTICE, Stage.QUALIFICATION, Stage.BATCHES)
KINDS = {
    Stage.PRACTICE: TrialKind.PRACTICE,
    Stage.QUALIFICATION: TrialKind.QUALIFICATION,
    Stage.BATCHES: TrialKind.TEST,
}
KIND_OF_ANSWER: dict[StudyTask, type[StudyAnswer]] = {
    StudyTask.CLASSIFY: ClassAnswer,
    StudyTask.LOCALISE: BoxesAnswer,
    StudyTask.CLASSIFY_BOX: ClassAnswer,
    StudyTask.SEGMENT: OutlineAnswer,
    StudyTask.RANK: RankAnswer,
}
_ANSWER: TypeAdapter[StudyAnswer] = TypeAdapter(StudyAnswer)


@dataclass
class Participant:
    """What the fake keeps of one participant. answers: requests as they were acknowledged."""

    source: dict[str, str]
    stage: int = 0
    answers: list[dict[str, Any]] = field(default_factory=list)


class FakeParticipation:
    """A study whose trials are alike for everyone.

    trials: in each stage that has some; the tasks of `tasks` take turns in the last. journal: where
    changes are kept; what it holds is taken up again. secret: what must not be seen.
    """

    def __init__(
        self,
        *,
        practice: int = 1,
        qualification: int = 1,
        trials: int = 10,
        tasks: tuple[StudyTask, ...] = tuple(StudyTask),
        journal: Path | None = None,
        flash_ms: float = 200.0,
    ) -> None:
        self._counts = {
            Stage.PRACTICE: practice,
            Stage.QUALIFICATION: qualification,
            Stage.BATCHES: trials,
        }
        self._tasks, self._flash_ms, self._journal = tasks, flash_ms, journal
        self._lock = threading.RLock()
        self._pictures: dict[bool, bytes] = {}
        self._kept: list[dict[str, Any]] = []
        self.participants: dict[str, Participant] = {}
        self.running, self.closed = True, False
        if journal is not None and journal.exists():
            for line in journal.read_text(encoding="utf-8").splitlines():
                self._apply(json.loads(line))

    @property
    def wording(self) -> StudyWording:
        return StudyWording(
            title="What can people see?",
            purpose="We want to know how well people recognise objects in pictures.",
            consent="You may stop at any time.\n\nWe keep a random code and your answers.",
            contact="owner@example.org",
            pay="You get 2.50 euros.",
            tasks=self._tasks,
        )

    def enrol(self, source: Mapping[str, str]) -> str:
        self._check_running()
        code = secrets.token_urlsafe(16)
        wanted = {key: text for key, text in source.items() if key == "PROLIFIC_PID"}
        self._change({"do": "enrol", "code": code, "source": wanted})
        return code

    def progress(self, code: str) -> Progress:
        with self._lock:
            one = self._of(code)
            stage = self._stage(one)
            share = len(one.answers) / sum(self._counts.values())
            if not self.running:
                return Progress(stage=Stage.PAUSED, share=share)
            place = self._place(one)
            of, task = (0, None) if place is None else (self._counts[stage], self._task(one))
            return Progress(stage=stage, task=task, done=place or 0, of=of, share=share)

    def pass_stage(self, code: str, stage: Stage) -> Progress:
        with self._lock:
            one = self._of(code)
            left = one.stage and ORDER[one.stage - 1] == stage and self._stage(one) != stage
            if not left:
                if stage not in ORDER[:2] or self._stage(one) != stage:
                    raise OutOfOrderError(f"You are not at the stage '{stage}' now.")
                self._check_running()
                self._change({"do": "stage", "code": code})
            return self.progress(code)

    def next_trial(self, code: str) -> ShownTrial | None:
        with self._lock:
            one = self._of(code)
            if not self.running or self._place(one) is None:
                return None
            return self._shown(code, len(one.answers))

    def picture(self, code: str, name: str) -> EncodedPicture:
        trial = self.next_trial(code)
        names = [] if trial is None else [picture.name for picture in trial.pictures]
        if name not in names:
            raise OutOfOrderError("This picture is not one of the current trial.")
        mask = trial is not None and trial.flash_ms is not None and names.index(name) == 1
        return EncodedPicture(content=self._encoded(mask), media_type="image/png")

    def record(
        self, code: str, trial: str, answer: StudyAnswer, exposure: Exposure, response_ms: float
    ) -> Recorded:
        given = {
            "trial": trial,
            "answer": answer.model_dump(mode="json"),
            "exposure": exposure.model_dump(mode="json"),
            "response_ms": response_ms,
        }
        with self._lock:
            one = self._of(code)
            last = one.answers[-1] if one.answers else None
            if last is not None and last["trial"] == trial:
                if last["answer"] != given["answer"]:
                    raise OutOfOrderError("This trial was answered differently.")
                return self._said(code, len(one.answers) - 1)
            self._check_running()
            shown = self.next_trial(code)
            if shown is None or shown.trial != trial:
                raise OutOfOrderError("This is not the current trial.")
            check_answer(shown, answer)
            number = self._kept[-1]["number"] + 1 if self._kept else 1
            self._change({"do": "answer", "code": code, "number": number, "given": given})
            return self._said(code, len(one.answers) - 1)

    def completion_code(self, code: str) -> str | None:
        with self._lock:
            done = self._stage(self._of(code)) == Stage.FINISHED
            return f"DONE-{_opaque(code, 'completion')[:8]}" if done else None

    def completion_link(self, code: str) -> str | None:
        done = self.completion_code(code)
        return None if done is None else f"https://recruiter.example/complete?cc={done}"

    def participant_data(self, code: str) -> dict[str, Any]:
        with self._lock:
            one = self._of(code)
            return {"participant": code, "source": one.source, "answers": list(one.answers)}

    def delete_participant(self, code: str) -> None:
        with self._lock:
            self._of(code)
            self._change({"do": "delete", "code": code})

    def overview(self) -> Overview:
        with self._lock:
            people = self.participants.values()
            bins = (AnswerBin(delta_v=0.25, share=0.9, answers=9),)
            return Overview(
                name="fake study",
                running=self.running,
                stages=Counter(self._stage(one) for one in people),
                answers={task: len(self._kept) for task in self._tasks[:1]},
                expected=dict.fromkeys(self._tasks, 400),
                exposures=(0.975, len(self._kept)) if self._kept else None,
                curves=(
                    StudyCurve(
                        task=self._tasks[0],
                        label="car",
                        transformation="fog",
                        bins=bins,
                        threshold=(0.55, 0.5, 0.61),
                        more_answers=120,
                    ),
                ),
            )

    def answers(self, after: int, count: int) -> list[dict[str, Any]]:
        with self._lock:
            return [one for one in self._kept if one["number"] > after][:count]

    def set_running(self, running: bool) -> None:
        self._change({"do": "run", "running": running})

    def close(self) -> None:
        self.closed = True

    def state(self) -> str:
        """All that is kept, as text that differs where anything does."""
        people = {code: vars(one) for code, one in self.participants.items()}
        return json.dumps([self.running, people, self._kept], sort_keys=True)

    def _change(self, change: dict[str, Any]) -> None:
        with self._lock:
            if self._journal is not None:
                with self._journal.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(change) + "\n")
                    file.flush()
                    os.fsync(file.fileno())
            self._apply(change)

    def _apply(self, change: dict[str, Any]) -> None:
        code = change.get("code", "")
        match change["do"]:
            case "enrol":
                self.participants[code] = Participant(change["source"])
            case "stage":
                self.participants[code].stage += 1
            case "answer":
                self._take(code, change["number"], change["given"])
            case "delete":
                del self.participants[code]
                self._kept = [one for one in self._kept if one["participant"] != code]
            case "run":
                self.running = change["running"]

    def _take(self, code: str, number: int, given: dict[str, Any]) -> None:
        one = self.participants[code]
        one.answers.append(given)
        self._kept.append({"number": number, "participant": code, **given, "truth": SECRET})
        while one.stage < len(ORDER) and self._place(one) == self._counts.get(ORDER[one.stage]):
            one.stage += 1

    def _check_running(self) -> None:
        if not self.running:
            raise StudyPausedError("The study is paused. Please come back later.")

    def _of(self, code: str) -> Participant:
        if code not in self.participants:
            raise UnknownParticipantError("No participant has this code.")
        return self.participants[code]

    def _stage(self, one: Participant) -> Stage:
        return ORDER[one.stage] if one.stage < len(ORDER) else Stage.FINISHED

    def _place(self, one: Participant) -> int | None:
        """How many trials of the current stage are answered; None where it has none."""
        stage = self._stage(one)
        if stage not in self._counts:
            return None
        before = sum(self._counts[done] for done in ORDER[2 : one.stage])
        return len(one.answers) - before

    def _task(self, one: Participant) -> StudyTask:
        return self._tasks[len(one.answers) % len(self._tasks)]

    def _shown(self, code: str, place: int) -> ShownTrial:
        one = self.participants[code]
        task, stage = self._task(one), self._stage(one)
        flashed = task in (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX)
        count = 3 if task == StudyTask.RANK else 1 + flashed
        names = [_opaque(code, f"{place} {number}") for number in range(count)]
        boxed = task in (StudyTask.CLASSIFY_BOX, StudyTask.SEGMENT)
        return ShownTrial(
            trial=_opaque(code, str(place)),
            task=task,
            kind=KINDS[stage],
            pictures=tuple(
                ShownPicture(name=name, width=SIZE[0], height=SIZE[1]) for name in names
            ),
            choices=CHOICES if flashed else (),
            box=(80, 60, 240, 180) if boxed else None,
            label="car" if task == StudyTask.SEGMENT else None,
            flash_ms=self._flash_ms if flashed else None,
            box_seconds=4.0 if task == StudyTask.LOCALISE else None,
            place=(self._place(one) or 0) + 1,
            of=self._counts[stage],
        )

    def _said(self, code: str, place: int) -> Recorded:
        one = self.participants[code]
        if place >= self._counts[Stage.PRACTICE]:
            return Recorded()
        right = one.answers[place]["answer"].get("choice", CHOICES[0]) == CHOICES[0]
        return Recorded(correct=right, solution=CHOICES[0])

    def _encoded(self, mask: bool) -> bytes:
        if mask not in self._pictures:
            width, height = SIZE
            rng = np.random.default_rng(int(mask))
            pixels = rng.integers(0, 256, (height, width, 3), np.uint8) if mask else _scene()
            self._pictures[mask] = cv2.imencode(".png", pixels)[1].tobytes()
        return self._pictures[mask]


def check_answer(trial: ShownTrial, answer: StudyAnswer) -> None:
    """`InvalidAnswerError` if the answer does not fit the trial."""
    if not isinstance(answer, KIND_OF_ANSWER[trial.task]):
        raise InvalidAnswerError(f"An answer of kind '{answer.kind}' does not fit this trial.")
    if isinstance(answer, ClassAnswer) and answer.choice not in trial.choices:
        raise InvalidAnswerError("This choice was not offered.")
    if isinstance(answer, BoxesAnswer) and not all(map(_inside, answer.boxes)):
        raise InvalidAnswerError("A box is outside the picture or has no area.")
    names = sorted(picture.name for picture in trial.pictures)
    if isinstance(answer, RankAnswer) and sorted(answer.order) != names:
        raise InvalidAnswerError("Every picture must be ranked once.")


def fitting_answer(trial: ShownTrial) -> StudyAnswer:
    """An answer that the trial takes."""
    corners = [(90, 70), (200, 70), (200, 160)]
    given: dict[StudyTask, dict[str, Any]] = {
        StudyTask.CLASSIFY: {"kind": "choice", "choice": next(iter(trial.choices), "")},
        StudyTask.CLASSIFY_BOX: {"kind": "choice", "choice": next(iter(trial.choices), "")},
        StudyTask.LOCALISE: {"kind": "boxes", "boxes": [(10, 10, 60, 50)]},
        StudyTask.SEGMENT: {"kind": "outline", "polygons": [corners]},
        StudyTask.RANK: {"kind": "order", "order": [one.name for one in trial.pictures]},
    }
    return _ANSWER.validate_python(given[trial.task])


def _inside(box: StudyBox) -> bool:
    x1, y1, x2, y2 = box
    return x1 < x2 <= SIZE[0] and y1 < y2 <= SIZE[1]


def _opaque(code: str, what: str) -> str:
    return hashlib.sha256(f"{SECRET} {code} {what}".encode()).hexdigest()[:24]


def _scene() -> np.ndarray:
    """A street at dusk with a car, as BGR."""
    width, height = SIZE
    rows = np.linspace(200, 60, height).astype(np.uint8)
    pixels = np.repeat(np.repeat(rows[:, None, None], width, 1), 3, 2).copy()
    cv2.rectangle(pixels, (90, 120), (230, 170), (40, 40, 180), -1)
    cv2.rectangle(pixels, (120, 90), (200, 120), (60, 60, 160), -1)
    for x in (120, 200):
        cv2.circle(pixels, (x, 170), 16, (10, 10, 10), -1)
    return pixels
