"""Parametric meshes: closed, outward, of the requested size, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.objects.meshes.mesh import MATERIALS, Mesh, corner_normals
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.objects.meshes.primitives import ellipsoid, lofted, rounded_box, tube
from snellen.objects.meshes.sizes import KINDS, KITTI, random_size


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_mesh_is_closed_and_looks_outwards_and_has_its_materials(kind: str) -> None:
    mesh = parametric(kind, np.random.default_rng(2))
    assert 3_000 <= len(mesh.faces) <= 15_000
    assert mesh.closed_share > 0.999
    assert mesh.volume > 0
    assert mesh.label == KINDS[kind][0]
    used = {mesh.materials[i] for i in np.unique(mesh.material)}
    expected = {"glass", "tyre", "paint"} if mesh.label in ("Car", "Van", "Truck") else {"cloth"}
    assert expected <= used <= set(MATERIALS)


@settings(max_examples=8)
@given(st.sampled_from(sorted(KINDS)), st.integers(0, 2**32 - 1))
def test_the_box_is_exactly_the_drawn_size_over_the_origin(kind: str, seed: int) -> None:
    size = random_size(kind, np.random.default_rng(seed))
    mesh = parametric(kind, np.random.default_rng(seed))
    np.testing.assert_allclose(mesh.size, size, rtol=1e-12)
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    np.testing.assert_allclose(low, [-size[0] / 2, -size[1] / 2, 0.0], atol=1e-12)
    np.testing.assert_allclose(high, [size[0] / 2, size[1] / 2, size[2]], atol=1e-12)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_sizes_lie_within_three_deviations_of_the_class(kind: str) -> None:
    rng = np.random.default_rng(5)
    drawn = np.array([random_size(kind, rng) for _ in range(200)])
    mean, spread = (np.asarray(values) for values in KITTI[KINDS[kind][0]])
    assert np.all(np.abs(drawn - mean) <= 3 * spread)
    assert np.all(drawn.std(axis=0) > 0.2 * spread)


def test_the_same_seed_gives_the_same_mesh_and_another_seed_another() -> None:
    first, same, other = (parametric("suv", np.random.default_rng(s)) for s in (1, 1, 2))
    assert first.id == same.id
    assert first.id != other.id


def test_the_front_of_a_car_has_its_lamps_and_the_rear_its_red_ones() -> None:
    for kind in ("sedan", "hatchback", "suv", "van", "lorry", "bus"):
        mesh = parametric(kind, np.random.default_rng(1))
        middles = mesh.vertices[mesh.faces].mean(axis=1)
        names = np.array(mesh.materials)[mesh.material]
        assert middles[names == "light-front", 0].min() > 0.3 * mesh.size[0]
        assert middles[names == "light-rear", 0].max() < -0.3 * mesh.size[0]
        for name in ("light-front", "light-rear", "glass", "tyre"):
            sides = middles[names == name, 1]
            assert sides.min() == pytest.approx(-sides.max(), abs=0.02)


def test_wheels_stand_on_the_ground() -> None:
    for kind in ("sedan", "van", "lorry", "bus", "cyclist", "motorcyclist"):
        mesh = parametric(kind, np.random.default_rng(1))
        tyres = mesh.vertices[mesh.faces[np.array(mesh.materials)[mesh.material] == "tyre"]]
        assert tyres[..., 2].min() == pytest.approx(0.0, abs=0.005)


def test_placing_turns_counter_clockwise_and_stands_on_the_given_ground() -> None:
    mesh = parametric("sedan", np.random.default_rng(1))
    placed = mesh.placed(10.0, 2.0, -1.7, np.pi / 2)
    nose = placed[np.argmax(mesh.vertices[:, 0])]
    assert nose[1] == pytest.approx(2.0 + mesh.size[0] / 2)
    assert placed[:, 2].min() == pytest.approx(-1.7)
    np.testing.assert_allclose(placed.mean(axis=0)[:2], [10.0, 2.0], atol=0.6)


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'sedan'"):
        parametric("sedam", np.random.default_rng(1))


def test_volumes_are_those_of_the_shapes() -> None:
    ball = ellipsoid((1, 2, 3), (0.5, 0.4, 0.3), "skin", rows=80, sides=160)
    rod = tube([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [0.1] * 3, "cloth", sides=200)
    box = rounded_box((0, 0, 0), (2, 1, 1), "paint", radius=0.001)
    for solid, volume, within in (
        (ball, 4 / 3 * np.pi * 0.5 * 0.4 * 0.3, 0.003),
        (rod, np.pi * 0.01 * 2 + 4 / 3 * np.pi * 0.001, 0.01),
        (box, 2.0, 0.005),
    ):
        a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
        found = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
        assert found == pytest.approx(volume, rel=within)


def test_normals_are_smooth_on_a_ball_and_sharp_on_a_cube() -> None:
    ball = ellipsoid((0, 0, 0), (1, 1, 1), "skin", rows=40, sides=80)
    places = ball.vertices[ball.faces]
    unit = places / np.linalg.norm(places, axis=-1, keepdims=True)
    normals = corner_normals(ball.vertices, ball.faces)
    assert np.quantile(np.einsum("fcd,fcd->fc", unit, normals), 0.01) > 0.99
    ring = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], dtype=float)
    cube = lofted(np.stack([np.column_stack([ring, np.full(4, z)]) for z in (-1.0, 1.0)]), "paint")
    sharp = np.abs(corner_normals(cube.vertices, cube.faces))
    np.testing.assert_allclose(np.sort(sharp, axis=-1)[..., 2], 1.0, atol=1e-6)


def test_an_open_or_inverted_mesh_is_measured_as_such() -> None:
    solid = ellipsoid((0, 0, 1), (1, 1, 1), "skin")

    def mesh(faces: np.ndarray) -> Mesh:
        material = np.zeros(len(faces), np.int16)
        return Mesh(
            "ball", "Car", solid.vertices, faces, material, ("skin",), np.zeros((1, 3), np.uint8)
        )

    assert mesh(solid.faces).closed_share == 1.0
    assert mesh(solid.faces[:-10]).closed_share < 1.0
    assert mesh(solid.faces[:, ::-1]).volume == pytest.approx(-mesh(solid.faces).volume)
