"""What `snellen insert3d` writes: a KITTI folder and two pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snellen.changes.insert3d.frame_change import FrameChange
    from snellen.changes.insert3d.insert3d import Insert3D
    from snellen.changes.recipe import Image
    from snellen.scenes.kitti.label_file import LabelRow
    from snellen.scenes.scene import Scene


def write_case(
    scene: Scene, changed: FrameChange, image: Image | None, recipe: Insert3D, out: Path
) -> None:
    """Write the new folder `out`, whole or not at all; unchanged files are copied."""
    from snellen.disk.atomic_file import new_folder
    from snellen.methods.fusion.commands.insert3d_pictures import birds_eye, overlay
    from snellen.scenes.kitti.writer import write_kitti
    from snellen.scenes.pictures import write_picture
    from snellen.scenes.scene import SceneSet

    case = _case(scene, changed, image) if recipe.objects else scene
    with new_folder(out) as draft:
        write_kitti(SceneSet((case,)), draft)
        if image is not None:
            write_picture(draft / "overlay.png", overlay(image, changed))
        write_picture(draft / "birds_eye.png", birds_eye(changed))


def _case(scene: Scene, changed: FrameChange, image: Image | None) -> Scene:
    from snellen.scenes.scene import PictureArray
    from snellen.scenes.sweep import SweepArrays

    picture = scene.picture
    if image is not None and changed.sensors != "lidar":
        picture = PictureArray(image)
    sweep = SweepArrays(changed.cloud.points, changed.seed.calibration, labels_to_write(changed))
    return replace(scene, picture=picture, sweep=sweep)


def labels_to_write(changed: FrameChange) -> tuple[LabelRow, ...]:
    """The rows of the label file: all objects inside the image."""
    rows = (one.row for one in changed.labelled_objects)
    return tuple(row for row in rows if row.box[2] > row.box[0] and row.box[3] > row.box[1])
