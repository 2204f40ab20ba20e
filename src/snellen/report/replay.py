"""The replay of one case: rebuilt from its recipe, answered and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.changes.registry import recipe_from_json
from snellen.contract.asked import Asked
from snellen.contract.verdict import Case, Status, Verdict
from snellen.engine.subject_thread import checked_predictions
from snellen.methods.kind import view_of
from snellen.pages.finding_pictures import AnsweredFinding
from snellen.report.finding_folder import kept, write_pictures
from snellen.report.reopened_run import Reopened, reopened
from snellen.store.findings import EventRow, Finding, finding_of, prediction, solid_box
from snellen.store.journal import Journal
from snellen.store.opened_journal import opened_journal
from snellen.store.verdict_rows import event_rows
from snellen.subjects.subject import Input, Prediction, Subject

REPLAYS = "replays"


@dataclass(frozen=True, eq=False)
class Replay:
    """The result of a replay.

    recorded: the case as judged in the run. again: as judged in each repetition. same_pixels:
    whether the rebuilt case equals the stored one, None without one. same_subject: whether the
    fingerprint is the run's. folder: with the pictures of the last repetition.
    """

    recorded: Finding
    again: tuple[Finding, ...]
    same_pixels: bool | None
    same_subject: bool
    folder: Path

    @property
    def failing(self) -> int:
        """How many repetitions failed."""
        return sum(one.status == "failing" for one in self.again)


def replay(
    folder: Path,
    id: str,
    *,
    times: int = 1,
    overrides: Sequence[str] = (),
    out: Path | None = None,
) -> Replay:
    """Ask the subject about one case of the run in `folder` again, and draw the answer.

    id: of the case, or a prefix. times: repetitions. overrides: `key=value` on top of the run's
    configuration, such as another model. out: where pictures go; by default replays/<id> in the
    run folder.
    """
    with opened_journal(folder) as journal, reopened(folder, journal, overrides) as run:
        finding = finding_of(journal, id)
        subject = run.subject.opened()
        inputs = run.inputs(finding)
        view = view_of(run.campaign.method)
        cards = view.card(run.subject.task)
        shown = cards.rebuilt(run, journal, finding)
        recorded = recorded_answers(journal, finding)
        again = []
        for _ in range(times):
            before = None if run.method.baseline is None else _asked(subject, inputs[0])
            after = _asked(subject, inputs[1])
            again.append(judged_again(run, subject, finding, recorded, (before, after)))
            said = recorded[0] if before is None else before, after
        place = out or folder / REPLAYS / finding.id
        facts = view.facts(finding)
        now = AnsweredFinding(again[-1], said, subject.classes, subject.score, facts)
        write_pictures(place, shown.drawn(now))
        stored = kept(folder, finding, cards)
        return Replay(
            finding,
            tuple(again),
            None if stored is None else stored.same(shown),
            subject.fingerprint == run.subject.fingerprint,
            place,
        )


def recorded_answers(journal: Journal, finding: Finding) -> tuple[Prediction | None, Prediction]:
    """The answers of the run before, None without a baseline, and after."""
    after = prediction(journal, finding.after)
    assert after is not None
    return prediction(journal, finding.before), after


def _asked(subject: Subject, one: Input) -> Prediction:
    [answer] = checked_predictions(subject.predict([one]), [one], subject)
    return answer


def judged_again(
    run: Reopened,
    subject: Subject,
    finding: Finding,
    recorded: tuple[Prediction | None, Prediction],
    answers: tuple[Prediction | None, Prediction],
) -> Finding:
    """The finding with its status and events for new answers.

    recorded: before and after in the journal. answers: the subject's answer about the method's
    baseline, None for a method without one, and its answer about the case.
    """
    judged = judged_case(run, finding, recorded, answers)
    events = tuple(_event(row) for row in event_rows(0, Verdict((judged,)), subject.classes))
    return replace(finding, status=str(judged.status), events=events)


def judged_case(
    run: Reopened,
    finding: Finding,
    recorded: tuple[Prediction | None, Prediction],
    answers: tuple[Prediction | None, Prediction],
) -> Case:
    """The case of a finding, judged by these answers; recorded: those in the journal."""
    case = Case(
        recipe_from_json(finding.recipe),
        finding.role,
        Status(finding.status),
        recorded[1],
        recorded[0],
        measurements=finding.measurements,
        parent=finding.parent,
    )
    before, after = answers
    return run.method.judge(Asked.again(case, run.scene(finding.scene), after, before))


def _event(row: tuple[Any, ...]) -> EventRow:
    kind, severity, _, name, _, new_name, margin, iou, old, new, before, after = row[3:15]
    box = None if row[15] is None else (row[15], row[16], row[17], row[18])
    values = (kind, severity, name, new_name, margin, iou, old, new, before, after, box)
    return EventRow(*values, solid_box(row[19]), row[20])
