"""Writer of photographs with one mask image each: `images/` and `labels/`."""

from __future__ import annotations

import shutil
from pathlib import Path

from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.scenes.export_files import dataset_class_ids, picture_names, place_picture
from snellen.scenes.image_files.mask_image import write_region
from snellen.scenes.mask_objects import paint_objects
from snellen.scenes.scene import Scene, SceneSet


def write_masks(scenes: SceneSet, out: Path) -> None:
    """Write `out/images` and `out/labels` atomically.

    A scene's own mask image is copied unchanged. Without one, the annotations are painted with
    their class ids (plus one if a class has the id 0), smaller objects on top.
    """
    ids = dataset_class_ids(scenes)
    if 0 in ids:
        ids = tuple(own + 1 for own in ids)
    names = picture_names(scenes, with_labels=True)
    with new_folder(out) as draft:
        for scene, name in zip(scenes, names, strict=True):
            place_picture(scene, draft / "images" / name)
            _place_mask(scene, (draft / "labels" / name).with_suffix(".png"), ids)


def _place_mask(scene: Scene, path: Path, ids: tuple[int, ...]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if scene.region is not None:
        shutil.copyfile(scene.region, path.with_suffix(scene.region.suffix))
        return
    if scene.annotations is None:
        raise UserError(
            f"scene '{scene.id}' has neither a mask image nor annotations to paint. "
            "Write such scenes with the kind 'folder'."
        )
    values = [ids[label] for label in scene.annotations.labels]
    write_region(path, paint_objects(scene.annotations, values, scene.size))
