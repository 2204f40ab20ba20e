"""A card names the faults of its finding, and says nothing twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from snellen.contract.explanation import NamedCause
from snellen.pages.embedded_pictures import Album, embedded
from snellen.pages.fault_note import FaultNote, fault_lines
from snellen.pages.gallery import Card, gallery
from snellen.pages.marks import Sides
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


@pytest.mark.parametrize("represents", [True, False])
def test_evidence_that_a_fault_gives_is_no_line_as_well(represents: bool) -> None:
    says = "The bus alone gets the label dog."
    [part] = fault(event()).parts
    one = Fault((replace(part, cause=NamedCause("object", True, says)),), "object")
    image = np.zeros((8, 8, 3), np.uint8)
    card = Card(
        part.finding,
        embedded(image, image, 10_000),
        Sides((), ()),
        None,
        (8, 8),
        lines=("shows bus", f"object: {says} Proven."),
        faults=(FaultNote(one, represents),),
    )
    page = str(gallery([card], Album()))
    assert page.count(says) == 1
    assert "shows bus" in page
