"""Clusters of failures by the definition of DBSCAN, with valid p-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.statistics.clustering import dbscan, failure_clusters
from snellen.statistics.clustering_kernels import largest_clusters
from snellen.vision.arrays import F64


def by_definition(points: F64, radius: float, neighbours: int) -> list[int]:
    """DBSCAN by its definition: cores, points reachable from them, then the nearest core."""
    far = [[float(np.hypot(*(a - b))) for b in points] for a in points]
    cores = [i for i, row in enumerate(far) if sum(d <= radius for d in row) >= neighbours]
    cluster: dict[int, int] = {}
    for core in cores:
        if core in cluster:
            continue
        name, waiting = len(set(cluster.values())), [core]
        while waiting:
            here = waiting.pop()
            if here not in cluster:
                cluster[here] = name
                waiting += [other for other in cores if far[here][other] <= radius]
    labels = []
    for i in range(len(points)):
        near = [(far[i][core], core) for core in cores if far[i][core] <= radius]
        labels.append(cluster[i] if i in cluster else cluster[min(near)[1]] if near else -1)
    sizes = {name: (-labels.count(name), labels.index(name)) for name in set(labels) - {-1}}
    ranks = {name: rank for rank, name in enumerate(sorted(sizes, key=lambda one: sizes[one]))}
    return [ranks.get(label, -1) for label in labels]


def scattered(seed: int) -> F64:
    """Some clusters and outliers, sometimes on a coarse lattice, so that distances tie."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0, 60, (3, 2))
    clouds = [centre + rng.normal(0, 3, (int(rng.integers(0, 12)), 2)) for centre in centres]
    points = np.concatenate([*clouds, rng.uniform(0, 60, (int(rng.integers(0, 20)), 2))])
    return np.round(points / 2) * 2 if seed % 2 else points


@given(st.integers(0, 10**6), st.sampled_from([2.0, 4.0, 8.0]), st.integers(1, 6))
@settings(max_examples=80)
def test_clusters_are_those_of_the_definition(seed: int, radius: float, neighbours: int) -> None:
    points = scattered(seed)
    found = dbscan(points, radius, neighbours)
    assert found.tolist() == by_definition(points, radius, neighbours)


@given(st.integers(0, 10**6), st.sampled_from([2.0, 4.0, 8.0]), st.integers(1, 6))
@settings(max_examples=60)
def test_the_compiled_loop_finds_the_same_largest_cluster(
    seed: int, radius: float, neighbours: int
) -> None:
    points = scattered(seed)
    largest = np.count_nonzero(dbscan(points, radius, neighbours) == 0)
    assert largest_clusters(points[None], radius, neighbours).tolist() == [largest]


def test_a_point_between_two_clusters_counts_for_the_nearer_one() -> None:
    left = [[0.0, 0.0]] * 5 + [[1.0, 0.0]]
    right = [[3.7, 0.0]] + [[4.7, 0.0]] * 4
    points = np.array([*left, *right, [2.3, 0.0]])
    assert dbscan(points, 1.5, 4).tolist() == [0] * 6 + [1] * 5 + [0]
    assert largest_clusters(points[None], 1.5, 4).tolist() == [7]


def test_the_order_of_points_does_not_matter() -> None:
    points = np.random.default_rng(1).normal(0, 5, (60, 2))
    labels = dbscan(points, 2.0)
    order = np.random.default_rng(2).permutation(60)
    again = dbscan(points[order], 2.0)
    pairs = set(zip(labels[order].tolist(), again.tolist(), strict=True))
    assert len(pairs) == len(set(labels.tolist())), "the same parts, by whatever number"
    assert ((labels[order] == -1) == (again == -1)).all()


def uniform_p_value(seed: int, share_of_tests: float) -> float:
    rng = np.random.default_rng(seed)
    tests = rng.uniform(0, 200, (150, 2))
    failing = tests[rng.permutation(150)[: int(150 * share_of_tests)]]
    return failure_clusters(failing, 100.0, rng, tests, replicates=199).p_value


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_failures_anywhere_are_called_clusters_no_oftener_than_the_p_value_says(
    share: float,
) -> None:
    values = np.array([uniform_p_value(seed, share) for seed in range(160)])
    for level in (0.05, 0.1, 0.2, 0.5):
        expected = level * 160
        assert np.count_nonzero(values <= level) <= expected + 3 * np.sqrt(expected * (1 - level))
    assert np.count_nonzero(values <= 0.5) > 40, "the test is not idle either"


def test_tests_that_cluster_by_themselves_are_not_taken_for_clustering_failures() -> None:
    rng = np.random.default_rng(3)
    values = []
    for _ in range(60):
        near = rng.normal(100, 8, (80, 2))
        tests = np.concatenate([near, rng.uniform(0, 400, (40, 2))])
        failing = tests[rng.permutation(120)[:40]]
        found = failure_clusters(failing, 100.0, rng, tests, replicates=199)
        assert found.clusterable, "by its share alone it would be"
        values.append(found.p_value)
    assert np.mean(np.array(values) <= 0.05) < 0.15


def test_failures_on_one_side_are_a_cluster_that_chance_does_not_make() -> None:
    rng = np.random.default_rng(4)
    angles = rng.uniform(0, 2 * np.pi, 300)
    tests = 200 + 150 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    failing = tests[np.abs(angles - np.pi) < 0.4]
    found = failure_clusters(failing, 120.0, rng, tests)
    assert found.clusterable
    assert found.count == 1
    assert found.p_value < 0.01
    spread = failure_clusters(tests[::10], 120.0, rng, tests)
    assert not spread.clusterable
    assert spread.p_value > 0.05


def test_places_may_be_allowed_by_a_mask() -> None:
    rng = np.random.default_rng(5)
    allowed = np.zeros((100, 300), bool)
    allowed[:, 200:] = True
    y, x = np.nonzero(allowed)
    chosen = rng.integers(0, len(x), 80)
    anywhere = np.stack([x[chosen], y[chosen]], axis=1) + 0.5
    assert failure_clusters(anywhere, 60.0, rng, allowed).p_value > 0.05
    everywhere = np.ones((100, 300), bool)
    assert failure_clusters(anywhere, 60.0, rng, everywhere).p_value < 0.01, (
        "they keep to the right"
    )


def test_few_or_no_failures_are_no_cluster() -> None:
    rng, tests = np.random.default_rng(6), np.random.default_rng(7).uniform(0, 99, (50, 2))
    none = failure_clusters(np.zeros((0, 2)), 50.0, rng, tests)
    assert (none.share, none.p_value, none.clusterable, none.count) == (0.0, 1.0, False, 0)
    few = failure_clusters(tests[:3], 50.0, rng, tests)
    assert few.labels.tolist() == [-1, -1, -1]
    assert (few.share, few.p_value, few.clusterable) == (0.0, 1.0, False)


def test_the_same_seed_gives_the_same_p_value() -> None:
    assert uniform_p_value(1, 0.3) == uniform_p_value(1, 0.3)


def test_impossible_questions_are_refused() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="5 failures, but only 2 allowed"):
        failure_clusters(np.zeros((5, 2)), 10.0, rng, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="diagonal of an object must be above 0"):
        failure_clusters(np.zeros((5, 2)), 0.0, rng, np.zeros((9, 2)))
