"""People's subtasks against plain counting, and the products that must hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.answers.box_subtasks import subtask_answers
from snellen.methods.human.procedures.answer_tally import JudgedAnswers

# object (-1: none), answer ("" for none), segmented; an object's label is fixed by its number.
LABELS = ("person", "person", "dog")
rows = st.lists(
    st.tuples(st.integers(-1, 2), st.sampled_from(["", "person", "dog"]), st.booleans()),
    min_size=1,
    max_size=14,
).map(lambda found: [row for row in found if row[0] >= 0 or row[1]])


def answers(found: list[tuple[int, str, bool]]) -> BoxAnswers:
    count = len(found)
    return BoxAnswers(
        Path("boxes.csv"),
        "",
        "",
        np.zeros(count, dtype=np.int64),
        np.full(count, "frost"),
        np.full(count, 0.5),
        np.array([row[0] for row in found], dtype=np.int64),
        np.array([LABELS[row[0]] if row[0] >= 0 else "" for row in found], dtype=np.str_),
        np.array([row[1] for row in found], dtype=np.str_),
        np.array([float(row[2]) for row in found]),
    )


def counted(units: JudgedAnswers) -> tuple[int, int]:
    return int(units.right.sum()), len(units.right)


@given(rows.filter(bool), st.sampled_from(["person", "dog", "any"]))
def test_counts_are_those_of_plain_counting(found: list[tuple[int, str, bool]], label: str) -> None:
    sides = subtask_answers(answers(found), "segmentation", label)
    mine = [row for row in found if row[1] and label in (row[1], "any")]
    there = {row[0] for row in found if row[0] >= 0 and label in (LABELS[row[0]], "any")}
    on = [row for row in mine if row[0] >= 0]
    named = [row for row in on if LABELS[row[0]] == row[1]]
    drawn = [row for row in named if row[2]]
    boxes = [len(mine), len(on), len(named), len(drawn)]
    seen = {row[0] for row in found if row[1]} & there
    right = {row[0] for row in found if row[0] >= 0 and LABELS[row[0]] == row[1]} & there
    fits = {row[0] for row in found if row[0] in right and LABELS[row[0]] == row[1] and row[2]}
    objects = [len(there), len(seen), len(right), len(fits)]
    for place, name in enumerate(("localise", "classify", "segment")):
        assert counted(sides[name].precision) == (boxes[place + 1], boxes[place])  # type: ignore[index]
        assert counted(sides[name].recall) == (objects[place + 1], objects[place])  # type: ignore[index]
    assert counted(sides["whole"].precision) == (boxes[3], boxes[0])
    assert counted(sides["whole"].recall) == (objects[3], objects[0])


@given(rows.filter(bool))
def test_the_shares_of_subtasks_multiply_to_that_of_the_whole(
    found: list[tuple[int, str, bool]],
) -> None:
    sides = subtask_answers(answers(found), "detection", "person")
    for side in ("precision", "recall"):
        parts = [getattr(sides[name], side) for name in ("localise", "classify", "whole")]
        if all(len(part.right) for part in parts):
            first, second, whole = (part.right.mean() for part in parts)
            assert whole == pytest.approx(first * second)


def test_segmentation_refuses_a_right_box_without_a_mask() -> None:
    found = answers([(0, "person", True)])
    found.segmented[0] = np.nan
    assert subtask_answers(found, "detection", "person")["whole"].recall.right.all()
    with pytest.raises(UserError, match="segmented is empty for a box"):
        subtask_answers(found, "segmentation", "person")
