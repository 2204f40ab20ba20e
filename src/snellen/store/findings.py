"""The findings of a run, read from its journal, and a selection to show."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, TypeAlias

from snellen.contract.verdict import FURTHER, TEST, Status, is_test
from snellen.errors import UserError
from snellen.errors.excerpt import shown
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.store.journal_format.json_column import json_column
from snellen.subjects.subject import Prediction

MOVED = "relocation"
"""The role of a failing test at another place."""
BROKEN = (Status.FAILING, Status.FLAKY, Status.UNCONFIRMED)
"""Of cases whose relation broke; only failing ones are counted."""
_ID = re.compile(r"[\w-]+")
_CASE = (
    "SELECT cases.unit, cases.number, cases.id, units.scene, role, cases.status, recipe, "
    "measurements, cases.before, cases.after, parent "
    "FROM cases JOIN units ON units.number = cases.unit"
)
_EVENT = (
    'SELECT unit, "case", kind, severity, class, new_class, margin, iou, score_before, '
    "score_after, before, after, x1, y1, x2, y2, solid, truth FROM events"
)
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class EventRow:
    """One event from the journal; the fields of `snellen.vision.events.Event`, by name.

    solid: x y z length width height yaw in the LiDAR frame, for events in 3D. truth: what is known
    of the object.
    """

    kind: str
    severity: str
    name: str
    new_name: str | None
    margin: float
    iou: float
    score_before: float
    score_after: float
    before: int | None
    after: int | None
    box: Box | None
    solid: tuple[float, ...] | None = None
    truth: str | None = None

    @property
    def hard(self) -> bool:
        """Whether it is counted."""
        return self.severity == "hard"

    def __repr__(self) -> str:
        new = "" if self.new_name is None else f" as {self.new_name}"
        score = f"score {self.score_before:.2f} to {self.score_after:.2f}"
        return f"<{self.severity} {self.kind} {self.name}{new}: {score}, margin {self.margin:.2f}>"


@dataclass(frozen=True, eq=False)
class Finding:
    """One case of the journal with its events; margin: the largest hard one, else the largest."""

    unit: int
    number: int
    id: str
    scene: str
    role: str
    status: str
    recipe: dict[str, Any]
    measurements: dict[str, float]
    before: int | None
    after: int
    parent: int | None
    events: tuple[EventRow, ...]

    @property
    def worst(self) -> EventRow | None:
        """The event with the largest margin, hard events first; None without events."""
        return max(self.events, key=lambda one: (one.hard, one.margin), default=None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its hard events, or of all if none is hard, sorted."""
        hard = {one.kind for one in self.events if one.hard}
        return tuple(sorted(hard or {one.kind for one in self.events}))

    @property
    def flaky(self) -> bool:
        """Whether it did not repeat."""
        return self.status == Status.FLAKY

    @property
    def counted(self) -> bool:
        """Whether it counts: not if it did not repeat, or if it was not asked again."""
        return self.status == Status.FAILING

    @property
    def is_finding(self) -> bool:
        """Whether it is a test or relocation whose relation broke, uncounted ones included."""
        return is_finding_role(self.role) and self.status in BROKEN

    def rank(self, priority: int = 0) -> tuple[Any, ...]:
        """Sort key, worst first: counted, hard, priority, margin, tests before the rest, id.

        priority: given by the method, lowest first.
        """
        worst = self.worst
        hard, margin = (worst.hard, worst.margin) if worst else (False, 0.0)
        return (not self.counted, not hard, priority, -margin, self.role != TEST, self.id)


def is_finding_role(role: str) -> bool:
    """Whether a case of this role is a finding if its relation broke."""
    return is_test(role) or role == MOVED


Priority: TypeAlias = Callable[[Finding], int]


def same_priority(_: Finding) -> int:
    """0: findings are ranked by margin alone."""
    return 0


def findings(journal: Journal, priority: Priority = same_priority) -> list[Finding]:
    """Every test and relocation that failed, worst first, those that are not counted last.

    priority: the method's ranking, lowest number first.
    """
    broken = ", ".join(f"'{one}'" for one in BROKEN)
    roles = f"(role IN ('{TEST}', '{MOVED}') OR role LIKE '{FURTHER}%')"
    places = f"{roles} AND cases.status IN ({broken})"
    return sorted(cases(journal, places), key=lambda one: one.rank(priority(one)))


