"""The rounds of an iterated repair in words, for the terminal and the page."""

from __future__ import annotations

from snellen.repair.data_split.division import NAMES, WATCH
from snellen.repair.rounds import Rounds
from snellen.store.estimate import points


def round_lines(rounds: Rounds | None) -> list[str]:
    """The change in each round and the reason for stopping; empty without rounds."""
    if rounds is None:
        return []
    lines = []
    for one in rounds.rounds:
        falls = "falls" if one.falls else "does not clearly fall"
        lines.append(
            f"Round {one.number}: the failure rate {falls}, by {points(one.step.to_json())} on "
            f"{NAMES[rounds.decided_by]}, compared with the previous round."
        )
    lines.append(f"Stopped: {rounds.stopped.rstrip('.')}.")
    if rounds.decided_by != WATCH:
        lines.append(
            "The evaluation scenes also decided when to stop, so their last figure may be slightly "
            "optimistic; provide scenes under `watch` to avoid this."
        )
    return lines
