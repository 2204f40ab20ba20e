"""`snellen` and `pytest` in processes of their own, that start at once.

A fresh Python takes two seconds to import what a run needs, and the tests start hundreds. Here each
process is forked from one that has it all imported: its own memory, folder, environment, output,
signals and exit code. What only a fresh Python can show (what is imported when, another order of
sets) is the matter of `fresh`.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint
from multiprocessing import resource_tracker
from multiprocessing.context import ForkServerContext
from pathlib import Path

PROGRAMS = {"snellen": "snellen.cli.main:main", "pytest": "pytest:console_main"}
Done = subprocess.CompletedProcess[str]


def fresh(
    command: Sequence[object], folder: Path, environment: Mapping[str, str], timeout: float = 240
) -> Done:
    """What a command ends with as a user has it, in a Python that has imported nothing.

    command: `snellen` or `pytest`, and its arguments.
    """
    return subprocess.run(
        [sys.executable, *(() if command[0] == "-c" else ("-m",)), *map(str, command)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


class Started:
    """A command that runs; the names are those of `subprocess.Popen`."""

    def __init__(
        self, command: Sequence[object], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self.command = [str(word) for word in command]
        self._output = Path(tempfile.mkdtemp(prefix="snellen-output-"))
        self._process = _forking().Process(
            target=_carry_out,
            args=(self.command, str(folder), dict(environment), str(self._output)),
        )
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """As the shell has it; a signal's number is negative. None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process as a power cut would."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float = 240) -> tuple[str, str]:
        """Output and errors when it has ended."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            self.kill()
            raise subprocess.TimeoutExpired(self.command, timeout)
        said = (self._output / "out").read_text(), (self._output / "err").read_text()
        shutil.rmtree(self._output)
        return said


def finished(
    command: Sequence[object], folder: Path, environment: Mapping[str, str], timeout: float = 240
) -> Done:
    """What a command ends with."""
    process = Started(command, folder, environment)
    out, errors = process.communicate(timeout)
    assert process.returncode is not None
    return subprocess.CompletedProcess(process.command, process.returncode, out, errors)


@cache
def _forking() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.loaded"])
    return context


def _carry_out(command: list[str], folder: str, environment: dict[str, str], output: str) -> None:
    for name, number in (("out", 1), ("err", 2)):
        file = os.open(Path(output, name), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    # What a killed process leaves behind is swept by a tracker of its own, as in a fresh Python.
    vars(resource_tracker)["_resource_tracker"]._fd = None
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.argv = command
    main = EntryPoint("main", PROGRAMS[command[0]], "").load()
    sys.exit(main())
