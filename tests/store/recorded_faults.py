"""Journals with planted findings, for tests of what is made of faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.changes.identity import Identity
from snellen.contract.explanation import Explanation, NamedCause, Rung
from snellen.contract.fault_target import FaultTarget
from snellen.contract.verdict import TEST, Case, Status, Verdict
from snellen.store.journal import Journal, UnitEnd
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind, Severity

CLASSES = ("cat", "dog")
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Planted:
    """A finding: what it strikes, how hard, and its explanation if it has one.

    about: how many of its targets are explained, the first ones; all by default.
    """

    targets: Sequence[FaultTarget]
    margin: float = 0.5
    cause: str | None = None
    proven: bool = False
    about: int | None = None
    role: str = TEST
    status: Status = Status.FAILING


def thing(box: Box | None = (0.0, 0.0, 10.0, 10.0), key: str = "object cat") -> FaultTarget:
    """A target in a scene."""
    return FaultTarget(key, key.split()[-1], box)


def write_faults(
    folder: Path, scenes: Sequence[Sequence[Planted]], *, steady: bool = True, method: str = "none"
) -> Journal:
    """The journal of a run with these findings, one list for each scene `s0`, `s1`, ..."""
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / "journal.sqlite")
    subject: dict[str, Any] = {
        "name": "s",
        "task": "detection",
        "fingerprint": "f",
        "classes": CLASSES,
    }
    subject |= {"score": 0.5, "deterministic": steady, "tolerance": 0.0}
    facts = {"method": method, "seed": 1, "snellen_version": "0", "skipped": [], "subject": subject}
    journal.put({**facts, "scenes": len(scenes), "units": len(scenes)})
    for number, found in enumerate(scenes):
        end = UnitEnd(number, f"s{number}", f"s{number}", 1, _verdict(found))
        journal.write(end, CLASSES)
    return journal


def _verdict(found: Sequence[Planted]) -> Verdict:
    explained = {
        number: Explanation(one.cause, (Rung("nothing", _case(one, Status.HOLDS), False),),
                            proven=one.proven, says=f"because of {one.cause}")
        for number, one in enumerate(found)
        if one.cause is not None
    }  # fmt: skip
    verdict = Verdict(tuple(_case(one, one.status) for one in found)).concluded(None, explained)
    struck = {number: tuple(one.targets) for number, one in enumerate(found)}
    causes = {number: _causes(found[number], one.named) for number, one in explained.items()}
    return replace(verdict, struck=struck, causes=causes)


def _causes(one: Planted, cause: NamedCause) -> tuple[NamedCause, ...]:
    about = len(one.targets) if one.about is None else one.about
    return tuple(cause if n < about else NamedCause() for n in range(len(one.targets)))


def _case(one: Planted, status: Status) -> Case:
    box = one.targets[0].box if one.targets else None
    events = (Event(EventKind.LOST, 0, 0, None, one.margin, Severity.HARD, box=box),)
    nothing = Detections.empty()
    return Case(
        Identity(), one.role, status, nothing, nothing, events if status != Status.HOLDS else ()
    )
