"""The rounds of an iterated repair in plain words, the same on a terminal and on a page."""

from __future__ import annotations

from snellen.repair.data_split.division import NAMES, WATCH
from snellen.repair.rounds import Rounds
from snellen.store.estimate import points


def round_lines(rounds: Rounds | None) -> list[str]:
    """What each round changed, and why there are no more; nothing where there are no rounds."""
    if rounds is None:
        return []
    lines = []
    for one in rounds.rounds:
        falls = "falls" if one.falls else "is not shown to fall"
        lines.append(
            f"Round {one.number}: the failure rate {falls}, by {points(one.step.to_json())} on "
            f"{NAMES[rounds.decided_by]}, from the round before."
        )
    lines.append(f"Stopped: {rounds.stopped.rstrip('.')}.")
    if rounds.decided_by != WATCH:
        lines.append(
            "The evaluation scenes also decided when to stop, so their last figure may be a little "
            "too good; give scenes under `watch` to keep the two apart."
        )
    return lines
