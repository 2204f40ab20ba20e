"""A mesh from a glTF, GLB, OBJ or DAE file, in metres, checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import MissingExtraError, UserError, nearest
from snellen.objects.meshes.mesh import MATERIALS, Mesh
from snellen.objects.meshes.mesh_checks import check_mesh
from snellen.objects.meshes.mesh_entry import MeshEntry
from snellen.objects.meshes.textures import pictures_named, stacked
from snellen.vision.arrays import F32, F64, Bytes, Ints

FORMATS = (".glb", ".gltf", ".obj", ".dae")
PLAIN = (150, 150, 150)


def load_mesh(path: Path, name: str, entry: MeshEntry) -> Mesh:
    """The mesh in a file, turned, scaled and stood on the ground as the entry says, and checked."""
    _check_file(path)
    parts = _parts(path)
    _check_map(path, entry, [part.name for part in parts])
    mesh = _joined(parts, name, entry)
    check_mesh(mesh, str(path), entry)
    return mesh


class _MaterialPart:
    """One piece of one material, as the file has it."""

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
        raise UserError(
            f"{path}: is not a readable {path.suffix[1:].upper()} file ({error}). "
            "Export it again, as GLB if you can."
        ) from error
    return [_MaterialPart(part) for part in scene.dump() if len(getattr(part, "faces", ())) > 0]


def _check_file(path: Path) -> None:
    if not path.exists():
        raise UserError(f"{path}: there is no such mesh file. Correct 'file' in meshes.yaml.")
    if path.suffix.lower() not in FORMATS:
        raise UserError(
            f"{path}: '{path.suffix}' is not a mesh format that can be read; expected one of "
            f"{', '.join(FORMATS)}. Convert it, for example with Blender."
        )
    missing = [picture for picture in pictures_named(path) if not picture.exists()]
    if missing:
        raise UserError(
            f"{path}: names the texture {missing[0]}, which does not exist. Put it there, or "
            "correct the name in the mesh's material file."
        )


def _check_map(path: Path, entry: MeshEntry, names: list[str]) -> None:
    for name, kind in entry.materials.items():
        if name not in names:
            raise UserError(
                f"{path}: has no material '{name}' that 'materials' maps{nearest(name, names)}."
            )
        if kind not in MATERIALS:
            raise UserError(f"{path}: '{name}: {kind}' is no material{nearest(kind, MATERIALS)}.")


def _joined(parts: list[_MaterialPart], name: str, entry: MeshEntry) -> Mesh:
    if not parts:
        raise UserError(f"{entry.file}: holds no faces. Export it again with its triangles.")
    offsets = np.cumsum([0, *[len(part.vertices) for part in parts]])
    faces = np.concatenate([p.faces + o for p, o in zip(parts, offsets, strict=False)])
    vertices, faces = _welded(entry.placed(np.concatenate([p.vertices for p in parts])), faces)
    material = np.repeat(np.arange(len(parts)), [len(part.faces) for part in parts])
    whole = np.all(faces != np.roll(faces, 1, axis=1), axis=1)
    texture, uv = _textured(parts)
    kinds = tuple(part.kind(entry) for part in parts)
    colours = np.array([_plain(part) for part in parts], dtype=np.uint8)
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


def _welded(vertices: F64, faces: Ints) -> tuple[F64, Ints]:
    """Vertices that lie in one place, to a hundredth of a millimetre, made one."""
    _, first, index = np.unique(
        np.round(vertices * 1e5).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    return vertices[first], np.asarray(index).reshape(-1)[faces]


def _textured(parts: list[_MaterialPart]) -> tuple[Bytes | None, F32 | None]:
    """The pictures of all parts in one, and (F, 3, 2) where in it each face's corners are."""
    pictures = [part.picture for part in parts if part.picture is not None]
    if not pictures:
        return None, None
    texture, places = stacked(pictures)
    every, given = [], iter(places)
    for part in parts:
        place = next(given) if part.picture is not None else (0.0, 0.0, 0.0, 0.0)
        uv = np.zeros((len(part.faces), 3, 2)) if part.uv is None else part.uv
        inside = uv - np.floor(uv.mean(axis=1, keepdims=True))
        every.append(np.clip(inside, 0.0, 1.0) * place[2:] + place[:2])
    return texture, np.concatenate(every).astype(np.float32)


def _plain(part: _MaterialPart) -> tuple[int, ...]:
    """The mean colour of a part: of its picture where its faces lie, or its own."""
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


def _picture(material: Any) -> Bytes | None:
    image = getattr(material, "image", None) or getattr(material, "baseColorTexture", None)
    return None if image is None else np.asarray(image.convert("RGB"), dtype=np.uint8)
