"""A program that answers over JSON lines, with thirty ways to fail.

python chaotic_program.py FOLDER     # where it remembers which images have made it fail
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.engine.numbered_images import CLASSES, Schedule, answer_of, number_in

TIMEOUT = 1.0
HARMLESS = (
    "slow", "partial line", "stderr flood", "stderr bytes", "out of order", "huge line",
    "without id", "carriage return",
)  # fmt: skip
"""What is no fault at all."""


def write(text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(**fields: Any) -> None:
    write(json.dumps(fields) + "\n")


def changed(**fields: Any) -> Callable[..., None]:
    return lambda id, answer, _: say(**{"id": id, **answer, **fields})


def line(text: str | bytes) -> Callable[..., None]:
    return lambda *_: write(text)


def exiting(code: int, words: bytes = b"") -> Callable[..., None]:
    def leave(*_: Any) -> None:
        write(words)
        os._exit(code)

    return leave


def killed(number: int) -> Callable[..., None]:
    return lambda *_: os.kill(os.getpid(), number)


def twice(id: int, answer: dict[str, Any], _: Any) -> None:
    say(id=id, **answer)
    say(id=id, **answer)


def late(id: int, answer: dict[str, Any], _: Any) -> None:
    time.sleep(4 * TIMEOUT)
    say(id=id, **answer)


def slow(id: int, answer: dict[str, Any], _: Any) -> None:
    time.sleep(0.05)
    say(id=id, **answer)


def partial(id: int, answer: dict[str, Any], _: Any) -> None:
    text = json.dumps({"id": id, **answer})
    write(text[:20])
    time.sleep(0.02)
    write(text[20:] + "\n")


def flooding(words: bytes) -> Callable[..., None]:
    def flood(id: int, answer: dict[str, Any], _: Any) -> None:
        sys.stderr.buffer.write(words)
        sys.stderr.buffer.flush()
        say(id=id, **answer)

    return flood


def held_back(id: int, answer: dict[str, Any], held: list[dict[str, Any]]) -> None:
    held.append({"id": id, **answer})


def without_id(id: int, answer: dict[str, Any], _: Any) -> None:
    say(**answer)


def closing(*_: Any) -> None:
    os.close(1)
    time.sleep(30)


FAULTS: dict[str, Callable[..., None]] = {
    "error": lambda id, *_: say(id=id, error="no idea"),
    "no json": line("no idea\n"),
    "a list": line("[1, 2]\n"),
    "empty line": line("\n"),
    "not utf-8": line(b"\xff\xfe\xe9\n"),
    "deep json": line("[" * 100_000 + "\n"),
    "cut off": exiting(0, b'{"id": 3, "bo'),
    "exit 0": exiting(0),
    "exit 3": exiting(3),
    "killed": killed(signal.SIGKILL),
    "segmentation fault": killed(signal.SIGSEGV),
    "closed stdout": closing,
    "id of another": lambda id, answer, _: say(id=id + 1000, **answer),
    "id of the last": lambda id, answer, _: say(id=id - 1, **answer),
    "text id": lambda id, answer, _: say(id=str(id), **answer),
    "true as id": lambda id, answer, _: say(id=True, **answer),
    "twice": twice,
    "two in a line": lambda id, answer, _: write((json.dumps({"id": id, **answer}) * 2) + "\n"),
    "nan": changed(boxes=[[1, 2, float("nan"), 4]]),
    "five columns": changed(boxes=[[1, 2, 3, 4, 5]]),
    "label of no class": changed(labels=[3]),
    "more scores": changed(scores=[0.9, 0.8]),
    "nothing": lambda id, *_: say(id=id),
    "null": changed(boxes=None),
    "late": late,
    "slow": slow,
    "partial line": partial,
    "stderr flood": flooding(b"flood " * 50_000 + b"\n"),
    "stderr bytes": flooding(b"\xff\xfe\x00\n"),
    "out of order": held_back,
    "huge line": lambda id, answer, _: say(id=id, **answer, padding="x" * 2_000_000),
    "without id": without_id,
    "carriage return": lambda id, answer, _: write(json.dumps({"id": id, **answer}) + "\r\n"),
}
SCHEDULE = Schedule([*FAULTS], always_once=["late", "twice", *HARMLESS])


def main(folder: Path) -> None:
    """Answer requests until stdin ends."""
    say(snellen=1, classes=list(CLASSES), name="chaotic")
    held: list[dict[str, Any]] = []
    for request in sys.stdin:
        fields = json.loads(request)
        number = number_in(Path(fields["image"]).read_bytes())
        answer, mark = answer_of(number), folder / str(number)
        fault = SCHEDULE.fault(number)
        if fault is None or (mark.exists() and not SCHEDULE.persistent(number)):
            say(id=fields["id"], **answer)
        else:
            mark.touch()
            FAULTS[fault](fields["id"], answer, held)
        if fields["left"] == 0:
            while held:
                say(**held.pop())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
