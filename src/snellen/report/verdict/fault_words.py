"""The faults of a run in words: how many, where, and the worst one."""

from __future__ import annotations

from snellen.contract.fault_target import event_target
from snellen.methods.kind import view_of
from snellen.methods.view import View
from snellen.store.faults import Fault
from snellen.store.findings import EventRow
from snellen.store.opened_run import OpenedRun
from snellen.store.summary import Summary
from snellen.store.verdict_summary import FaultCounts
from snellen.subjects.subject import Task

SUBJECTS = {Task.SEGMENTATION: "segmenter", Task.LABELS: "classifier"}
"""What a subject is called by its task; any other is a detector."""


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "fault"), counted(2, "fault"), counted(2, "is", "are")
    ('1 fault', '2 faults', '2 are')
    """
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def some(noun: str) -> str:
    """A noun with its article.

    >>> some("car"), some("apple")
    ('a car', 'an apple')
    """
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def fault_title(summary: Summary) -> tuple[str, str] | None:
    """How many faults, and where; None without any.

    >>> from snellen.store.verdict_summary import FaultCounts
    >>> _title(FaultCounts(count=9, scenes=6, examined=24, proven=7, proven_scenes=5), "scenes")
    ('7 proven faults', 'in 5 of 24 scenes')
    """
    found = summary.faults
    return _title(found, view_of(summary.method).words.units) if found.count else None


def _title(found: FaultCounts, units: str) -> tuple[str, str]:
    shown = {"proven": found.proven, "confirmed": found.confirmed}
    scenes = {"proven": found.proven_scenes, "confirmed": found.confirmed_scenes}
    for word, count in shown.items():
        if count:
            return counted(count, f"{word} fault"), f"in {scenes[word]} of {found.examined} {units}"
    return counted(found.count, "fault"), f"in {found.scenes} of {found.examined} {units}"


def fault_facts(summary: Summary) -> str:
    """How many faults, where, and the worst in words; empty without any."""
    title, found = fault_title(summary), summary.faults
    if title is None:
        return ""
    count = " ".join(title) + _in_all(found)
    if found.worst is None:
        return f"{count}."
    return f"{count}{': ' if found.count == 1 else '; for example, '}{found.worst.words}."


def fault_example(summary: Summary) -> str:
    """What follows a title that has the number of faults: the worst in words; empty without any."""
    found = summary.faults
    if found.worst is None:
        return ""
    words = found.worst.words if found.count == 1 else f"for example, {found.worst.words}"
    return f"{words[0].upper()}{words[1:]}{_in_all(found)}."


def _in_all(found: FaultCounts) -> str:
    shown = found.proven or found.confirmed
    return f" ({counted(found.count, 'fault')} in all)" if 0 < shown < found.count else ""


def fault_clause(fault: Fault, task: Task, view: View, run: OpenedRun | None) -> str:
    """What a fault is, as a clause: `an inserted car makes the detector lose a dog in 0017`.

    What was done is named as the cause only if that is shown; else it stands beside the effect.
    """
    finding, subject = fault.representative, SUBJECTS.get(task, "detector")
    event = struck_event(fault)
    place = f" in {finding.scene}"
    if event is None:
        return f"the {subject} fails{place}"
    do, does, what, measured = _effect(event)
    trigger = None if event.kind == "inserted-missed" else view.trigger(finding, run)
    if trigger is None:
        return f"the {subject} {does} {what}{place}{measured}"
    if not fault.shown:
        return f"with {trigger}, the {subject} {does} {what}{place}{measured}"
    return f"{trigger} makes the {subject} {do} {what}{place}{measured}"


def struck_event(fault: Fault) -> EventRow | None:
    """The event by which the representative of a fault strikes its target, else its worst one."""
    events = fault.representative.events
    return max(events, key=lambda one: (_strikes(one, fault), one.hard, one.margin), default=None)


def _strikes(event: EventRow, fault: Fault) -> int:
    """How surely an event is the one of a fault: by its target, by kind and name, by name."""
    target, words = fault.target, fault.target.key.split()
    if event_target(event.kind, event.name, event.new_name, event.box, event.solid) == target:
        return 3
    return int(event.name in words) + int(event.name in words and event.kind in words)


def _effect(event: EventRow) -> tuple[str, str, str, str]:
    """The verb after `makes`, the verb by itself, its object, and the measured change."""
    thing, fell = some(event.name), f"{event.score_after:.2f}" if event.score_after else "nothing"
    score = f" (score {event.score_before:.2f} to {fell})"
    new = "" if event.new_name is None else event.new_name
    effects = {
        "lost": ("lose", "loses", thing, score),
        "appeared": ("report", "reports", f"{thing} {_unfounded(event)}", _after(event)),
        "relabelled": ("take", "takes", f"{thing} for {some(new)}", _after(event)),
        "moved": ("misplace", "misplaces", f"the box of {thing}", f" (IoU {event.iou:.2f})"),
        "inserted-missed": ("miss", "misses", f"an inserted {event.name}", ""),
        "missing": ("miss", "misses", f"the label {event.name}", _after(event)),
        "extra": ("add", "adds", f"the label {event.name}", _after(event)),
        "mismatch": ("label", "labels", f"{event.name} as {new}", ""),
    }
    return effects.get(event.kind, ("fail on", "fails on", thing, ""))


def _unfounded(event: EventRow) -> str:
    """Why an object that appeared is wrong: known to be a phantom, or only new."""
    return "that is not there" if event.truth == "phantom" else "that it did not report before"


def _after(event: EventRow) -> str:
    return f" (score {event.score_after:.2f})"