def cases(journal: Journal, places: str = "1") -> list[Finding]:
    """The cases of a run in the order they were judged.

    places: an SQL condition on the table `cases`; all cases by default.
    """
    events: dict[tuple[int, int], list[EventRow]] = {}
    chosen = f"SELECT unit, number FROM cases WHERE {places}"
    for row in journal.rows(f'{_EVENT} WHERE (unit, "case") IN ({chosen}) ORDER BY number'):
        events.setdefault(row[:2], []).append(_event(row))
    rows = journal.rows(f"{_CASE} WHERE {places} ORDER BY cases.unit, cases.number")
    recipes, measured = (json_column(row[place] for row in rows) for place in (6, 7))
    return [
        _finding_of((*row[:6], *read, *row[8:]), events.get(row[:2], ()))
        for row, *read in zip(rows, recipes, measured, strict=True)
    ]


def finding_of(journal: Journal, id: str) -> Finding:
    """The case with an id, or a unique prefix of one, of any role and status."""
    rows = journal.rows(f"{_CASE} WHERE substr(cases.id, 1, ?) = ? LIMIT 2", (len(id), id))
    if not id or not rows:
        raise _unknown(journal, id)
    if len(rows) > 1:
        raise UserError(
            f"{journal.path.parent}: more than one case starts with '{id}'. Give more of the id."
        )
    events = journal.rows(f'{_EVENT} WHERE unit = ? AND "case" = ? ORDER BY number', rows[0][:2])
    return _finding(rows[0], map(_event, events))


def _unknown(journal: Journal, id: str) -> UserError:
    """The error for an id that no case has: the closest ids, or those of the worst findings."""
    run = journal.path.parent
    known = [one.id for one in findings(journal)]
    if not known:
        return UserError(
            f"{run}: has no case '{id}', and no findings at all.", next=f"snellen report {run}"
        )
    close = get_close_matches(id, known, n=3, cutoff=0.5)
    word = "The closest ids are" if close else "The worst findings are"
    shown = close or known[:3]
    return UserError(
        f"{run}: has no case '{id}'. {word} {', '.join(shown)}; all of them are in its "
        "report.html.",
        next=f"snellen explain {run} {shown[0]}",
    )


def case_at(journal: Journal, unit: int, number: int) -> Finding:
    """A case by its unit and its number in it, without events."""
    [row] = journal.rows(f"{_CASE} WHERE cases.unit = ? AND cases.number = ?", (unit, number))
    return _finding(row, ())


def case_with_events(journal: Journal, unit: int, number: int) -> Finding:
    """A case by its unit and its number in it."""
    rows = journal.rows(f'{_EVENT} WHERE unit = ? AND "case" = ? ORDER BY number', (unit, number))
    return replace(case_at(journal, unit, number), events=tuple(map(_event, rows)))


def spread(ranked: Iterable[Finding], count: int) -> list[Finding]:
    """`count` findings, spread over scenes first and kinds second, worst first.

    ranked: worst first; the worst one is always selected. Those not counted are selected last.
    """
    every = list(ranked)
    left, chosen = list(range(len(every))), list[int]()
    scenes: Counter[str] = Counter()
    kinds: Counter[tuple[str, ...]] = Counter()

    def order(place: int) -> tuple[bool, int, int, int]:
        one = every[place]
        return not one.counted, scenes[one.scene], kinds[one.kinds], place

    while left and len(chosen) < count:
        best = min(left, key=order)
        left.remove(best)
        chosen.append(best)
        scenes[every[best].scene] += 1
        kinds[every[best].kinds] += 1
    return [every[place] for place in sorted(chosen)]


def prediction(journal: Journal, number: int | None) -> Prediction | None:
    """A prediction by the number of its row; None if the case has none."""
    if number is None:
        return None
    [(text,)] = journal.rows("SELECT value FROM predictions WHERE number = ?", (number,))
    return prediction_from_text(text)


def _event(row: tuple[Any, ...]) -> EventRow:
    box = None if row[12] is None else (row[12], row[13], row[14], row[15])
    values: list[Any] = [*row[2:12], box, solid_box(row[16]), row[17]]
    return EventRow(*values)


def solid_box(text: str | None) -> tuple[float, ...] | None:
    """A 3D box from the journal's text."""
    return None if text is None else tuple(json.loads(text))


def _finding(row: tuple[Any, ...], events: Iterable[EventRow]) -> Finding:
    return _finding_of((*row[:6], json.loads(row[6]), json.loads(row[7]), *row[8:]), events)


def _finding_of(values: tuple[Any, ...], events: Iterable[EventRow]) -> Finding:
    """The finding of a row whose JSON is parsed."""
    if not _ID.fullmatch(values[2]):
        raise UserError(
            f"journal: found {shown(values[2])} as the id of a case, expected letters and digits: "
            "the id names a folder. Snellen did not write this journal; run the configuration "
            "again."
        )
    fields: list[Any] = [*values, tuple(events)]
    return Finding(*fields)
