"""What all writers of scene sets share: names of files, pictures, classes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from snellen.errors import UserError
from snellen.scenes.dataset_files import inside, repeated
from snellen.scenes.pictures import SUFFIXES, upright_size, write_picture
from snellen.scenes.scene import NoPicture, PictureFile, Scene, SceneSet
from snellen.vision.annotations import Annotations


def picture_names(scenes: Sequence[Scene], *, with_labels: bool = False) -> list[str]:
    """A file name for each scene's picture: its id, with the suffix of what will be written.

    A file that is upright is copied as it is; a picture in memory, or a file that only its EXIF
    orientation turns upright, is encoded as PNG, without loss. with_labels: each picture has
    another file beside it of the same name but for the suffix, so the names must differ without.
    """
    bare = [_inside(scene) for scene in scenes]
    names = [name + _suffix(scene) for name, scene in zip(bare, scenes, strict=True)]
    _differ(bare if with_labels else names)
    return names


def flat_names(scenes: Sequence[Scene]) -> list[str]:
    """A name without folders and suffix for each scene: `val/a.jpg` becomes `val_a`."""
    return _differ([_inside(scene).replace("/", "_") for scene in scenes])


def bare_name(name: str) -> str:
    """An id without the suffix of an image.

    >>> bare_name("val/a.jpg"), bare_name("frame.1")
    ('val/a', 'frame.1')
    """
    path = PurePosixPath(name)
    return path.with_suffix("").as_posix() if path.suffix.lower() in SUFFIXES else name


def _suffix(scene: Scene) -> str:
    return scene.picture.path.suffix if _is_plain(scene) else ".png"  # type: ignore[attr-defined]


def _is_plain(scene: Scene) -> bool:
    picture = scene.picture
    return isinstance(picture, PictureFile) and upright_size(picture.path)[1] == 1


def _inside(scene: Scene) -> str:
    name = bare_name(scene.id)
    if not inside(name):
        raise UserError(f"scene '{scene.id}': the id is no path within a folder; rename it.")
    return name


def _differ(names: list[str]) -> list[str]:
    if (twice := repeated(name.lower() for name in names)) is not None:
        raise UserError(f"two scenes would be written as '{twice}'; give them different ids.")
    return names


def place_picture(scene: Scene, path: Path) -> None:
    """Copy the scene's file to `path` where that keeps the pixels, else encode the pixels there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = scene.picture
    if isinstance(picture, PictureFile) and _is_plain(scene) and picture.path.suffix == path.suffix:
        shutil.copyfile(picture.path, path)
    elif not isinstance(picture, NoPicture):
        write_picture(path, scene.pixels())


def known_annotations(scenes: Sequence[Scene], kind: str) -> list[Annotations]:
    """What is known of each scene; an error where nothing is, as files cannot say 'unknown'."""
    for scene in scenes:
        if scene.annotations is None:
            raise UserError(
                f"scene '{scene.id}' has no annotations, and {kind} would read that as 'nothing is "
                "there'. Write such scenes as a folder."
            )
    return [scene.annotations for scene in scenes if scene.annotations is not None]


def own_ids(scenes: SceneSet) -> tuple[int, ...]:
    """The data set's own id of each class, or 1, 2, ... where it has none."""
    return scenes.class_ids or tuple(range(1, len(scenes.classes) + 1))
