"""A card names the faults of its finding, and says nothing twice."""

from __future__ import annotations

from snellen.pages.fault_note import FaultNote, fault_lines
from snellen.store.faults import Fault, FaultFinding
from snellen.store.struck_targets import ScenePlace
from tests.report.verdict.test_fault_words import CAT, fault
from tests.store.test_findings import event, finding


def test_several_faults_that_another_card_stands_for_are_one_line() -> None:
    notes = [FaultNote(fault(event()), represents=False) for _ in range(3)]
    assert str(fault_lines(notes, {"f"})).count("same fault as") == 1


def test_faults_that_different_cards_stand_for_are_lines_of_their_own() -> None:
    first = fault(event())
    part = FaultFinding(finding("g", "0017"), ScenePlace("0017", CAT), first.parts[0].cause)
    notes = [FaultNote(one, represents=False) for one in (first, Fault((part,), "object"))]
    assert str(fault_lines(notes, {"f", "g"})).count("same fault as") == 2
