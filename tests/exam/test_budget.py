"""The division of an exam's time."""

from __future__ import annotations

from snellen.exam.budget import FIRST_ROUND, LEAST, ExamClock


def test_a_method_that_ends_early_leaves_its_time_to_the_others() -> None:
    now = [0.0]
    clock = ExamClock(100.0, lambda: now[0])
    assert clock.share(1, 1) == 100 * FIRST_ROUND / 2
    now[0] = 10.0
    assert clock.share(1, 0) == 100 * FIRST_ROUND - 10
    now[0] = 200.0
    assert clock.left == 0
    assert clock.share(1, 0) == LEAST
