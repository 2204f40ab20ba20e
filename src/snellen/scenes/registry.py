"""The kinds of scene sets, and how a configuration opens one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import Options, options_of_kind
from snellen.configuration.environment import expanded
from snellen.errors import in_section, next_step
from snellen.plugins import Registry
from snellen.scenes.scene import SceneSet


@dataclass(frozen=True)
class Reader:
    """How one kind of scene set is configured and read.

    options: the model of its section of the configuration. read: called with those options, the
    folder that relative paths start at, and whether invalid items are skipped instead of an error.
    """

    options: type[Options]
    read: Callable[[Any, Path, bool], SceneSet]


HELP = "snellen docs scenes"
"""The page on scene formats."""
READERS = Registry(
    "scenes",
    "snellen.scenes",
    expected=Reader,
    builtin={
        "folder": "snellen.scenes.folder:READER",
        "coco": "snellen.scenes.coco.reader:READER",
        "voc": "snellen.scenes.voc.reader:READER",
        "yolo": "snellen.scenes.yolo.reader:READER",
        "masks": "snellen.scenes.masks.reader:READER",
        "kitti": "snellen.scenes.kitti.reader:READER",
        "video": "snellen.scenes.video.reader:READER",
        "synthetic": "snellen.scenes.synthetic.generator:READER",
    },
)


def open_scenes(
    values: Mapping[str, Any], folder: Path, *, skip_invalid: bool = False, where: str = "scenes"
) -> SceneSet:
    """The scenes that a configuration describes; relative paths start at `folder`."""
    options = options_of_kind(READERS, expanded(dict(values), where), where)
    reader: Reader = READERS.load(values["kind"])
    with next_step(HELP), in_section(where):
        return reader.read(options, folder, skip_invalid)
