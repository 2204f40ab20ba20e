"""`kind: kitti-folder`: a camera+LiDAR program that reads and writes KITTI folders.

`snellen docs subjects-fusion` specifies the protocol.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.errors import SubjectError, UserError
from snellen.scenes.frame import Frame
from snellen.subjects.fingerprints import file_digest, fingerprint_of
from snellen.subjects.kitti_folder.frame_files import frame_name, frames_on_disk, read_answer
from snellen.subjects.kitti_folder.program_runner import (
    IN,
    OUT,
    OneShotProgram,
    PersistentProgram,
    Runner,
)
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import ShownSubject, Task
from snellen.subjects.subprocess.supervision import SupervisionOptions
from snellen.subjects.user_code.user_code_options import (
    UserCodeOptions,
    fingerprint_options,
    traits_of,
)
from snellen.vision.detections3d import Detections3D


class KittiFolderOptions(UserCodeOptions, SupervisionOptions):
    """Options of a program that reads and writes KITTI folders."""

    kind: Literal["kitti-folder"] = "kitti-folder"
    command: tuple[str, ...] = Field(
        min_length=1,
        description="list of program and arguments; with {in} and {out} it is started for every "
        "batch, otherwise it is started once and asked line by line",
    )
    task: Task = Field(default=Task.DETECTION_3D, description="only detection-3d")
    classes: tuple[str, ...] | str | None = Field(
        default=("Car", "Pedestrian", "Cyclist"), description="types in its label files"
    )
    full_score: float = Field(
        default=1.0, gt=0, description="its highest possible score; scores are divided by it"
    )
    ready: bool = Field(default=True, description="whether it writes 'ready' when it has loaded")
    start: float = Field(default=120.0, gt=0, description="maximum seconds until it is ready")
    timeout: float = Field(default=60.0, gt=0, description="maximum seconds per frame")


class KittiFolderSubject(ShownSubject):
    """A program that gets folders of frames. One thread at a time uses it; others wait."""

    def __init__(self, options: KittiFolderOptions, folder: Path) -> None:
        _check(options)
        self._options = options
        self._lock = threading.Lock()
        command = options.command
        traits = traits_of(
            options, folder, name=Path(command[0]).name, classes=None, where="subject.classes:"
        )
        self.name, self.task, self.classes = traits.name, traits.task, traits.classes
        self.score, self._floor, self.batch = traits.score, traits.floor, traits.batch
        self.deterministic, self.tolerance = traits.deterministic, traits.tolerance
        paths = [folder / part for part in command]
        self.fingerprint = fingerprint_of(
            kind="kitti-folder",
            command=command,
            programs=[file_digest(path) for path in paths if path.is_file()],
            classes=self.classes,
            floor=self._floor,
            full_score=options.full_score,
            **fingerprint_options(options, folder),
        )
        self._runner: Runner = (
            OneShotProgram(command, folder, options)
            if _one_shot(command)
            else PersistentProgram(command, folder, options.ready, options.start, options)
        )

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        """One checked answer per frame; the program is started if it is not running."""
        seconds = self._options.timeout * len(images)
        with self._lock, frames_on_disk(images) as (inputs, answers):
            self._runner.run(inputs, answers, seconds)
            return [
                self._answer(answers / f"{frame_name(number)}.txt", frame)
                for number, frame in enumerate(images)
            ]

    def _answer(self, path: Path, frame: Frame) -> Detections3D:
        try:
            found = read_answer(path, frame, self.classes, self._options.full_score)
        except SubjectError as error:
            raise SubjectError(f"'{self.name}': {error}") from None
        return found.above(self._floor)

    def ensure_running(self, stop: threading.Event | None = None) -> None:
        """Start the program if it should be running and is not; `start` seconds an attempt."""
        if not self._lock.acquire(timeout=self._options.start):
            raise SubjectError("an earlier call has not returned yet")
        try:
            self._runner.ensure_running(stop)
        finally:
            self._lock.release()

    def restart(self) -> None:
        """End the program now, from any thread; the next call starts it again."""
        self._runner.restart()

    def close(self) -> None:
        """End the program."""
        self._runner.close()


def _one_shot(command: Sequence[str]) -> bool:
    return any(IN in part or OUT in part for part in command)


def _check(options: KittiFolderOptions) -> None:
    if options.task != Task.DETECTION_3D:
        raise UserError(
            f"subject.task: found '{options.task}', but KITTI folders hold 3D boxes. "
            f"Set task: {Task.DETECTION_3D}, or remove it."
        )
    text = " ".join(options.command)
    if _one_shot(options.command) and not (IN in text and OUT in text):
        missing = OUT if IN in text else IN
        raise UserError(
            f"subject.command: {missing} is missing. A program that is started for every batch "
            f"needs both {IN}, the folder of frames, and {OUT}, the folder for its label files."
        )


ADAPTER = Adapter(KittiFolderOptions, KittiFolderSubject, page="subjects-fusion", runs=("command",))
