from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.subjects.pointgnn import graph_network as module
from snellen.subjects.pointgnn.graph_network import PointGnnNetwork, Votes
from snellen.subjects.pointgnn.settings import read_settings
from snellen.subjects.pointgnn.weights import read_weights
from tests.subjects.pointgnn import reference_network as direct
from tests.subjects.pointgnn import tiny_network as tiny


def network(folder: Path, values: dict[str, Any], arrays: Any, **options: Any) -> PointGnnNetwork:
    tiny.written(folder, values, arrays)
    settings = read_settings(folder / "config.json")
    return PointGnnNetwork(
        settings, read_weights(folder / "weights.npz", settings), threads=1, **options
    )


def points(seed: int = 3) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    cloud = tiny.cloud(rng)
    return cloud, rng.uniform(0, 1, len(cloud)).astype(np.float32)


def assert_same(found: Votes, expected: tuple[Any, Any, Any]) -> None:
    places, shares, codes = expected
    np.testing.assert_array_equal(found.places, places)
    np.testing.assert_allclose(found.shares, shares, atol=2e-5)
    np.testing.assert_allclose(found.codes, codes, atol=2e-5)


@pytest.mark.parametrize("rounds", [0, 1, 2])
@pytest.mark.parametrize("offset", [True, False])
def test_votes_are_those_of_the_network_written_down_edge_by_edge(
    tmp_path: Path, rounds: int, offset: bool
) -> None:
    values = tiny.config(rounds, offset=offset)
    arrays = tiny.tensors(values)
    cloud, intensity = points()
    found = network(tmp_path, values, arrays).votes(cloud, intensity)
    assert len(found.places) > 20
    assert_same(found, direct.votes(cloud, intensity.astype(float), values, arrays))


def test_the_size_of_a_group_of_edges_changes_no_vote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = tiny.config()
    net = network(tmp_path, values, tiny.tensors(values))
    whole = net.votes(*points())
    monkeypatch.setattr(module, "EDGES_AT_ONCE", 1)
    single = net.votes(*points())
    np.testing.assert_allclose(whole.shares, single.shares, atol=1e-6)
    np.testing.assert_allclose(whole.codes, single.codes, atol=1e-5)


def test_the_order_of_the_points_changes_no_vote(tmp_path: Path) -> None:
    values = tiny.config()
    net = network(tmp_path, values, tiny.tensors(values))
    cloud, intensity = points()
    order = np.random.default_rng(0).permutation(len(cloud))
    one, other = net.votes(cloud, intensity), net.votes(cloud[order], intensity[order])
    np.testing.assert_array_equal(one.places, other.places)
    np.testing.assert_allclose(one.codes, other.codes, atol=1e-5)


def test_what_lies_far_from_a_vertex_does_not_change_its_vote(tmp_path: Path) -> None:
    values = tiny.config()
    net = network(tmp_path, values, tiny.tensors(values))
    cloud, intensity = points()
    more = np.vstack([cloud, [[-30.0, 0.2, 59.8]]])
    one = net.votes(cloud, intensity)
    other = net.votes(more, np.append(intensity, np.float32(0.9)))
    apart = one.places[:, 2] < 50
    shared = other.places[:, 2] < 50
    np.testing.assert_array_equal(one.codes[apart], other.codes[shared])


def test_a_limit_on_neighbours_comes_from_the_options_or_else_the_configuration(
    tmp_path: Path,
) -> None:
    limited = tiny.config(most=2)
    arrays = tiny.tensors(limited)
    by_file = network(tmp_path, limited, arrays).votes(*points())
    by_option = network(tmp_path, tiny.config(), arrays, neighbours=2).votes(*points())
    free = network(tmp_path, tiny.config(), arrays).votes(*points())
    np.testing.assert_array_equal(by_file.codes, by_option.codes)
    assert not np.allclose(by_file.codes, free.codes)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_glance_leaves_out_vertices_but_changes_no_vote_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    values = tiny.config(rounds)
    arrays = tiny.tensors(values)
    full = network(tmp_path, values, arrays).votes(*points())
    every = network(tmp_path, values, arrays, glance=3).votes(*points())
    np.testing.assert_array_equal(every.places, full.places)
    typical = float(np.median(full.shares[:, [1, 2]].sum(axis=1)))
    monkeypatch.setattr(module, "MIN_CAR_SHARE", typical)
    some = network(tmp_path, values, arrays, glance=1000).votes(*points())
    promising = full.shares[:, [1, 2]].sum(axis=1) > typical
    assert 0 < promising.sum() < len(full.places)
    np.testing.assert_array_equal(some.places, full.places[promising])
    np.testing.assert_allclose(some.codes, full.codes[promising], atol=1e-6)


def test_where_no_vertex_is_worth_a_look_there_are_no_votes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MIN_CAR_SHARE", 2.0)
    values = tiny.config()
    found = network(tmp_path, values, tiny.tensors(values), glance=3).votes(*points())
    assert found.codes.shape == (0, 4, 7)


def test_a_larger_voxel_makes_fewer_vertices(tmp_path: Path) -> None:
    values = tiny.config()
    arrays = tiny.tensors(values)
    fine = network(tmp_path, values, arrays).votes(*points())
    coarse = network(tmp_path, values, arrays, voxel=2.0).votes(*points())
    assert len(coarse.places) < len(fine.places) / 2


def test_one_point_is_a_cloud(tmp_path: Path) -> None:
    values = tiny.config()
    arrays = tiny.tensors(values)
    cloud, intensity = np.array([[1.0, 1.5, 9.0]]), np.array([0.4], dtype=np.float32)
    found = network(tmp_path, values, arrays).votes(cloud, intensity)
    assert_same(found, direct.votes(cloud, intensity.astype(float), values, arrays))
