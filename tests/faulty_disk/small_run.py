"""A process that carries out small runs, each in a fork, on a disk that may fail.

Started with the shim preloaded. Each line of its input is a task in JSON, each line of its output
what came of it.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import traceback
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import SnellenError
from snellen.store.journal import journal_of
from snellen.vision.events import compile_comparisons

SHIM = "DISK_SHIM"


def small_campaign(place: Path, scenes: int = 2) -> Campaign:
    """A campaign whose run folder and cache are in `place/disk`, which the shim watches."""
    values = {
        "method": "identity",
        "seed": 3,
        "subject": {"kind": "planted", "fault": "restless", "rate": 0.5},
        "scenes": {"kind": "folder", "path": "images", "limit": scenes},
        "identity": {"repeats": 2},
        "engine": {"workers": 0, "backoff": 0.0, "batch": 1},
        "out": "disk/run",
    }
    return campaign_from(values, place / "snellen.yaml")


def run(place: Path, *, resume: bool) -> str:
    """The digest of a run's rows."""
    campaign = small_campaign(place)
    run_campaign(campaign, resume=resume)
    with closing(journal_of(campaign.out_folder)) as journal:
        assert journal.damaged() == []
        assert journal.get("finished") is not None
        return journal.digest()


def outcome(task: dict[str, Any]) -> dict[str, Any]:
    """What came of a run: its digest, the message it ended with, or a traceback."""
    place = Path(task["place"])
    os.environ["SNELLEN_CACHE"] = str(place / "disk" / "cache")
    shim = ctypes.CDLL(os.environ[SHIM])
    log = str(task.get("log", "")).encode()
    armed = task.get("at", 0), task.get("error", 0), task.get("how", 0)
    shim.disk_arm(str(place / "disk").encode(), log, *armed)
    try:
        found: dict[str, Any] = {"digest": run(place, resume=task.get("resume", False))}
    except SnellenError as error:
        found = {"refused": "\n".join(error.lines)}
    except BaseException:
        found = {"crash": traceback.format_exc()}
    return {**found, "count": shim.disk_count()}


def in_a_fork(task: dict[str, Any]) -> str:
    """The outcome of a task as JSON, from a process of its own."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writing, json.dumps(outcome(task)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return said.decode()


if __name__ == "__main__":
    import tests.loaded  # noqa: F401

    compile_comparisons(solids=False)
    for line in sys.stdin:
        print(in_a_fork(json.loads(line)), flush=True)
