"""Shared parts of the writers of scene sets: file names, pictures, class ids."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from snellen.errors import UserError
from snellen.scenes.dataset_files import first_duplicate, is_inside
from snellen.scenes.pictures import SUFFIXES, upright_size, write_picture
from snellen.scenes.scene import NoPicture, PictureFile, Scene, SceneSet
from snellen.vision.annotations import Annotations


def picture_names(scenes: Sequence[Scene], *, with_labels: bool = False) -> list[str]:
    """A file name for each scene's picture: the scene's id with the suffix of the written file.

    An upright file is copied; a picture in memory, or a file with an EXIF orientation, is encoded
    as PNG, losslessly. with_labels: each picture gets a label file of the same stem, so that the
    stems must differ too.
    """
    bare = [_checked_name(scene) for scene in scenes]
    names = [name + _suffix(scene) for name, scene in zip(bare, scenes, strict=True)]
    _unique(bare if with_labels else names)
    return names


def flat_names(scenes: Sequence[Scene]) -> list[str]:
    """A name without folder and suffix for each scene: `val/a.jpg` becomes `val_a`."""
    return _unique([_checked_name(scene).replace("/", "_") for scene in scenes])


def name_without_suffix(name: str) -> str:
    """A scene's id without the suffix of an image file.

    >>> name_without_suffix("val/a.jpg"), name_without_suffix("frame.1")
    ('val/a', 'frame.1')
    """
    path = PurePosixPath(name)
    return path.with_suffix("").as_posix() if path.suffix.lower() in SUFFIXES else name


def _suffix(scene: Scene) -> str:
    return scene.picture.path.suffix if _is_upright_file(scene) else ".png"  # type: ignore[attr-defined]


def _is_upright_file(scene: Scene) -> bool:
    picture = scene.picture
    return isinstance(picture, PictureFile) and upright_size(picture.path)[1] == 1


def _checked_name(scene: Scene) -> str:
    name = name_without_suffix(scene.id)
    if not is_inside(name):
        raise UserError(
            f"scene '{scene.id}': the id is not a relative path within a folder. Rename the scene."
        )
    return name


def _unique(names: list[str]) -> list[str]:
    if (duplicate := first_duplicate(name.lower() for name in names)) is not None:
        raise UserError(f"two scenes would be written as '{duplicate}'. Give them different ids.")
    return names


def place_picture(scene: Scene, path: Path) -> None:
    """Copy the scene's image file to `path` if that keeps the pixels; else encode the pixels."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = scene.picture
    if (
        isinstance(picture, PictureFile)
        and _is_upright_file(scene)
        and picture.path.suffix == path.suffix
    ):
        shutil.copyfile(picture.path, path)
    elif not isinstance(picture, NoPicture):
        write_picture(path, scene.pixels())


def required_annotations(scenes: Sequence[Scene], kind: str) -> list[Annotations]:
    """Each scene's annotations; an error if a scene has none, which no file can express."""
    for scene in scenes:
        if scene.annotations is None:
            raise UserError(
                f"scene '{scene.id}' has no annotations, and {kind} would read that as an image "
                "without objects. Write such scenes with the kind 'folder'."
            )
    return [scene.annotations for scene in scenes if scene.annotations is not None]


def dataset_class_ids(scenes: SceneSet) -> tuple[int, ...]:
    """The data set's own id of each class, or 1, 2, ... if it has none."""
    return scenes.class_ids or tuple(range(1, len(scenes.classes) + 1))
