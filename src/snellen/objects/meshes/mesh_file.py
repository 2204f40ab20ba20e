"""Loading a mesh from a glTF, GLB, OBJ or DAE file."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from snellen.disk.path_checks import exists
from snellen.errors import MissingExtraError, UserError, nearest
from snellen.objects.meshes.mesh import MATERIALS, Mesh
from snellen.objects.meshes.mesh_checks import check_mesh
from snellen.objects.meshes.mesh_entry import MeshEntry
from snellen.objects.meshes.textures import check_textures, pictures_named, stack
from snellen.vision.arrays import F32, F64, Image, Ints

FORMATS = (".glb", ".gltf", ".obj", ".dae")
PLAIN = (150, 150, 150)
BROKEN = (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, struct.error)
"""What a damaged file raises where its textures are looked up."""


def load_mesh(path: Path, name: str, entry: MeshEntry) -> Mesh:
    """The mesh in a file, with the axes and unit of the entry, placed on the ground and checked."""
    _check_file(path)
    parts = _parts(path)
    _check_map(path, entry, [part.name for part in parts])
    mesh = _join(parts, name, entry)
    check_mesh(mesh, str(path), entry)
    return mesh


class _MaterialPart:
    """A part of the file with one material."""

    def __init__(self, geometry: Any) -> None:
        visual = geometry.visual
        material = getattr(visual, "material", None)
        self.vertices = np.asarray(geometry.vertices, dtype=np.float64)
        self.faces = np.asarray(geometry.faces, dtype=np.int64)
        self.name = str(getattr(material, "name", None) or "")
        self.colour = _colour(material)
        self.picture = _picture(material)
        uv = getattr(visual, "uv", None)
        self.uv = None if uv is None else np.asarray(uv, dtype=np.float64)[self.faces]

    def kind(self, entry: MeshEntry) -> str:
        textured = self.picture is not None and self.uv is not None
        return entry.materials.get(self.name, "texture" if textured else "paint")


def _parts(path: Path) -> list[_MaterialPart]:
    try:
        import trimesh
    except ImportError as error:
        raise MissingExtraError(f"Reading the mesh {path}", "fusion") from error
    try:
        scene = trimesh.load_scene(path)
    except ImportError as error:
        raise MissingExtraError(f"Reading the mesh {path}", "fusion") from error
    except Exception as error:
        raise _unreadable(path, error) from error
    return [_MaterialPart(part) for part in scene.dump() if len(getattr(part, "faces", ())) > 0]


def _unreadable(path: Path, error: Exception) -> UserError:
    return UserError(
        f"{path}: cannot be read as a {path.suffix[1:].upper()} file ({error}). "
        "Export it again, preferably as GLB."
    )


def _check_file(path: Path) -> None:
    if not exists(path):
        raise UserError(f"{path}: no such mesh file. Correct 'file' in meshes.yaml.")
    if path.suffix.lower() not in FORMATS:
        raise UserError(
            f"{path}: '{path.suffix}' is not a supported mesh format; expected one of "
            f"{', '.join(FORMATS)}. Convert it, for example with Blender."
        )
    try:
        missing = [picture for picture in pictures_named(path) if not exists(picture)]
        if not missing:
            check_textures(path)
    except BROKEN as error:
        raise _unreadable(path, error) from error
    if missing:
        raise UserError(
            f"{path}: refers to the texture {missing[0]}, which does not exist. Add it, or correct "
            "its name in the material file of the mesh."
        )


def _check_map(path: Path, entry: MeshEntry, names: list[str]) -> None:
    for name, kind in entry.materials.items():
        if name not in names:
            raise UserError(
                f"{path}: has no material '{name}', which 'materials' refers to"
                f"{nearest(name, names)}."
            )
        if kind not in MATERIALS:
            raise UserError(
                f"{path}: unknown material '{kind}' for '{name}'{nearest(kind, MATERIALS)}."
            )


def _join(parts: list[_MaterialPart], name: str, entry: MeshEntry) -> Mesh:
    if not parts:
        raise UserError(f"{entry.file}: has no faces. Export it again with its triangles.")
    offsets = np.cumsum([0, *[len(part.vertices) for part in parts]])
    faces = np.concatenate([p.faces + o for p, o in zip(parts, offsets, strict=False)])
    vertices, faces = _weld(entry.placed(np.concatenate([p.vertices for p in parts])), faces)
    material = np.repeat(np.arange(len(parts)), [len(part.faces) for part in parts])
    whole = np.all(faces != np.roll(faces, 1, axis=1), axis=1)
    texture, uv = _join_textures(parts)
    kinds = tuple(part.kind(entry) for part in parts)
    colours = np.array([_mean_colour(part) for part in parts], dtype=np.uint8)
    return Mesh(
        name,
        entry.label,
        vertices,
        faces[whole].astype(np.int32),
        material[whole].astype(np.int16),
        kinds,
        colours,
        None if uv is None else uv[whole],
        texture,
    )


def _weld(vertices: F64, faces: Ints) -> tuple[F64, Ints]:
    """Vertices and faces with vertices merged that coincide to a hundredth of a millimetre."""
    _, first, index = np.unique(
        np.round(vertices * 1e5).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    return vertices[first], np.asarray(index).reshape(-1)[faces]


def _join_textures(parts: list[_MaterialPart]) -> tuple[Image | None, F32 | None]:
    """The textures of all parts in one image, and the (F, 3, 2) uv coordinates in it."""
    pictures = [part.picture for part in parts if part.picture is not None]
    if not pictures:
        return None, None
    texture, places = stack(pictures)
    every, given = [], iter(places)
    for part in parts:
        place = next(given) if part.picture is not None else (0.0, 0.0, 0.0, 0.0)
        uv = np.zeros((len(part.faces), 3, 2)) if part.uv is None else part.uv
        inside = uv - np.floor(uv.mean(axis=1, keepdims=True))
        every.append(np.clip(inside, 0.0, 1.0) * place[2:] + place[:2])
    return texture, np.concatenate(every).astype(np.float32)


def _mean_colour(part: _MaterialPart) -> tuple[int, ...]:
    """The mean colour of a part: of its texture at its faces, or of its material."""
    if part.picture is None or part.uv is None:
        return part.colour
    height, width = part.picture.shape[:2]
    middle = part.uv.mean(axis=1) % 1.0
    rows = np.clip(((1 - middle[:, 1]) * height).astype(int), 0, height - 1)
    columns = np.clip((middle[:, 0] * width).astype(int), 0, width - 1)
    return tuple(int(value) for value in part.picture[rows, columns].mean(axis=0))


def _colour(material: Any) -> tuple[int, ...]:
    colour = getattr(material, "main_color", None)
    return PLAIN if colour is None else tuple(int(value) for value in np.asarray(colour)[:3])


def _picture(material: Any) -> Image | None:
    image = getattr(material, "image", None) or getattr(material, "baseColorTexture", None)
    return None if image is None else np.asarray(image.convert("RGB"), dtype=np.uint8)
