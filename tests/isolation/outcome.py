"""What a command of Snellen, or a call from Python, ends with."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from snellen.errors import FINE, MISTAKE, SnellenError
from snellen.errors.installation import install_command


@dataclass(frozen=True)
class Outcome:
    """The exit code, and everything that was printed."""

    code: int
    text: str

    def names_extra(self, extra: str) -> bool:
        """Whether it ended as a user's mistake, with the command that installs the extra."""
        return self.code == MISTAKE and self.text.rstrip().endswith(install_command(extra))


def command(*arguments: object) -> Outcome:
    """Run `snellen` with these arguments in this process; a defect raises."""
    from snellen.cli.main import main

    printed = io.StringIO()
    given, sys.argv = sys.argv, ["snellen", *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        return Outcome(code, printed.getvalue())
    finally:
        sys.argv = given
    raise RuntimeError("the command line returned without an exit code")


def call(action: Callable[[], object]) -> Outcome:
    """Call something from Python; an error of Snellen's ends as on the command line."""
    try:
        action()
    except SnellenError as error:
        return Outcome(error.exit_code, str(error))
    return Outcome(FINE, "")


def run(folder: Path, **values: Any) -> Outcome:
    """Run a configuration with these keys into `folder/out`, in this process alone."""
    file = folder / "snellen.yaml"
    base = {"scenes": {"kind": "synthetic", "count": 2}, "engine": {"workers": 0}, "out": "out"}
    file.write_text(yaml.safe_dump({**base, **values}), encoding="utf-8")
    return command("run", file)
