"""The scorecard of an exam: one row a property, as a typed value and as JSON."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from snellen.disk.atomic_file import write_atomically
from snellen.errors import FINE, NO_VERDICT, VIOLATED

FILE = "scorecard.json"
PAGE = "scorecard.html"
SKIPPED, FAILED, MEASURED = "skipped", "error", "measured"
ALARMS = {
    "failures": "Fails more often than it may",
    "flaky": "The same question gets different answers",
}
"""Verdicts of a run that say that something is wrong."""


class ScorecardRow(BaseModel):
    """One property. value, low, high: how far the subject reads, from 0 to 1, None if unknown.

    method: empty for the accuracy. words: what the value counts. status: the verdict of the run in
    one word, `measured`, `skipped` or `error`. picture: of the worst fault, relative to the exam's
    folder. violated: requirements. proven: faults. command: what goes deeper.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    property: str
    method: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    words: str = ""
    status: str = SKIPPED
    sentence: str = ""
    fault: str = ""
    picture: str = ""
    command: str = ""
    skipped_because: str = ""
    proven: int = 0
    violated: int = 0

    def figure(self) -> str:
        """The value with its interval, in percent."""
        if self.value is None or self.low is None or self.high is None:
            return "not read"
        return f"{100 * self.value:.1f}% ({100 * self.low:.1f} to {100 * self.high:.1f})"


class Scorecard(BaseModel):
    """The result of an exam. took: what was recognised. folder: where it was written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    snellen_version: str
    subject: str
    scenes: int
    seed: int
    took: tuple[str, ...]
    rows: tuple[ScorecardRow, ...]

    @property
    def exit_code(self) -> int:
        """1 if a requirement is violated; 3 if a method broke or none gave a result; else 0."""
        tested = [one for one in self.rows if one.method]
        if any(one.violated for one in tested):
            return VIOLATED
        read = any(one.value is not None for one in tested)
        return FINE if read and all(one.status != FAILED for one in tested) else NO_VERDICT

    @property
    def headline(self) -> str:
        """What was found, facts first: proven faults, violated requirements, verdicts."""
        tested = [one for one in self.rows if one.method]
        read = [one for one in tested if one.value is not None]
        proven, violated = sum(one.proven for one in tested), sum(one.violated for one in tested)
        if not read:
            return "Nothing could be examined."
        said = [counted(proven, "proven fault"), counted(violated, "violated requirement")]
        found = [one for one, count in zip(said, (proven, violated), strict=True) if count]
        examined = f"in {counted(len(read), 'property', 'properties')} examined"
        also = "".join(
            f" {words}: {', '.join(one.property for one in struck)}."
            for status, words in ALARMS.items()
            if (struck := [one for one in tested if one.status == status])
        )
        shown = max(tested, key=lambda one: one.proven).fault if proven else ""
        example = f" For example: {shown.partition('. ')[0].rstrip('.')}." if shown else ""
        return f"{' and '.join(found) or 'No proven fault'} {examined}.{also}{example}"

    def to_text(self) -> str:
        """The text of `scorecard.json`."""
        return json.dumps(self.model_dump(mode="json"), indent=2) + "\n"

    def write(self, folder: Path) -> None:
        """Write `scorecard.json` and `scorecard.html` into the exam's folder."""
        from snellen.exam.eye_chart import eye_chart

        write_atomically(folder / FILE, self.to_text().encode(errors="backslashreplace"))
        write_atomically(folder / PAGE, eye_chart(self, folder).encode(errors="backslashreplace"))

    def __repr__(self) -> str:
        return f"<Scorecard of {self.subject} on {counted(self.scenes, 'scene')}: {self.headline}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from snellen.exam.eye_chart import eye_chart

        page = escape(eye_chart(self, None))
        style = "width:100%;height:720px;border:0"
        return f'<iframe title="scorecard" style="{style}" srcdoc="{page}"></iframe>'


def counted(count: int, one: str, more: str = "") -> str:
    """A count with its noun.

    >>> counted(1, "fault"), counted(2, "fault"), counted(3, "property", "properties")
    ('1 fault', '2 faults', '3 properties')
    """
    return f"{count} {one if count == 1 else more or f'{one}s'}"


def chart_order(rows: list[ScorecardRow]) -> tuple[ScorecardRow, ...]:
    """Accuracy first, then what the subject reads best; what was not read at the end."""
    return tuple(
        sorted(rows, key=lambda one: (one.value is None, bool(one.method), -(one.value or 0.0)))
    )
