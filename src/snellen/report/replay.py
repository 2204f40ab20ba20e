"""One case of a run asked again: rebuilt from its recipe, answered and judged anew."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from snellen.engine.host import settled
from snellen.report.finding_folder import kept, write_pair
from snellen.report.findings import Finding, finding_of, prediction
from snellen.report.marks import sides
from snellen.report.overlay import Image
from snellen.report.pictured import Pictured
from snellen.report.rejudging import judged_again
from snellen.report.reopening import Reopened, journal_of, reopened
from snellen.subjects.subject import Prediction, Subject

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
        before, after = run.scene(finding.scene).pixels(), run.case(finding)
        told = prediction(journal, finding.after)
        assert told is not None
        recorded = prediction(journal, finding.before), told
        again = []
        for _ in range(times):
            said = _asked(subject, before), _asked(subject, after)
            again.append(judged_again(run, subject, finding, recorded, said))
        place = out or folder / REPLAYS / finding.id
        write_pair(place, _pictured(run, subject, again[-1], (before, after), said))
        stored = kept(folder, finding)
        return Replay(
            finding,
            tuple(again),
            None if stored is None else np.array_equal(stored[1], after),
            subject.fingerprint == run.subject.fingerprint,
            place,
        )


def _asked(subject: Subject, image: Image) -> Prediction:
    [answer] = settled(subject.predict([image]), [image], subject)
    return answer


def _pictured(
    run: Reopened,
    subject: Subject,
    finding: Finding,
    images: tuple[Image, Image],
    said: tuple[Prediction, Prediction],
) -> Pictured:
    label = run.label(finding.recipe)
    marks = sides(finding, *said, subject.classes, subject.score, label, run.labels)
    return Pictured(finding, *images, marks, label, said)
