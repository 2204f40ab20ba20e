"""A folder of images, without annotations: read and written."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.scenes.dataset_files import checked_size, existing_folder, first_duplicate, pictures_in
from snellen.scenes.export_files import picture_names, place_picture
from snellen.scenes.pictures import SUFFIXES
from snellen.scenes.problems import Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes


class FolderOptions(SetOptions):
    """Images in a folder; a scene's id is its path relative to the folder."""

    kind: Literal["folder"] = "folder"
    path: Path = Field(description="Folder of the images.")
    recursive: bool = Field(True, description="Include subfolders.")
    extensions: tuple[str, ...] = Field(
        SUFFIXES, description="Suffixes of image files, case-insensitive."
    )
    classes: tuple[str, ...] = Field((), description="Class names by 0-based id, if known.")


def read_folder(options: FolderOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The images in a folder, sorted by path."""
    root = existing_folder(folder / options.path, "path")
    if (duplicate := first_duplicate(options.classes)) is not None:
        raise UserError(f"scenes.classes: '{duplicate}' occurs twice; class names must be unique.")
    suffixes = [f".{suffix.lstrip('.')}" for suffix in options.extensions]
    paths = pictures_in(root, recursive=options.recursive, suffixes=suffixes)
    if not paths:
        raise UserError(
            f"{root}: no image found among {_count(root)}, expected files that end in "
            f"{', '.join(suffixes)}. Name the folder of the images."
        )
    problems = Problems(skip_invalid)
    scenes = problems.each(paths, lambda path: picture_scene(path, root), str)
    return collect_scenes(
        scenes, options, problems, root, options.classes, range(len(options.classes))
    )


def _count(folder: Path) -> str:
    files = sum(one.is_file() for one in folder.rglob("*"))
    return f"its {files} files" if files != 1 else "its 1 file"


def picture_scene(path: Path, root: Path) -> Scene:
    """A scene of one image file; its id is the path relative to `root`."""
    return Scene(path.relative_to(root).as_posix(), PictureFile(path), checked_size(path))


def write_folder(scenes: SceneSet, out: Path) -> None:
    """Write each scene's image under its id to the new folder `out`."""
    with new_folder(out) as draft:
        for scene, name in zip(scenes, picture_names(scenes), strict=True):
            place_picture(scene, draft / name)


READER = Reader(FolderOptions, read_folder)
