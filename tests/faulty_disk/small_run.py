"""A process that does small tasks, each in a fork, on a disk that may fail.

Started with the shim preloaded. Each line of its input is a task in JSON, each line of its output
what came of it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2

import snellen.store.journal
from snellen.cli.main import app
from snellen.disk.atomic_file import new_folder, write_atomically
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import SnellenError
from snellen.store.journal import journal_of
from tests.faulty_disk.images import write_images

SHIM = "DISK_SHIM"
DISK, RUN, IMAGES = "disk", "disk/run", "images"
OLD, NEW = b"old " * 3000, b"new " * 4000


def run(place: Path, task: dict[str, Any]) -> str:
    """The digest of the rows of a run over two images; its folder and cache are on the disk."""
    values = {
        "method": "identity",
        "seed": 3,
        "subject": {"kind": "planted", "fault": "restless", "rate": 0.5},
        "scenes": {"kind": "folder", "path": IMAGES},
        "engine": {"workers": 0, "backoff": 0.0, "batch": 1},
        "out": RUN,
    }
    campaign = campaign_from(values, place / "snellen.yaml")
    run_campaign(campaign, resume=bool(task.get("resume")))
    with closing(journal_of(campaign.out_folder)) as journal:
        assert journal.damaged() == []
        assert journal.facts_hold()
        assert journal.get("finished") is not None
        return journal.digest()


def write(place: Path, task: dict[str, Any]) -> str:
    """Replace a file and make a folder."""
    write_atomically(place / DISK / "deep" / "file", OLD)
    write_atomically(place / DISK / "deep" / "file", NEW)
    with new_folder(place / DISK / "folder") as draft:
        (draft / "one").write_bytes(OLD)
        write_atomically(draft / "inner" / "two", NEW)
    return "written"


def command(place: Path, task: dict[str, Any]) -> str:
    """The exit code of a command."""
    os.chdir(place)
    ended = app(task["command"], prog_name="snellen", standalone_mode=False)
    return str(ended or 0)


TASKS: dict[str, Callable[[Path, dict[str, Any]], str]] = {
    "run": run,
    "write": write,
    "command": command,
}


def outcome(task: dict[str, Any]) -> dict[str, Any]:
    """What came of a task: its result, the message it ended with, or a traceback.

    place: a folder, in which `disk` is the disk. log: a file for its operations. at, error, how: of
    the shim. synced: every commit waits for the disk.
    """
    place = Path(task["place"])
    os.environ["SNELLEN_CACHE"] = str(place / DISK / "cache")
    if task.get("synced"):
        snellen.store.journal.SYNC_SECONDS = 0.0
    shim = ctypes.CDLL(os.environ[SHIM])
    armed = task.get("at", 0), task.get("error", 0), task.get("how", 0)
    shim.disk_arm(str(place / DISK).encode(), str(task.get("log", "")).encode(), *armed)
    try:
        found: dict[str, Any] = {"result": TASKS[task["what"]](place, task)}
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
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        os.write(writing, json.dumps(outcome(task)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return said.decode()


def _warm_up() -> None:
    """Import and compile what a run needs, which each fork then has."""
    cv2.setNumThreads(1)  # threads do not survive a fork
    with tempfile.TemporaryDirectory() as place:
        os.environ["SNELLEN_CACHE"] = place
        write_images(Path(place, IMAGES))
        run(Path(place), {})
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _warm_up()
    for line in sys.stdin:
        print(in_a_fork(json.loads(line)), flush=True)
