"""One case of a run asked again: rebuilt from its recipe, answered and judged anew."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from snellen.engine.subject_thread import checked_predictions
from snellen.pages.finding_pictures import Pictured, Solid
from snellen.pages.solids.solid_marks import marks_of, solid_marks
from snellen.report.finding_folder import Kept, kept, write_pair
from snellen.report.rejudgement import judged_again
from snellen.report.reopened_run import Reopened, reopened
from snellen.report.solid_rebuild import rebuilt_solid
from snellen.scenes.frame import Frame
from snellen.store.findings import Finding, finding_of, prediction
from snellen.store.journal import journal_of
from snellen.subjects.subject import Input, Prediction, Subject

REPLAYS = "replays"


@dataclass(frozen=True, eq=False)
class Replay:
    """What came of asking again.

    recorded: the case as the run judged it. again: as it was judged each time. same_pixels: whether
    the case rebuilt is the one that was kept, None if none was. same_subject: whether the
    fingerprint is the run's. folder: where the pictures of the last time are.
    """

    recorded: Finding
    again: tuple[Finding, ...]
    same_pixels: bool | None
    same_subject: bool
    folder: Path

    @property
    def failing(self) -> int:
        """How often it failed."""
        return sum(one.status == "failing" for one in self.again)


def replay(
    folder: Path,
    id: str,
    *,
    times: int = 1,
    overrides: Sequence[str] = (),
    out: Path | None = None,
) -> Replay:
    """Ask the subject about one case of the run in `folder` again, and draw what it says.

    id: of the case, or its beginning. times: how often. overrides: `key=value` on top of the run's
    configuration, such as another model. out: where pictures go; by default replays/<id> in the
    run folder.
    """
    with closing(journal_of(folder)) as journal, reopened(folder, journal, overrides) as run:
        finding = finding_of(journal, id)
        subject = run.subject.opened()
        inputs, shown = _shown(run, finding)
        told = prediction(journal, finding.after)
        assert told is not None
        recorded = prediction(journal, finding.before), told
        again = []
        for _ in range(times):
            said = _asked(subject, inputs[0]), _asked(subject, inputs[1])
            again.append(judged_again(run, subject, finding, recorded, said))
        place = out or folder / REPLAYS / finding.id
        write_pair(place, _pictured(subject, again[-1], shown, said))
        stored = kept(folder, finding)
        return Replay(
            finding,
            tuple(again),
            None if stored is None else _same(stored, shown),
            subject.fingerprint == run.subject.fingerprint,
            place,
        )


def _shown(run: Reopened, finding: Finding) -> tuple[tuple[Input, Input], Kept]:
    """What the subject is asked about, before and after, and what is drawn of it."""
    before, after = run.inputs(finding)
    if isinstance(before, Frame) or isinstance(after, Frame):
        return (before, after), rebuilt_solid(run, finding)
    return (before, after), Kept(before, after, run.label(finding.recipe), run.labels)


def _same(stored: Kept, shown: Kept) -> bool:
    """Whether a case is the one that was kept, in pixels and in points."""
    if not np.array_equal(stored.after, shown.after):
        return False
    if stored.solid is None or shown.solid is None:
        return stored.solid is shown.solid
    return stored.solid.same(shown.solid)


def _asked(subject: Subject, one: Input) -> Prediction:
    [answer] = checked_predictions(subject.predict([one]), [one], subject)
    return answer


def _pictured(
    subject: Subject, finding: Finding, shown: Kept, said: tuple[Prediction, Prediction]
) -> Pictured:
    classes, score = subject.classes, subject.score
    marks = marks_of(finding, said, classes, score, shown.label, shown.objects, shown.solid)
    made = Pictured(finding, shown.before, shown.after, marks, shown.label, said)
    if shown.solid is None:
        return made
    drawn = solid_marks(finding, said, classes, score, shown.solid)
    return replace(made, solid=Solid(shown.solid, drawn))
