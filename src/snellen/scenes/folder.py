"""A folder of images, without annotations: read and written."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.scenes.dataset_files import checked_size, existing_folder, pictures_in, repeated
from snellen.scenes.export_files import picture_names, place_picture
from snellen.scenes.pictures import SUFFIXES
from snellen.scenes.problems import Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes


class FolderOptions(SetOptions):
    """Images in a folder; each scene's id is the path relative to it."""

    kind: Literal["folder"] = "folder"
    path: Path = Field(description="The folder.")
    recursive: bool = Field(True, description="Look into the folders within it too.")
    extensions: tuple[str, ...] = Field(SUFFIXES, description="Suffixes taken, in any case.")
    classes: tuple[str, ...] = Field((), description="Names of classes by 0-based id, if known.")


def read_folder(options: FolderOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The images in a folder, sorted by path."""
    root = existing_folder(folder / options.path, "path")
    if (twice := repeated(options.classes)) is not None:
        raise UserError(f"scenes.classes: '{twice}' occurs twice; each class needs its own name.")
    suffixes = [f".{suffix.lstrip('.')}" for suffix in options.extensions]
    paths = pictures_in(root, recursive=options.recursive, suffixes=suffixes)
    if not paths:
        raise UserError(f"{root}: no image found with a name that ends in {', '.join(suffixes)}.")
    problems = Problems(skip_invalid)
    scenes = problems.each(paths, lambda path: picture_scene(path, root), str)
    return collect_scenes(
        scenes, options, problems, root, options.classes, range(len(options.classes))
    )


def picture_scene(path: Path, root: Path) -> Scene:
    """A scene of an image file alone, with its path relative to `root` as id."""
    return Scene(path.relative_to(root).as_posix(), PictureFile(path), checked_size(path))


def write_folder(scenes: SceneSet, out: Path) -> None:
    """Write each scene's image under its id to the new folder `out`."""
    with new_folder(out) as draft:
        for scene, name in zip(scenes, picture_names(scenes), strict=True):
            place_picture(scene, draft / name)


READER = Reader(FolderOptions, read_folder)
