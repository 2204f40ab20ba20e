"""Path tracing changes colours and nothing else; without mitsuba the error names the extra."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from snellen.errors import MissingExtraError
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.objects.meshes.primitives import join_parts, rounded_box
from snellen.vision.rendering import path_tracer as path_traced
from snellen.vision.rendering.light import Light
from snellen.vision.rendering.mesh_renderer import ShadedSamples, pixel_colours, shaded_samples
from snellen.vision.rendering.mitsuba_materials import environment_map
from snellen.vision.rendering.path_tracer import path_traced_samples
from snellen.vision.solids.coordinate_frames import CoordinateFrames

AHEAD = np.array([[0.0, -1, 0, 0], [0, 0, -1, -0.08], [1, 0, 0, -0.27], [0, 0, 0, 1]])
LENS = np.array([[700.0, 0, 600, 45], [0, 700, 170, 0.2], [0, 0, 1, 0.003]])
FRAMES = CoordinateFrames(AHEAD, LENS)
SHAPE = (375, 1242)
POSE = (14.0, 1.5, -1.7, 0.7)


def sedan() -> Mesh:
    return parametric("sedan", np.random.default_rng(1))


def drawn(mesh: Mesh, light: Light) -> ShadedSamples:
    return shaded_samples(mesh, POSE, FRAMES, SHAPE, light=light, sharing=True)


def test_without_mitsuba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    path_traced._mitsuba.cache_clear()
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    with pytest.raises(MissingExtraError, match=r"\[hq\]"):
        path_traced_samples(drawn(sedan(), Light()), sedan(), POSE, FRAMES, SHAPE, Light())


def test_the_sky_around_gives_level_ground_its_ambient_light() -> None:
    table = Light(ambient=(0.3, 0.4, 0.5)).table()
    radiance = environment_map(table).astype(np.float64)
    up = np.cos(np.pi * (np.arange(64) + 0.5) / 64)[:, None, None]
    solid_angle = np.sqrt(1 - up**2) * (np.pi / 64) * (2 * np.pi / 128)
    received = (radiance * np.maximum(up, 0) * solid_angle).sum(axis=(0, 1)) / np.pi
    np.testing.assert_allclose(received, [0.3, 0.4, 0.5], rtol=0.01)


def test_paths_meet_what_the_z_buffer_sees() -> None:
    mi = pytest.importorskip("mitsuba", reason="the extra hq is not installed")
    path_traced._mitsuba.cache_clear()
    mesh, light = sedan(), Light()
    seen = drawn(mesh, light).fragments
    height, width = seen.coverage.shape
    window = seen.left, seen.top, width, height
    mi.set_variant("scalar_rgb")
    scene = mi.load_dict(path_traced._scene(mi, mesh, POSE, FRAMES, SHAPE, window, light))
    alpha = np.array(mi.render(scene, spp=16))[..., 3]
    assert np.abs(alpha - seen.coverage).mean() < 0.01


def test_a_matt_block_has_the_same_colours_either_way_where_nothing_shades_it() -> None:
    pytest.importorskip("mitsuba", reason="the extra hq is not installed")
    path_traced._mitsuba.cache_clear()
    solid = rounded_box((-2, -1, 1.0), (2, 1, 2.5), "only", radius=0.0005)
    mesh = join_parts("block", "Car", [solid], {"only": ("cloth", (150, 150, 150))}, (4, 2, 1.5))
    light = Light((-0.6, 0.3, 0.74), ambient=(0.4, 0.4, 0.4), ground=(0.4, 0.4, 0.4))
    flat = drawn(mesh, light)
    smooth = path_traced_samples(flat, mesh, POSE, FRAMES, SHAPE, light, paths=64)
    assert smooth.fragments.rows is flat.fragments.rows
    one, other = (pixel_colours(each.colours, each.fragments, gamma=1.0) for each in (flat, smooth))
    np.testing.assert_array_equal(one[..., 3], other[..., 3])
    whole = one[..., 3] == 1
    assert other[whole].mean() == pytest.approx(one[whole].mean(), rel=0.15)
    again = path_traced_samples(flat, mesh, POSE, FRAMES, SHAPE, light, paths=64)
    np.testing.assert_array_equal(again.colours, smooth.colours)
