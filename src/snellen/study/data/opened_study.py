"""A study that is open for answers: `Participation` on the study's folder."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

from cachetools import LRUCache

from snellen.store.journal_format.journal_file import LOG
from snellen.study.data.adaptive_choice import AdaptiveChoice
from snellen.study.data.answer_checks import check_answer
from snellen.study.data.deal_tally import DealTally
from snellen.study.data.dealer import KINDS, Choice, Dealer
from snellen.study.data.design_rows import parents, read_design, trial_numbers
from snellen.study.data.drawn_boxes import DrawnBoxes
from snellen.study.data.erasure import scrub, unscrubbed
from snellen.study.data.feedback import feedback
from snellen.study.data.participant_rows import Deal, Participant, ParticipantRows
from snellen.study.data.presentation import shown_kind, shown_trial
from snellen.study.data.record_reader import ANSWER, given_answers
from snellen.study.data.shared_sync import SharedSync
from snellen.study.data.study_file import DATABASE, readable_study, writable_study
from snellen.study.data.study_overview import study_overview
from snellen.study.data.study_texts import study_wording
from snellen.study.design.opaque_names import OpaqueNames
from snellen.study.design.rendered_sample import MEDIA_TYPE, PICTURES, SUFFIX
from snellen.study.options import BoxSource, PictureFormat
from snellen.study.participation import (
    EncodedPicture,
    InvalidAnswerError,
    OutOfOrderError,
    StudyPausedError,
    StudyWording,
)
from snellen.study.record import PlannedTrial
from snellen.study.trial import (
    BoxesAnswer,
    Exposure,
    Overview,
    Progress,
    Recorded,
    ShownTrial,
    Stage,
    StudyAnswer,
    TrialKind,
)

NEXT = {
    Stage.CONSENT: Stage.INSTRUCTIONS,
    Stage.INSTRUCTIONS: Stage.PRACTICE,
    Stage.PRACTICE: Stage.QUALIFICATION,
    Stage.QUALIFICATION: Stage.BATCHES,
    Stage.BATCHES: Stage.FINISHED,
}
ANSWERING = (Stage.PRACTICE, Stage.QUALIFICATION, Stage.BATCHES)
ENDED = (Stage.FINISHED, Stage.UNQUALIFIED)
CACHED_BYTES = 128 * 2**20
CODE_BYTES = 16


class OpenedStudy:
    """Implements `Participation`. One connection, one lock: calls are short.

    clock: Unix time in seconds. choice: the samples that an adaptive study shows next.
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], float] = time.time,
        choice: Choice | None = None,
    ) -> None:
        self.folder = folder
        self._clock, self._choice = clock, choice or AdaptiveChoice(folder)
        self._lock = RLock()
        self._seen: dict[int, float] = {}
        self._pictures: LRUCache[str, bytes] = LRUCache(CACHED_BYTES, getsizeof=len)
        self._db = writable_study(folder)
        self._sync = SharedSync(folder / f"{DATABASE}{LOG}")
        try:
            self._load()
            if unscrubbed(self._db):
                scrub(self._db)
        except BaseException:
            self._db.close()
            raise

    @property
    def wording(self) -> StudyWording:
        """What pages say."""
        return study_wording(self._design)

    def enrol(self, source: Mapping[str, str]) -> str:
        """A new participant's code; only the parameters that the options name are kept."""
        keep = self._design.options.recruiting.keep
        kept = {key: source[key] for key in keep if key in source}
        code = secrets.token_urlsafe(CODE_BYTES)
        completion = self._design.options.recruiting.code or secrets.token_hex(5).upper()
        with self._changing():
            self._require_running()
            self._take_back_abandoned()
            if self._dealer.tally.is_full():
                raise StudyPausedError("This study has all the answers it needs. Thank you.")
            self._rows.add(code, completion, self._clock(), kept)
        return code

    def progress(self, code: str) -> Progress:
        """How far the participant is."""
        with self._lock:
            return self._progress(self._present(code))

    def pass_stage(self, code: str, stage: Stage) -> Progress:
        """Leave `consent` or `instructions`; repeating it for the stage just left does nothing."""
        with self._changing():
            one = self._find(code)
            if one.stage == stage and stage in (Stage.CONSENT, Stage.INSTRUCTIONS):
                self._require_running()
                self._enter(one.number, NEXT[stage])
            elif not self._just_left(one, stage):
                raise OutOfOrderError("This is not the current part of the study.")
            return self._progress(self._find(code))

    def next_trial(self, code: str) -> ShownTrial | None:
        """The trial to answer next, the same until it is answered."""
        with self._lock:
            one = self._present(code)
            deals = self._rows.deals(one.number)
            current = _current(deals)
            if one.stage not in ANSWERING or current is None or not self._running():
                return None
            return self._shown(one, current, deals)

    def picture(self, code: str, name: str) -> EncodedPicture:
        """A picture of the participant's current trial."""
        with self._lock:
            shown = self.next_trial(code)
            if shown is None or name not in {one.name for one in shown.pictures}:
                raise OutOfOrderError("This picture is not part of the current trial.")
            return self._picture(name)

    def record(
        self,
        code: str,
        trial: str,
        answer: StudyAnswer,
        exposure: Exposure,
        response_ms: float,
    ) -> Recorded:
        """Keep an answer; it is on the disk when this returns."""
        text = answer.model_dump_json()
        with self._changing():
            one = self._find(code)
            last = self._rows.last_answer(one.number)
            if last == (trial, text):
                return self._feedback(one.number, self._trial(trial), answer)
            self._require_running()
            deal = _current(self._rows.deals(one.number))
            if one.stage not in ANSWERING or deal is None or deal.trial != trial:
                raise OutOfOrderError("This is not the current trial, or it has another answer.")
            planned = self._trial(trial)
            check_answer(planned, self._design.pictures[planned.samples[0]], answer)
            if response_ms < 0:
                raise InvalidAnswerError("A response takes no time below 0.")
            now = self._clock()
            self._rows.keep_answer(one.number, deal, text, exposure, response_ms, now)
            self._draw(planned, answer)
            self._go_on(one)
            return self._feedback(one.number, planned, answer)

    def completion_code(self, code: str) -> str | None:
        """What a finished participant shows the recruiting site."""
        with self._lock:
            one = self._find(code)
            return one.completion if one.stage == Stage.FINISHED else None

    def completion_link(self, code: str) -> str | None:
        """The recruiting site's address with the completion code."""
        completion, link = self.completion_code(code), self._design.options.recruiting.link
        return link.replace("{code}", completion) if link and completion is not None else None

    def participant_data(self, code: str) -> dict[str, Any]:
        """All that is kept about a participant, as JSON values."""
        with self._lock:
            one = self._find(code)
            own = [answer for _, answer in given_answers(self._db, of=one.number)]
            return {
                "participant": one.code,
                "stage": one.stage.value,
                "enrolled": one.enrolled,
                "last_active": one.active,
                "completion_code": one.completion,
                "recruiting": self._rows.recruiting(one.number),
                "answers": [
                    answer.model_dump(mode="json", exclude={"participant"}) for answer in own
                ],
            }

    def delete_participant(self, code: str) -> None:
        """Remove all that is kept about a participant, and every byte of it from the file."""
        with self._lock:
            with self._changing():
                one = self._find(code)
                day = datetime.fromtimestamp(self._clock(), UTC).date().isoformat()
                self._rows.remove(one.number, day)
            self._seen.pop(one.number, None)
            self._load()
            scrub(self._db)

    def overview(self) -> Overview:
        """The state of the study, for its owner, with the curves so far."""
        with readable_study(self.folder) as db:  # fitting curves keeps nobody waiting
            db.execute("BEGIN")
            return study_overview(db, read_design(db), curves=True)

    def answers(self, after: int, count: int) -> list[dict[str, Any]]:
        """Answers as JSON values with their growing `number`, at most `count`."""
        with self._lock:
            return [
                {"number": number, **self._exported(answer.model_dump(mode="json"))}
                for number, answer in given_answers(self._db, after, max(count, 0))
            ]

    def set_running(self, running: bool) -> None:
        """Stop or resume the study."""
        with self._changing():
            self._db.execute("UPDATE state SET running = ?", (int(running),))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._sync.close()
            self._db.close()

    def _load(self) -> None:
        """Read the design and what was dealt; also after somebody else has changed the file."""
        self._design = read_design(self._db)
        self._rows = ParticipantRows(self._db, trial_numbers(self._db))
        names = OpaqueNames(self._design.options.model_dump_json().encode())
        self._boxes = DrawnBoxes(self._design, names, parents(self._db))
        self._boxes.added.update(self._design.added)
        self._dealer = Dealer(
            self._design, DealTally(self._design), self._rows, self._boxes, self._choice
        )
        if self._design.options.boxes == BoxSource.PEOPLE:
            for _, given in given_answers(self._db):
                self._draw(self._trial(given.trial), given.answer)
        self._dealer.recount()
        self._version = self._data_version()

    def _draw(self, trial: PlannedTrial, answer: StudyAnswer) -> None:
        """Take up boxes that others may be shown."""
        if isinstance(answer, BoxesAnswer) and trial.kind == TrialKind.TEST:
            self._boxes.draw(trial, answer)

    def _data_version(self) -> int:
        """Differs from before if another connection has changed the file."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """A transaction that is on the disk afterwards, or undone by an error."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            changes = self._db.total_changes
            try:
                if self._data_version() != self._version:
                    self._load()
                yield
                self._db.execute("COMMIT")
                changed = self._db.total_changes != changes
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if self._db.total_changes != changes:
                    self._load()  # what was counted meanwhile was undone
                raise
            ticket = self._sync.ticket() if changed else 0
        self._sync.wait(ticket)

    def _find(self, code: str) -> Participant:
        one = self._rows.find(code)
        self._seen[one.number] = self._clock()
        return one

    def _present(self, code: str) -> Participant:
        """The participant; whose trials were given to others meanwhile is dealt new ones."""
        one = self._find(code)
        if one.stage != Stage.BATCHES or _current(self._rows.deals(one.number)) is not None:
            return one
        with self._changing():
            self._go_on(one)
        return self._find(code)

    def _go_on(self, one: Participant) -> None:
        """Deal or move on, if nothing is left to be answered."""
        if _current(self._rows.deals(one.number)) is not None:
            return
        if one.stage == Stage.BATCHES:
            self._take_back_abandoned()
            if self._dealer.deal_on(one.number, self._db):
                return
        if one.stage == Stage.QUALIFICATION and not self._qualifies(one.number):
            self._rows.move(one.number, Stage.UNQUALIFIED, self._clock())
        else:
            self._enter(one.number, NEXT[one.stage])

    def _enter(self, number: int, stage: Stage) -> None:
        """Move a participant to a stage, or past it if it has no trials."""
        empty = (stage in KINDS and not self._dealer.deal_checks(number, stage)) or (
            stage == Stage.BATCHES and not self._deal_first(number)
        )
        if empty:
            self._enter(number, NEXT[stage])
        else:
            self._rows.move(number, stage, self._clock())

    def _deal_first(self, number: int) -> bool:
        self._take_back_abandoned()
        return self._dealer.deal_on(number, self._db)

    def _take_back_abandoned(self) -> None:
        before = self._clock() - 60 * self._design.options.abandoned_minutes
        gone = [one for one in self._rows.idle(before) if self._seen.get(one, 0.0) < before]
        self._dealer.take_back(gone)

    def _just_left(self, one: Participant, stage: Stage) -> bool:
        """Whether a participant has left a stage last, without having answered since."""
        if stage == Stage.CONSENT:
            return one.stage == Stage.INSTRUCTIONS
        passed = one.stage in (*ANSWERING, *ENDED)
        return stage == Stage.INSTRUCTIONS and passed and not self._rows.answers_of(one.number)

    def _qualifies(self, number: int) -> bool:
        given = self._rows.answers_of(number)
        right = [
            self._right(self._trial(name), ANSWER.validate_json(text))
            for name, text in given.items()
            if self._trial(name).kind == TrialKind.QUALIFICATION
        ]
        return not right or sum(right) >= self._design.options.qualify * len(right)

    def _right(self, trial: PlannedTrial, answer: StudyAnswer) -> bool:
        return self._judged(trial, answer).correct is not False

    def _judged(self, trial: PlannedTrial, answer: StudyAnswer) -> Recorded:
        picture = self._design.pictures[trial.samples[0]]
        objects = self._design.objects.get(self._design.scene_of(trial), ())
        return feedback(trial, picture, objects, answer)

    def _feedback(self, number: int, trial: PlannedTrial, answer: StudyAnswer) -> Recorded:
        if trial.kind != TrialKind.PRACTICE:
            return Recorded()
        return self._judged(trial, answer)

    def _trial(self, name: str) -> PlannedTrial:
        return self._design.trials.get(name) or self._boxes.added[name]

    def _shown(self, one: Participant, deal: Deal, deals: list[Deal]) -> ShownTrial:
        trial = self._trial(deal.trial)
        part = [item for item in deals if self._part(item) == self._part(deal)]
        place = 1 + sum(item.answered for item in part)
        rng = self._dealer.shuffled(one.number, trial.trial)
        return shown_trial(self._design, trial, place, len(part), rng)

    def _part(self, deal: Deal) -> object:
        """What a deal is counted with: the seat, practice, or qualification."""
        return self._trial(deal.trial).kind if deal.seat is None else deal.seat

    def _progress(self, one: Participant) -> Progress:
        if one.stage in ENDED:
            return Progress(stage=one.stage, share=1.0)
        deals = self._rows.deals(one.number)
        current = _current(deals)
        done = sum(deal.answered for deal in deals)
        share = min(done / max(self._planned, done, 1), 1.0)
        stage = one.stage if self._running() else Stage.PAUSED
        if current is None or one.stage not in ANSWERING:
            return Progress(stage=stage, share=share)
        part = [deal for deal in deals if self._part(deal) == self._part(current)]
        return Progress(
            stage=stage,
            task=self._trial(current.trial).task,
            done=sum(deal.answered for deal in part),
            of=len(part),
            share=share,
        )

    @property
    def _planned(self) -> int:
        """Trials that a participant answers in all, if there are enough."""
        options = self._design.options
        return sum(
            options.shown(kind, task)
            * (options.batches if kind in (TrialKind.TEST, TrialKind.SANITY) else 1)
            for kind in TrialKind
            for task in options.tasks
        )

    def _running(self) -> bool:
        return bool(self._db.execute("SELECT running FROM state").fetchone()[0])

    def _require_running(self) -> None:
        if not self._running():
            raise StudyPausedError("The study is paused. What you answered is kept.")

    def _picture(self, name: str) -> EncodedPicture:
        stimulus = name in self._design.pictures
        form = self._design.options.pictures if stimulus else PictureFormat.PNG
        content = self._pictures.get(name)
        if content is None:
            content = (self.folder / PICTURES / f"{name}{SUFFIX[form]}").read_bytes()
            if len(content) <= CACHED_BYTES:
                self._pictures[name] = content
        return EncodedPicture(content=content, media_type=MEDIA_TYPE[form])

    def _exported(self, values: dict[str, Any]) -> dict[str, Any]:
        """An answer with what it was given to."""
        trial = self._trial(values["trial"])
        sample = self._design.samples[trial.samples[0]]
        return {
            **values,
            "task": trial.task.value,
            "kind": shown_kind(trial, hide=False).value,
            "scene": sample.scene,
            "transformation": sample.transformation,
            "delta_v": sample.delta_v,
            "label": trial.label,
            "right": trial.right,
        }


def _current(deals: list[Deal]) -> Deal | None:
    return next((one for one in deals if not one.answered), None)


def open_study(folder: Path) -> OpenedStudy:
    """The study in a folder, open for answers.

    An error of the file is one of the user, with the next step.
    """
    try:
        return OpenedStudy(folder)
    except sqlite3.OperationalError as error:
        from snellen.errors import UserError

        raise UserError(
            f"{folder}: cannot be opened for answers: {error}. Copy the study's folder to where "
            "you may write."
        ) from error
