"""A folder of mesh files, described by its meshes.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from snellen.configuration import Options, parse, read_yaml
from snellen.disk.path_checks import exists
from snellen.errors import UserError, nearest
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.mesh_entry import MeshEntry
from snellen.objects.meshes.mesh_file import load_mesh

LISTING = "meshes.yaml"


class Listing(Options):
    """The content of meshes.yaml: an entry for each name."""

    meshes: dict[str, MeshEntry]


@dataclass(frozen=True)
class MeshLibrary:
    """The meshes of a folder; a file is read when its mesh is requested."""

    folder: Path
    entries: dict[str, MeshEntry]

    @property
    def names(self) -> list[str]:
        """The names of its meshes, sorted."""
        return sorted(self.entries)

    def mesh(self, name: str) -> Mesh:
        """The mesh of this name, checked; a `UserError` if it cannot be used."""
        if name not in self.entries:
            raise UserError(
                f"{self.folder / LISTING}: has no mesh '{name}'{nearest(name, self.entries)}."
            )
        entry = self.entries[name]
        return load_mesh(self.folder / entry.file, name, entry)


def open_library(folder: Path) -> MeshLibrary:
    """The library in a folder with a meshes.yaml."""
    listing = folder / LISTING
    if not exists(listing):
        raise UserError(
            f"{listing}: no such file. It lists the meshes of the folder, for example "
            "'meshes: {beetle: {file: beetle.glb, label: Car, up: y, forward: z}}'."
        )
    return MeshLibrary(folder, parse(Listing, read_yaml(listing), str(listing)).meshes)
