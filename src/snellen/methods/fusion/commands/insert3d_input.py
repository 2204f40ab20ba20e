"""What `snellen insert3d` reads: one frame of a KITTI folder, and meshes by name or file."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from snellen.errors import UserError, nearest

if TYPE_CHECKING:
    from snellen.objects.meshes.mesh import Mesh
    from snellen.objects.meshes.mesh_set import MeshSet
    from snellen.scenes.scene import Scene

SPLIT = "training"
POINTS = "velodyne"


def scene_of(folder: Path, frame: str) -> Scene:
    """One frame of a folder that holds `training`, or of that folder itself."""
    from snellen.scenes.kitti.reader import KittiOptions, read_kitti

    split = _split(folder)
    name = _named(split, frame)
    with TemporaryDirectory() as place:
        listing = Path(place, "frames.txt")
        listing.write_text(f"{name}\n")
        options = KittiOptions(
            root=split.parent.absolute(),
            split=split.name,
            frames=listing,
            images="optional",
            labels="optional",
        )
        return read_kitti(options, Path(), skip_invalid=False)[0]


def _split(folder: Path) -> Path:
    for found in (folder / SPLIT, folder):
        if (found / POINTS).is_dir():
            return found.absolute()
    raise UserError(
        f"{folder}: has neither '{SPLIT}/{POINTS}' nor '{POINTS}'. Expected KITTI object data: "
        "the folder with training/image_2, training/velodyne, training/calib, training/label_2."
    )


def _named(split: Path, frame: str) -> str:
    names = {path.stem for path in (split / POINTS).glob("[!.]*.bin")}
    for name in (frame, frame.zfill(6)):
        if name in names:
            return name
    raise UserError(f"{split / POINTS}: no frame '{frame}'{_close(frame, names)}.")


def _close(frame: str, names: set[str]) -> str:
    if len(names) <= 20:
        return nearest(frame, names)
    return f"; it has {len(names)} frames, {min(names)} to {max(names)}"


def meshes_named(given: list[str]) -> tuple[MeshSet, list[str]]:
    """A set of these meshes, and the name of each in it."""
    from snellen.objects.meshes.mesh_set import NamedMeshes, ParametricMeshes

    own = ParametricMeshes()
    files = {text: _listed(Path(text)) for text in given if _is_path(text)}
    meshes = NamedMeshes(files, own)
    for text in given:
        meshes.mesh(text)
    return meshes, list(given)


def _is_path(text: str) -> bool:
    return "/" in text or "\\" in text or Path(text).suffix != "" or Path(text).exists()


def _listed(path: Path) -> Mesh:
    """The mesh of a file, or of a name in its folder, as described by the meshes.yaml there."""
    from snellen.objects.meshes.mesh_library import LISTING, open_library

    if not (path.parent / LISTING).exists():
        raise UserError(
            f"--mesh: {path} needs a {path.parent / LISTING} that describes it, such as "
            f"'meshes: {{{path.stem}: {{file: {path.name}, label: Car, up: y, forward: z}}}}'. "
            "Write it, or name a built-in mesh, such as sedan."
        )
    library = open_library(path.parent)
    for name, entry in library.entries.items():
        if path.name in (name, entry.file):
            return library.mesh(name)
    raise UserError(
        f"{path.parent / LISTING}: lists no '{path.name}'{nearest(path.name, library.entries)}."
    )
