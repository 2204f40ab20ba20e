"""Meshes by name: the same name is the same mesh, in every process."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.mesh_set import CachedMeshes, NamedMeshes, ParametricMeshes
from snellen.objects.meshes.sizes import KINDS

OWN = ParametricMeshes()


def test_every_name_has_a_mesh_of_its_own() -> None:
    few = ParametricMeshes(variants=2)
    assert len(few.names) == 2 * len(KINDS)
    meshes = {name: few.mesh(name) for name in few.names}
    assert len({mesh.id for mesh in meshes.values()}) == len(meshes)
    for name, mesh in meshes.items():
        assert mesh.label == KINDS[name.rpartition("-")[0]][0]


def test_a_name_stays_the_same_mesh_for_ever() -> None:
    assert OWN.mesh("sedan").id == OWN.mesh("sedan-0").id
    assert OWN.mesh("sedan-1").id != OWN.mesh("sedan-2").id
    sizes = [round(side, 6) for side in OWN.mesh("van-3").size]
    assert pickle.loads(pickle.dumps(OWN)) == OWN
    assert sizes == [round(side, 6) for side in ParametricMeshes(("van",)).mesh("van-3").size]


@pytest.mark.parametrize("name", ["sedann", "sedan-", "sedan-x", "-3", ""])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(UserError, match="unknown mesh"):
        OWN.mesh(name)
    with pytest.raises(UserError, match="did you mean 'sedan'"):
        ParametricMeshes(("sedn",))


class Counted:
    """A set that counts its reads."""

    def __init__(self) -> None:
        self.read: list[str] = []

    @property
    def names(self) -> list[str]:
        return ["suv"]

    def mesh(self, name: str) -> Mesh:
        self.read.append(name)
        return OWN.mesh(name)


def test_a_library_is_read_once_and_travels_without_its_meshes(tmp_path: Path) -> None:
    counted = Counted()
    kept = CachedMeshes(counted)
    assert kept.mesh("suv") is kept.mesh("suv")
    assert counted.read == ["suv"]
    assert kept.names == ["suv"]
    assert len(pickle.dumps(CachedMeshes(OWN))) < 500
    full = CachedMeshes(OWN)
    full.mesh("bus")
    assert len(pickle.dumps(full)) < 500


def test_named_meshes_come_before_others() -> None:
    mine = OWN.mesh("van-5")
    both = NamedMeshes({"sedan": mine}, ParametricMeshes(("bus",), 1))
    assert both.names == ("sedan", "bus-0")
    assert both.mesh("sedan") is mine
    assert both.mesh("bus-2").label == "Truck"
    with pytest.raises(UserError, match="did you mean 'sedan'"):
        NamedMeshes({"sedan": mine}).mesh("sedam")
