"""A changed mesh is named; meshes that the code makes are not listed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from snellen.errors import UserError
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.mesh_set import NamedMeshes, ParametricMeshes
from snellen.scenes.content_digest import UNREADABLE
from snellen.scenes.scene import SceneSet
from snellen.store.manifests.material_manifest import material_changes, material_manifest


@dataclass
class Using:
    """A method as far as a manifest looks at it."""

    materials: dict[str, Any] = field(default_factory=dict)

    def units(self) -> list[Any]:
        return []


def manifest(meshes: Any) -> dict[str, dict[str, str]]:
    method: Any = Using({"meshes": meshes})
    return material_manifest(method, SceneSet(()))


def test_a_mesh_of_another_form_is_named() -> None:
    sedan, van = (ParametricMeshes().mesh(name) for name in ("sedan", "van"))
    longer: Mesh = replace(sedan, vertices=sedan.vertices * np.array([1.1, 1.0, 1.0]))
    before = manifest(NamedMeshes({"own": sedan, "other": van}))
    assert material_changes(before, manifest(NamedMeshes({"own": sedan, "other": van}))) == []
    changed = manifest(NamedMeshes({"own": longer, "other": van}))
    assert material_changes(before, changed) == ["the meshes differ (own replaced)"]
    assert material_changes(before, {}) == ["the meshes differ (own, other removed)"]


def test_parametric_meshes_are_not_listed() -> None:
    assert manifest(ParametricMeshes()) == {}


def test_a_mesh_that_cannot_be_read_ends_nothing() -> None:
    class Broken:
        names = ("own",)

        def mesh(self, name: str) -> Mesh:
            raise UserError("no such file")

    assert manifest(Broken()) == {"meshes": {"own": UNREADABLE}}
