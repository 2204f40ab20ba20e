"""What works in every installation, whatever extras it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from snellen.errors import FINE
from tests.isolation.outcome import Outcome, command, run

RUNS = {
    "identity": {"method": "identity", "subject": {"kind": "planted"}},
    "insertion": {
        "method": "insertion",
        "subject": {"kind": "planted", "fault": "loses", "distance": 10},
        "objects": {"kind": "synthetic", "count": 12, "shade": "deep", "seed": 2},
        "insertion": {"per_object": 2},
    },
}


def broken_features(folder: Path) -> Iterator[str]:
    """A line for each command or run that does not work."""
    for arguments, word in ((["--help"], "Usage"), (["--version"], "snellen ")):
        outcome = command(*arguments)
        if outcome.code != FINE or word not in outcome.text:
            yield _line(" ".join(arguments), outcome)
    outcome = command("schema")
    if outcome.code != FINE or "properties" not in json.loads(outcome.text):
        yield _line("schema", outcome)
    for name, values in RUNS.items():
        place = folder / name
        place.mkdir()
        outcome = run(place, **values)
        if outcome.code != FINE or not (place / "out" / "report.html").is_file():
            yield _line(f"run ({name})", outcome)


def _line(what: str, outcome: Outcome) -> str:
    return f"snellen {what} ended with {outcome.code}: {outcome.text.strip()}"
