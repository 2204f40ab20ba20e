from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from snellen.subjects.pointgnn.point_graph import Neighbourhoods, neighbourhoods, vertices_of
from tests.subjects.pointgnn import reference_network as direct
from tests.subjects.pointgnn import tiny_network as tiny

# Multiples of a quarter: many points coincide or lie on the radius to the bit.
places = arrays(
    np.float64,
    st.tuples(st.integers(1, 25), st.just(3)),
    elements=st.integers(-8, 8).map(lambda n: n / 4),
)
counts = st.lists(st.integers(1, 9), min_size=1, max_size=12)


@given(places, places, st.sampled_from([0.25, 0.5, 1.0, 3.0]))
def test_neighbours_are_those_within_the_radius_the_edge_included(
    points: Any, targets: Any, radius: float
) -> None:
    found = neighbourhoods(points, targets, radius)
    for target, place in enumerate(targets):
        chosen = found.sources[found.starts[target] : found.starts[target + 1]]
        assert chosen.tolist() == direct.near(points, place, radius)


def test_vertices_are_the_points_nearest_to_the_means_of_cells() -> None:
    points = tiny.cloud(np.random.default_rng(1))
    for voxel in (0.4, 1.0, 5.0):
        assert vertices_of(points, voxel).tolist() == direct.vertices(points, voxel)


def test_the_one_of_two_points_in_a_cell_does_not_hang_on_the_rest_of_the_cloud() -> None:
    rng = np.random.default_rng(5)
    pairs = np.repeat(rng.uniform(-9, 9, (40, 3)), 2, axis=0) + rng.uniform(0, 0.1, (80, 3))
    frame = np.array([[-10.0, -10, -10], [10, 10, 10]])
    alone = np.vstack([frame, pairs])
    among = np.vstack([rng.uniform(11, 30, (500, 3)), pairs[::-1], frame])
    few = {tuple(place) for place in alone[vertices_of(alone, 0.4)].tolist()}
    many = {tuple(place) for place in among[vertices_of(among, 0.4)].tolist()}
    assert few <= many


def numbered(sizes: list[int]) -> Neighbourhoods:
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Neighbourhoods(np.arange(starts[-1]) * 10, starts)


@given(counts, st.integers(1, 40))
def test_groups_hold_every_target_once_with_all_its_neighbours_and_no_other(
    sizes: list[int], edges: int
) -> None:
    near = numbered(sizes)
    seen = {}
    for targets, rows in near.groups(edges):
        assert rows.size <= edges or len(targets) == 1
        for target, row in zip(targets.tolist(), rows, strict=True):
            assert target not in seen
            seen[target] = set(row.tolist())
    own = np.split(near.sources, near.starts[1:-1])
    assert seen == {target: set(one.tolist()) for target, one in enumerate(own)}


@given(counts, st.data())
def test_chosen_targets_keep_their_own_neighbours(sizes: list[int], data: Any) -> None:
    near = numbered(sizes)
    chosen = data.draw(st.lists(st.integers(0, len(sizes) - 1), unique=True))
    found = near.only(np.array(chosen, dtype=np.int64))
    own = np.split(near.sources, near.starts[1:-1])
    assert found.counts.tolist() == [sizes[target] for target in chosen]
    assert found.sources.tolist() == [one for target in chosen for one in own[target].tolist()]


@given(counts, st.integers(1, 10))
def test_a_thinned_neighbourhood_has_the_limit_or_all_it_had_and_none_twice(
    sizes: list[int], most: int
) -> None:
    near = numbered(sizes)
    thin = near.subsampled(most)
    assert thin.counts.tolist() == [min(size, most) for size in sizes]
    for target in range(len(sizes)):
        before = near.sources[near.starts[target] : near.starts[target + 1]].tolist()
        after = thin.sources[thin.starts[target] : thin.starts[target + 1]].tolist()
        assert after == sorted(set(after))
        assert set(after) <= set(before)
        assert after[0] == before[0]


@pytest.mark.parametrize("most", [-1, 100])
def test_without_a_limit_or_below_it_nothing_is_thinned(most: int) -> None:
    near = numbered([3, 1, 7])
    assert near.subsampled(most).sources.tolist() == near.sources.tolist()


def test_thinning_one_neighbourhood_does_not_depend_on_the_others() -> None:
    alone = numbered([9]).subsampled(4).sources
    among = numbered([9, 5, 2]).subsampled(4).sources
    assert among[:4].tolist() == alone.tolist()
