from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.repair.training.mixture import ORIGINAL, REPAIR, Mixture

mixtures = st.builds(
    Mixture,
    counts=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    mix=st.floats(0, 1),
    seed=st.integers(0, 2**63 - 1),
)


@given(mixtures, st.integers(0, 1000), st.integers(1, 64))
def test_any_run_of_places_has_its_share_of_repairs_to_within_one(
    mixture: Mixture, first: int, length: int
) -> None:
    repairs = sum(mixture.at(place)[0] == REPAIR for place in range(first, first + length))
    assert abs(repairs - length * mixture.mix) < 1 + 1e-6


def test_each_place_is_a_repair_with_the_chance_asked_for() -> None:
    """Exact in expectation: over seeds, not only over places."""
    seeds = 4000
    for mix, place in ((0.3, 0), (0.3, 7), (0.5, 1), (0.01, 3)):
        hits = sum(Mixture((5, 5), mix, seed).at(place)[0] == REPAIR for seed in range(seeds))
        assert abs(hits / seeds - mix) < 4 * np.sqrt(mix * (1 - mix) / seeds)


@given(mixtures)
def test_every_picture_comes_once_before_any_comes_twice(mixture: Mixture) -> None:
    for part, count in zip((ORIGINAL, REPAIR), mixture.counts, strict=True):
        for deck in range(3):
            turns = range(deck * count, (deck + 1) * count)
            assert sorted(mixture.picture_at(part, turn) for turn in turns) == list(range(count))


@given(mixtures)
def test_no_turn_of_a_part_is_skipped_or_repeated(mixture: Mixture) -> None:
    """The pictures shown are the decks in order, however the parts are interleaved."""
    shown: dict[int, list[int]] = {ORIGINAL: [], REPAIR: []}
    for place in range(120):
        part, index = mixture.at(place)
        shown[part].append(index)
    for part, own in shown.items():
        assert own == [mixture.picture_at(part, turn) for turn in range(len(own))]


@given(mixtures, st.integers(0, 5000))
def test_what_stands_at_a_place_needs_no_place_before_it(mixture: Mixture, place: int) -> None:
    again = Mixture(mixture.counts, mixture.mix, mixture.seed)
    for earlier in range(0, place, 97):
        again.at(earlier)
    assert mixture.at(place) == again.at(place)
    assert mixture.rng_at(place).random() == again.rng_at(place).random()


def test_shuffles_and_looks_differ_between_seeds_decks_and_places() -> None:
    mixture = Mixture((30, 30), 0.5, 1)
    order = [mixture.picture_at(ORIGINAL, turn) for turn in range(60)]
    assert order[:30] != order[30:]
    assert order[:30] != [mixture.picture_at(REPAIR, turn) for turn in range(30)]
    assert order[:30] != [
        Mixture((30, 30), 0.5, 2).picture_at(ORIGINAL, turn) for turn in range(30)
    ]
    assert mixture.rng_at(0).random() != mixture.rng_at(1).random()


def test_an_empty_part_is_never_shown() -> None:
    assert {Mixture((3, 0), 0.5, 1).at(place)[0] for place in range(50)} == {ORIGINAL}
    assert {Mixture((0, 3), 0.5, 1).at(place)[0] for place in range(50)} == {REPAIR}
