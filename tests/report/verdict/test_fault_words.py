"""A fault as a clause: what was done, and what the subject made of it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from snellen.contract.explanation import NamedCause
from snellen.contract.fault_target import FaultTarget
from snellen.methods.view import View
from snellen.report.verdict.fault_words import fault_clause, struck_event
from snellen.store.faults import Fault, FaultFinding
from snellen.store.findings import EventRow, Finding
from snellen.store.struck_targets import ScenePlace
from snellen.subjects.subject import Task
from tests.store.recorded_faults import Planted, thing, write_faults
from tests.store.test_findings import event, finding

CAT = FaultTarget("object cat", "cat", (10.0, 20.0, 30.0, 40.0))


class Trigger(View):
    def trigger(self, finding: Finding, run: Any) -> str | None:
        return "an inserted car"


def fault(*events: EventRow, target: FaultTarget = CAT, proven: bool = True) -> Fault:
    place = ScenePlace("0017", target)
    cause = NamedCause("object" if proven else "any-change", proven)
    return Fault((FaultFinding(finding("f", "0017", *events), place, cause),), cause.cause)


@pytest.mark.parametrize(
    ("struck", "with_trigger", "alone"),
    [
        (event(), "lose a cat in 0017 (score 0.90 to 0.10)", "loses a cat"),
        (event(score_after=0.0), "lose a cat in 0017 (score 0.90 to nothing)", "loses a cat"),
        (
            event("appeared", name="apple", truth="phantom"),
            "report an apple that is not there in 0017 (score 0.10)",
            "reports an apple",
        ),
        (
            event("appeared"),
            "report a cat that it did not report before in 0017 (score 0.10)",
            "reports a cat",
        ),
        (
            event("relabelled", new_name="owl"),
            "take a cat for an owl in 0017 (score 0.10)",
            "takes a cat for an owl",
        ),
        (event("moved", iou=0.25), "misplace the box of a cat in 0017 (IoU 0.25)", "misplaces"),
        (event("mismatch", new_name="owl"), "label cat as owl in 0017", "labels cat as owl"),
        (event("strange"), "fail on a cat in 0017", "fails on a cat"),
    ],
)
def test_a_clause(struck: EventRow, with_trigger: str, alone: str) -> None:
    made = fault(struck)
    told = fault_clause(made, Task.DETECTION, Trigger(), None)
    assert told == f"an inserted car makes the detector {with_trigger}"
    assert fault_clause(made, Task.LABELS, View(), None).startswith(f"the classifier {alone}")


def test_what_is_not_shown_to_be_the_cause_is_not_said_to_be_one() -> None:
    told = fault_clause(fault(event(), proven=False), Task.DETECTION, Trigger(), None)
    assert told == "with an inserted car, the detector loses a cat in 0017 (score 0.90 to 0.10)"


def test_a_missed_insertion_triggers_itself() -> None:
    told = fault_clause(fault(event("inserted-missed")), Task.DETECTION, Trigger(), None)
    assert told == "the detector misses an inserted cat in 0017"


def test_a_finding_without_events_fails() -> None:
    assert fault_clause(fault(), Task.DETECTION, View(), None) == "the detector fails in 0017"


def test_the_event_of_the_target_is_told_not_the_worst() -> None:
    worst = event(margin=0.9, box=(0.0, 0.0, 5.0, 5.0), name="dog")
    assert struck_event(fault(worst, event(margin=0.3))) == event(margin=0.3)
    shared = FaultTarget("appeared dog", "appeared dog", shared=True)
    other = event("appeared", margin=0.2, name="dog")
    assert struck_event(fault(worst, other, event(margin=1.0), target=shared)) == other


def test_counts_and_the_worst_are_in_the_summary(tmp_path: Path) -> None:
    from snellen.report.summary import summarise

    far = thing((50.0, 0.0, 60.0, 10.0))
    scenes = [
        [Planted([thing()], 0.9), Planted([far], 0.3, "object", proven=True)],
        [Planted([thing()], 0.5, "seam")],
        [],
    ]
    with closing(write_faults(tmp_path, scenes, method="absent")) as journal:
        summary = summarise(journal)
    found = summary.faults
    assert (found.count, found.scenes, found.examined) == (3, 2, 3)
    assert (found.explained, found.proven, found.proven_scenes) == (2, 1, 1)
    assert found.by_cause == {"object": 1, "seam": 1, "unexplained": 1}
    assert found.worst is not None
    assert (found.worst.cause, found.worst.proven) == ("object", True)
    assert summary.verdict.proven == 1
    assert summary.verdict.facts.startswith(
        "1 proven fault in 1 of 3 scenes (3 faults in all); for example, the detector loses a cat "
        "in s0"
    )
    assert summary.explained.cases == 2
    assert summary.to_json()["verdict"]["status"] == "failures"
