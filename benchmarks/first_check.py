"""What the first `snellen check` after an installation costs, next to the second.

The first has no compiled loop in its cache (NUMBA_CACHE_DIR is empty) and compiles what it needs.
CPU seconds are those of the process and its children. The subject's own loading and inference are
measured in a process that does nothing else. Target: at most 6 s beyond the subject's own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from tests.subjects.model_file.colour_detector import CLASSES, colour_detector

from snellen.scenes.registry import open_scenes
from snellen.scenes.writers import write_scenes

SCENES = 24
TARGET = 6.0
METHODS = ("identity", "insertion", "robustness")
ALONE = """
import sys
from pathlib import Path
from snellen.subjects.registry import open_subject
from snellen.scenes.registry import open_scenes
import yaml
values = yaml.safe_load(Path(sys.argv[1]).read_text())
subject = open_subject(values["subject"], Path("."))
scenes = open_scenes(values["scenes"], Path("."))
subject.predict([one.pixels() for one in scenes])
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        for method in METHODS:
            measure(folder, method)


def write_data(folder: Path) -> None:
    colour_detector(folder / "model.onnx")
    for name, shade in (("photos", "bright"), ("things", "deep")):
        options = {"kind": "synthetic", "count": SCENES, "shade": shade, "classes": list(CLASSES)}
        write_scenes(open_scenes(options, folder), "coco", folder / name)


def measure(folder: Path, method: str) -> None:
    """Print the CPU seconds of two checks of a method's configuration."""
    config = folder / f"{method}.yaml"
    config.write_text(yaml.safe_dump(configuration(method)), encoding="utf-8")
    compiled = str(folder / f"numba-{method}")
    alone = cpu_seconds([sys.executable, "-c", ALONE, str(config)], folder, compiled)
    command = [sys.executable, "-m", "snellen", "check", str(config)]
    empty = f"{compiled}-check"
    first, second = (cpu_seconds(command, folder, empty) for _ in range(2))
    print(
        f"check, {method}: first {first:.1f} s of CPU, second {second:.1f} s, ratio "
        f"{first / second:.2f}; subject and scenes alone {alone:.1f} s, so the first takes "
        f"{first - alone:.1f} s beyond (target at most {TARGET:.0f})",
        flush=True,
    )


def configuration(method: str) -> dict[str, object]:
    def data(name: str) -> dict[str, str]:
        return {"kind": "coco", "annotations": f"{name}/instances.json", "images": f"{name}/images"}

    return {
        "method": method,
        "subject": {"kind": "onnx", "model": "model.onnx", "classes": list(CLASSES)},
        "scenes": data("photos"),
        **({} if method == "identity" else {"objects": data("things")}),
        "out": f"runs/{method}",
    }


def cpu_seconds(command: list[str], folder: Path, compiled: str) -> float:
    """CPU seconds of a command and its children, with its own cache of predictions and objects."""
    with tempfile.TemporaryDirectory() as cache:
        own = {"NUMBA_CACHE_DIR": compiled, "SNELLEN_CACHE": cache}
        environment = {**os.environ, **own}
        started = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        assert started.stderr is not None
        said = started.stderr.read().decode()
        _, status, usage = os.wait4(started.pid, 0)
        if os.waitstatus_to_exitcode(status):
            raise SystemExit(said)
        return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
