"""Inputs given to a reader in a child process that limits their time and memory.

The property is the same for all readers: whatever the files hold, the outcome is a value, or a
`SnellenError` whose message names a file of the input. Any other exception, a death of the process,
an input that takes too long and one that takes too much memory break it.

`python -m tests.fuzzing.test_masks 100000 0` tries the inputs with seeds 0 to 99,999 of one module.
"""

from __future__ import annotations

import json
import logging
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import SnellenError

Files = Mapping[str, bytes]
"""The content of each file by its path relative to the folder of the input."""
Mutation = Callable[[random.Random, bytes], bytes]

QUICK, THOROUGH = 100, 100_000
"""Random inputs of each target in `make test` and in `make thorough`."""
SECONDS = 5.0
"""The longest that one input may take; on a busy machine a hundredfold of what it does take."""
MEGABYTES = 200
HARD_LIMIT = 4 << 30
"""Address space that the process may reserve beyond what it has: kinder than a full machine."""
MEMORY = Path("/dev/shm")
"""Where the files of the inputs are written: a disk takes five times as long as most readers."""


@dataclass(frozen=True)
class Target:
    """One reader.

    valid: files that it reads. damaged: the mutations of each file that is damaged, by path.
    read: reads the folder of an input, and what is read on demand. megabytes: by how much the
    memory of the process may grow. quick: random inputs in `make test`.
    """

    name: str
    valid: Files
    damaged: Mapping[str, Sequence[Mutation]]
    read: Callable[[Path], object]
    megabytes: int = MEGABYTES
    quick: int = QUICK

    def random_input(self, seed: int) -> tuple[Files, str]:
        """The valid files with one of them damaged, and its path."""
        chance = random.Random(f"{self.name} {seed}")
        path = chance.choice(sorted(self.damaged))
        data = self.valid[path]
        for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
            data = chance.choice(self.damaged[path])(chance, data)
        return {path: data}, path


@dataclass(frozen=True)
class Failure:
    """An input that broke the property, and how."""

    input: str
    why: str

    def __str__(self) -> str:
        return f"input {self.input}: {self.why}"


class _TooLong(BaseException):
    """An input took longer than it may."""


def failures(
    target: Target, inputs: Iterable[tuple[str, Files]], folder: Path, *, stop: int = 1
) -> list[Failure]:
    """The first `stop` inputs that break the property. inputs: a name and the files that differ."""
    out, state = folder / "failures.jsonl", folder / "input.txt"
    out.touch()
    child = os.fork()
    if child == 0:
        code = 70
        try:
            _serve(target, inputs, folder, out, state, stop)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    found = [Failure(**json.loads(line)) for line in out.read_text().splitlines()]
    if status != 0:
        name = state.read_text() if state.exists() else "none"
        found.append(Failure(name, f"the process ended: {os.waitstatus_to_exitcode(status)}"))
    return found


