"""What the cases of a run are made from besides the scenes of its units, with digests by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snellen.contract.method import Method
from snellen.errors import UserError
from snellen.scenes.content_digest import UNREADABLE, content_digests
from snellen.scenes.scene import SceneSet
from snellen.store.manifests.unit_manifest import manifest_change

Digests = Mapping[str, Mapping[str, str]]
"""Digests by name for each kind of material."""


def material_manifest(method: Method, scenes: SceneSet) -> dict[str, dict[str, str]]:
    """Digests of a method's backgrounds, objects and meshes; kinds that it lacks are left out."""
    asked = {unit.scene.id for unit in method.units()}
    others = [scene for scene in scenes if scene.id not in asked]
    found = {
        "backgrounds": {
            scene.id: digest for scene, digest in zip(others, content_digests(others), strict=True)
        },
        "objects": _object_ids(method.materials.get("objects")),
        "meshes": _mesh_digests(method.materials.get("meshes")),
    }
    return {kind: names for kind, names in found.items() if names}


def material_changes(before: Digests, now: Digests) -> list[str]:
    """What changed between two manifests, one clause for each kind of material."""
    kinds = dict.fromkeys((*before, *now))
    changes = {one: manifest_change(before.get(one, {}), now.get(one, {})) for one in kinds}
    return [f"the {kind} differ ({change})" for kind, change in changes.items() if change]


def _object_ids(library: Any) -> dict[str, str]:
    """The ids of a library's cut-outs, which are digests of their pixels, with their labels."""
    if library is None:
        return {}
    entries = [entry for label in library.labels() for entry in library.entries(label)]
    return {f"{entry.label} {entry.id}": entry.id for entry in entries}


def _mesh_digests(meshes: Any) -> dict[str, str]:
    """The digests of meshes that are read from files; the others are made by this code."""
    from snellen.objects.meshes.mesh_set import ParametricMeshes

    if meshes is None or isinstance(meshes, ParametricMeshes):
        return {}
    return {name: _mesh_digest(meshes, name) for name in meshes.names}


def _mesh_digest(meshes: Any, name: str) -> str:
    """The mesh's id; a mesh that can't be read is not used, or the method says why."""
    try:
        return str(meshes.mesh(name).id)
    except (OSError, UserError):
        return UNREADABLE
