"""A server of the fake study as a program: `python -m tests.study.fake_server FOLDER [TRIALS]`.

It prints the links as JSON when it takes requests, and keeps answers in FOLDER/journal.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from snellen.engine.interrupts import interruption_code, termination
from snellen.study.server.serve import StudyLinks, serve_participation
from snellen.study.server.server_options import ServerOptions
from tests.study.fake_participation import FakeParticipation


def main() -> int:
    """Serve until a signal ends it; the exit code is that of the command line."""
    folder, trials = Path(sys.argv[1]), int((sys.argv[2:] or ["10"])[0])
    study = FakeParticipation(trials=trials, journal=folder / "journal")
    options = ServerOptions(port=int(os.environ.get("PORT", "0")))
    try:
        with termination():
            serve_participation(study, folder / "secrets", options, _announce)
    except KeyboardInterrupt as interrupt:
        return interruption_code(interrupt)
    return 0


def _announce(links: StudyLinks) -> None:
    print(json.dumps(asdict(links)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
