"""`kind: video`: frames of video files, or of folders of frames."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Literal

from pydantic import Field, PositiveFloat, PositiveInt

from snellen.disk.path_checks import exists, is_file
from snellen.errors import UserError
from snellen.scenes.dataset_files import first_duplicate, pictures_in
from snellen.scenes.folder import picture_scene
from snellen.scenes.problems import Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.scenes.video.clip_file import SUFFIXES, read_clip
from snellen.scenes.video.clip_frame import ClipFrame


class VideoOptions(SetOptions):
    """Frames of clips; a scene's id is the clip's path and the number of the frame."""

    kind: Literal["video"] = "video"
    path: Path = Field(description="A video file, or a folder of video files or of frames.")
    every: PositiveInt | None = Field(
        None, description="Use every Nth frame; null: one per second of a file, all of a folder."
    )
    start: float = Field(0, ge=0, description="Seconds into each clip at which to start.")
    stop: PositiveFloat | None = Field(None, description="Seconds at which to stop; null: the end.")
    fps: PositiveFloat | None = Field(
        None, description="Frames per second of a folder of frames, for start and stop."
    )
    classes: tuple[str, ...] = Field((), description="Class names by 0-based id, if known.")


def read_video(options: VideoOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The chosen frames of all clips, clip by clip, in order."""
    place = folder / options.path
    if not exists(place):
        raise UserError(f"{place}: no such file or folder. Correct 'path'.")
    if (duplicate := first_duplicate(options.classes)) is not None:
        raise UserError(f"scenes.classes: '{duplicate}' occurs twice; class names must be unique.")
    if options.stop is not None and options.stop <= options.start:
        raise UserError(
            f"scenes.stop: found {options.stop:g}, expected more than start ({options.start:g})."
        )
    problems = Problems(skip_invalid)
    clips = [place] if is_file(place) else pictures_in(place, suffixes=SUFFIXES)
    root = place.parent if is_file(place) else place
    if clips and options.fps is not None:
        raise UserError("scenes.fps: is for a folder of frames; video files have their own rate.")
    scenes = _of_files(clips, root, options, problems) if clips else _of_frames(place, options)
    return collect_scenes(
        scenes, options, problems, place, options.classes, range(len(options.classes))
    )


def _of_files(
    clips: Iterable[Path], root: Path, options: VideoOptions, problems: Problems
) -> Iterator[Scene]:
    for path in clips:
        with problems.item(str(path)):
            clip = read_clip(path)
            with path.open("rb") as file:
                content = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
            name = path.relative_to(root).as_posix()
            every = options.every or max(1, round(clip.rate))
            for number in _chosen(clip.frames, clip.rate, every, options, path):
                frame = ClipFrame(path.resolve(), content.hexdigest(), number, every)
                yield Scene(f"{name}#{number:06d}", frame, clip.size)


def _of_frames(root: Path, options: VideoOptions) -> Iterator[Scene]:
    frames = pictures_in(root)
    if not frames:
        raise UserError(
            f"{root}: found neither video files ({', '.join(SUFFIXES)}) nor images. Correct 'path'."
        )
    if options.fps is None and (options.start or options.stop is not None):
        raise UserError("scenes.fps: missing; 'start' and 'stop' of a folder of frames need it.")
    for place, some in groupby(frames, key=lambda path: path.parent):
        clip = list(some)
        for number in _chosen(len(clip), options.fps or 1.0, options.every or 1, options, place):
            yield picture_scene(clip[number], root)


def _chosen(count: int, rate: float, every: int, options: VideoOptions, path: Path) -> range:
    """The numbers of the frames of a clip that are used; an error if there are none."""
    first = round(options.start * rate)
    last = count if options.stop is None else min(count, round(options.stop * rate))
    if first >= last:
        raise UserError(
            f"{path}: has no frame from {options.start:g} s on: it has {count} frames, "
            f"{count / rate:.3g} s. Correct 'start' or 'stop'."
        )
    return range(first, last, every)


READER = Reader(VideoOptions, read_video)
