"""Pictures to a folder, without annotations."""

from __future__ import annotations

from pathlib import Path

from snellen.disk.atomic_file import new_folder
from snellen.scenes.export_files import picture_names, place_picture
from snellen.scenes.scene import SceneSet


def write_folder(scenes: SceneSet, out: Path) -> None:
    """Write each scene's picture under its id to the new folder `out`."""
    with new_folder(out) as draft:
        for scene, name in zip(scenes, picture_names(scenes), strict=True):
            place_picture(scene, draft / name)