def _serve(
    target: Target,
    inputs: Iterable[tuple[str, Files]],
    folder: Path,
    out: Path,
    state: Path,
    stop: int,
) -> None:
    logging.disable()
    root = folder / "input-files"
    _write(root, target.valid)
    target.read(root)  # imports and compiles; a valid input must be read
    _limit_memory()
    left = stop
    used = _megabytes()
    with state.open("w") as current, out.open("a") as report:
        for name, files in inputs:
            current.seek(0)
            current.write(f"{name:<40}")
            current.flush()
            _write(root, files)
            why = _outcome(target, root, files)
            now = _megabytes()
            if why is None and now - used > target.megabytes:
                why = f"memory grew by {now - used:.0f} MB"
            used = max(used, now) if why is not None else used
            if why is not None:
                report.write(json.dumps({"input": name, "why": why}) + "\n")
                report.flush()
                left -= 1
                if not left:
                    return
            _write(root, {path: target.valid[path] for path in files if path in target.valid})
            for path in files.keys() - target.valid.keys():
                _remove(root / path)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for the inputs, in memory if it can be."""
    parent = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=parent) as folder:
        yield Path(folder)


def _write(root: Path, files: Files) -> None:
    for path, data in files.items():
        place = root / path
        if not place.parent.is_dir():
            place.parent.mkdir(parents=True)
        place.write_bytes(data)


def _remove(path: Path) -> None:
    with suppress(OSError):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _outcome(target: Target, root: Path, files: Files) -> str | None:
    """What is wrong with the outcome of one input; None if nothing is."""
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        target.read(root)
    except SnellenError as error:
        return _wrong_message("\n".join(error.lines), root, files)
    except _TooLong:
        return f"took longer than {SECONDS:g} s: {_place(sys.exc_info()[2])}"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:300]} {_place(error.__traceback__)}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def _interrupt(*_: object) -> None:
    raise _TooLong


def _wrong_message(message: str, root: Path, files: Files) -> str | None:
    if len(message) > 5_000:
        return f"a message of {len(message)} characters: {message[:200]}"
    try:
        message.encode()
    except UnicodeEncodeError:
        return f"a message that cannot be printed: {message[:200]!r}"
    names = {str(root), *(Path(path).name for path in files)}
    if any(name in message for name in names):
        return None
    named = message.partition(": ")[0].encode()  # a file that the input itself refers to
    if named and any(named in data for data in files.values()):
        return None
    return f"names no file: {message[:500]}"


def _place(trace: Any) -> str:
    """The innermost lines of our own code in a traceback."""
    frames = [one for one in traceback.extract_tb(trace) if "snellen/" in one.filename]
    shown = [f"{one.filename.rpartition('snellen/')[2]}:{one.lineno}" for one in frames[-3:]]
    return f"({' > '.join(shown)})"


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + HARD_LIMIT
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _megabytes() -> float:
    """The peak memory of this process; `ru_maxrss` starts with that of the one that forked it."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def random_inputs(target: Target, count: int, start: int = 0) -> Iterator[tuple[str, Files]]:
    """Random inputs, named by their seeds."""
    for seed in range(start, start + count):
        files, path = target.random_input(seed)
        yield f"{seed} of {path}"[:40], files


linux_only = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="limits a forked process as Linux does"
)


def _check_none(found: Sequence[Failure]) -> None:
    if found:
        pytest.fail("\n".join(map(str, found)), pytrace=False)


@linux_only
class ReaderTests:
    """The tests of one target, for its module to inherit.

    A module whose valid files take long to make overrides the two properties instead of assigning
    them, so that they are made when the tests run.
    """

    @property
    def target(self) -> Target:
        """The reader."""
        raise NotImplementedError

    @property
    def past(self) -> Mapping[str, Files]:
        """Files that crashed the reader once, or are of the kinds that crash readers, by fault."""
        raise NotImplementedError

    def test_past_crashers(self) -> None:
        with scratch_folder() as folder:
            found = failures(self.target, self.past.items(), folder, stop=len(self.past))
        _check_none(found)

    def test_random_inputs(self) -> None:
        with scratch_folder() as folder:
            found = failures(self.target, random_inputs(self.target, self.target.quick), folder)
        _check_none(found)

    @pytest.mark.thorough
    @pytest.mark.timeout(4 * 3600)
    def test_many_random_inputs(self) -> None:
        inputs = random_inputs(self.target, THOROUGH, self.target.quick)
        with scratch_folder() as folder:
            found = failures(self.target, inputs, folder)
        _check_none(found)


SLICE = 20_000
"""Inputs of `main` after which it reports; each slice has a process of its own."""


def main(target: Target, count: int, start: int = 0, stop: int = 30) -> None:
    """Print the failures among `count` random inputs, in slices that are reported as they end."""
    began, broken = time.process_time(), 0
    for first in range(start, start + count, SLICE):
        upto = min(first + SLICE, start + count)
        with scratch_folder() as folder:
            inputs = random_inputs(target, upto - first, first)
            found = failures(target, inputs, folder, stop=stop)
        broken += len(found)
        for one in found:
            print(one)
        used = _seconds_of_children() + time.process_time() - began
        print(f"{target.name}: inputs {start} to {upto - 1}, {used:.0f} s CPU, {broken} broken")
        sys.stdout.flush()


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
