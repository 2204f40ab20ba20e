"""Two hundred participants at once on one server: how long they wait, and what is lost or doubled.

A study of synthetic scenes is served by `snellen study serve` in a process of its own. Scripted
participants, each at an address of its own so that the limits stand as they are, fetch the pictures
of a trial, think, answer, and now and then send an answer twice, as a browser does whose response
was lost. Their log is compared with what the study kept. The server and the participants share the
cores, so the processor time of a request is printed as well, which other work does not change.

Run: python -m benchmarks.study_load [--participants 200] [--seconds 60] [--think 1.0]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from snellen.study.data.opened_study import open_study
from snellen.study.server.contract import REQUEST_HEADER

CONFIG = """\
name: load
contact: nobody
scenes: {kind: synthetic, count: 100}
tasks: [classify, localise, classify-box, segment]
corruptions: [fog]
samples: 100
answers: 2000
practice: 0
qualification: 0
sanity: 0
"""
TARGET_MS = 200.0
TWICE = 0.02
"""Share of answers that are sent twice."""


@dataclass
class Log:
    """What participants saw. waits: seconds by kind of request. kept: acknowledged answers by
    trial. other: responses that were not 200, by status.
    """

    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    kept: Counter[str] = field(default_factory=Counter)
    other: Counter[int] = field(default_factory=Counter)
    bytes: int = 0


class Connection:
    """HTTP/1.1 as cheap as it gets, from one address, so that the participants cost little."""

    def __init__(self, port: int, number: int, log: Log) -> None:
        self._port, self._log = port, log
        self._address = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self._cookie = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, kind: str, method: str, path: str, body: object = None) -> bytes:
        """The body of a response."""
        content = b"" if body is None else orjson.dumps(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{REQUEST_HEADER}: 1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
            f"Cookie: {self._cookie}\r\n\r\n"
        )
        started = time.perf_counter()
        reader, writer = await self._open()
        writer.write(head.encode() + content)
        answer = await reader.readuntil(b"\r\n\r\n")
        fields = dict(
            line.split(": ", 1) for line in answer.decode("latin-1").split("\r\n")[1:] if line
        )
        found = await reader.readexactly(int(fields["content-length"]))
        self._log.waits[kind].append(time.perf_counter() - started)
        self._log.bytes += len(found)
        self._cookie = fields.get("set-cookie", self._cookie).partition(";")[0]
        if answer[9:12] != b"200":
            self._log.other[int(answer[9:12])] += 1
        return found

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._address, 0)
            )
        return self._streams

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()


def answer_to(trial: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """An answer that fits a trial."""
    if trial["choices"]:
        answer: dict[str, Any] = {"kind": "choice", "choice": rng.choice(trial["choices"])}
    elif trial["task"] == "localise":
        answer = {"kind": "boxes", "boxes": [[5, 5, 20.5, 30], [30, 8, 60, 40]]}
    else:
        points = [[10 + 30 * rng.random(), 10 + 30 * rng.random()] for _ in range(40)]
        answer = {"kind": "outline", "polygons": [points]}
    return {
        "trial": trial["trial"],
        "answer": answer,
        "exposure": {"shown_ms": 200.2, "frame_ms": 16.7, "hidden": False},
        "response_ms": 500 + 1000 * rng.random(),
    }


async def participant(port: int, number: int, log: Log, think: float, end: float) -> None:
    """One person after the other at one browser, until the time is over."""
    rng, connection = random.Random(number), Connection(port, number, log)
    await asyncio.sleep(rng.random() * think)
    while time.monotonic() < end:
        await connection.ask("enrol", "POST", "/api/enrol", {"fresh": True})
        for stage in ("consent", "instructions"):
            await connection.ask("stage", "POST", "/api/stage", {"stage": stage})
        trial = orjson.loads(await connection.ask("trial", "GET", "/api/trial"))
        while trial is not None and time.monotonic() < end:
            for picture in trial["pictures"]:
                await connection.ask("picture", "GET", f"/api/picture/{picture['name']}")
            await asyncio.sleep(think * (0.5 + rng.random()))
            body = answer_to(trial, rng)
            receipt = orjson.loads(await connection.ask("answer", "POST", "/api/answer", body))
            if "recorded" not in receipt:
                break
            if rng.random() < TWICE:
                again = await connection.ask("answer", "POST", "/api/answer", body)
                assert orjson.loads(again) == receipt
            log.kept[trial["trial"]] += 1
            trial = receipt["trial"]
    connection.close()


async def visit(port: int, participants: int, think: float, seconds: float) -> Log:
    """What so many participants saw."""
    log, end = Log(), time.monotonic() + seconds
    people = [participant(port, number, log, think, end) for number in range(participants)]
    await asyncio.gather(*people)
    return log


def print_waits(log: Log) -> float:
    """Print how long requests took; the 95th percentile of all in ms."""
    every = [wait for waits in log.waits.values() for wait in waits]
    for kind, waits in [*sorted(log.waits.items()), ("all", every)]:
        half, most, rare = np.percentile(np.array(waits) * 1000, [50, 95, 99])
        print(f"{kind:>8}: {len(waits):6d} requests, {half:6.1f} ms median, {most:6.1f} ms 95%, "
              f"{rare:6.1f} ms 99%")  # fmt: skip
    return float(np.percentile(np.array(every) * 1000, 95))


def compare(folder: Path, log: Log) -> tuple[int, int]:
    """How many acknowledged answers were lost, and how many were kept twice."""
    study, after, kept = open_study(folder), 0, Counter[str]()
    doubled: Counter[tuple[str, str]] = Counter()
    while answers := study.answers(after, 1_000):
        after = answers[-1]["number"]
        kept.update(one["trial"] for one in answers)
        doubled.update((one["participant"], one["trial"]) for one in answers)
    study.close()
    lost = log.kept - kept
    extra = kept - log.kept
    return lost.total(), extra.total() + sum(count - 1 for count in doubled.values())


def main() -> None:
    """Print waits, what was lost and doubled, and the cost of a request."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--participants", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds before an answer")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="study-load-"))
    (folder / "study.yaml").write_text(CONFIG, encoding="utf-8")
    snellen = [sys.executable, "-m", "snellen", "study"]
    out = subprocess.DEVNULL
    subprocess.run([*snellen, "create", str(folder / "study.yaml")], check=True, stdout=out)
    study = folder / "study"
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        [*snellen, "serve", str(study), "--port", "0", "--json"], stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        port = int(json.loads(server.stdout.readline())["participants"].rstrip("/").split(":")[-1])
        started = time.process_time()
        log = asyncio.run(visit(port, given.participants, given.think, given.seconds))
        own = time.process_time() - started
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 143
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    most = print_waits(log)
    lost, doubled = compare(study, log)
    requests = sum(map(len, log.waits.values()))
    spent = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
    answers, size = log.kept.total(), log.bytes / 1e6
    rate, kept_rate = requests / given.seconds, answers / given.seconds
    print(f"{given.participants} participants: {rate:.0f} requests/s, {kept_rate:.0f} answers/s")
    print(f"{size:.0f} MB sent; responses other than 200: {dict(log.other)}")
    print(f"acknowledged {answers}, lost {lost}, doubled {doubled}")
    cost, theirs = 1000 * spent / requests, 1000 * own / requests
    print(f"CPU a request: server {cost:.2f} ms, its start included; participants {theirs:.2f} ms")
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    met = most < TARGET_MS and not lost and not doubled
    print(f"95% of requests within {most:.0f} ms; target {TARGET_MS:.0f} ms: {met}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
