import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.combinations.covering.verifier import missing_combinations
from tests.methods.combinations.covering.brute_force import brute_missing


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_the_verifier_lists_exactly_what_the_definition_calls_missing(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 8))
    strength = data.draw(st.integers(2, min(4, n)))
    most = data.draw(st.integers(1, n))
    count = data.draw(st.integers(0, 25))
    chance = data.draw(st.sampled_from([0.1, 0.3, 0.5, 0.9]))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    rows = rng.random((count, n)) < chance
    forbidden = [frozenset(rng.choice(n, 2, replace=False).tolist()) for _ in range(n % 3)]
    labels = tuple(sorted(rng.choice(n, max(strength, n - 1), replace=False).tolist()))
    found = [
        (one.labels, one.values)
        for one in missing_combinations(rows, strength, most, forbidden, labels)
    ]
    assert len(set(found)) == len(found)
    assert set(found) == brute_missing(rows, strength, most, tuple(forbidden), labels)


def test_an_absent_label_that_is_never_alone_is_reported() -> None:
    rows = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0]], bool)
    missing = {(one.labels, one.values) for one in missing_combinations(rows, 2, 2)}
    assert ((0, 1), (1, 0)) in missing
    assert ((0, 1), (0, 1)) in missing
    assert ((0, 1), (1, 1)) not in missing
