"""One-factorisations: the pairs of labels as sets of disjoint pairs that contain every label."""

from __future__ import annotations

from itertools import chain

import numpy as np

from snellen.vision.arrays import Ints


def one_factors(n: int) -> list[Ints]:
    """The pairs of n labels (n even) as n - 1 factors of n / 2 disjoint pairs."""
    found = []
    for turn in range(n - 1):
        pairs = [(turn, n - 1)]
        pairs += [((turn + i) % (n - 1), (turn - i) % (n - 1)) for i in range(1, n // 2)]
        found.append(np.sort(np.array(pairs), axis=1))
    return found


def factors_without(n: int, odd: int) -> list[Ints]:
    """The pairs of integers modulo n whose difference is not one of 1, 3, ..., odd, as factors.

    The even and the odd integers apart have one-factorisations if n / 2 is even; if it is odd, each
    of their factors misses one integer, which is paired with the one across. The remaining
    differences are odd, so that their pairs alternate along cycles of even length.
    """
    half = n // 2
    found = []
    if half % 2 == 0:
        met = one_factors(half)
        found += [np.concatenate([2 * factor, 2 * factor + 1]) for factor in met]
    else:
        for factor in one_factors(half + 1):
            missing, evens = factor[0, 0], 2 * factor[1:]
            across = np.array([[2 * missing, (2 * missing + half) % n]])
            found.append(np.concatenate([evens, (evens + half) % n, across]))
    for d in range(odd + 2, half + 1, 2):
        if d < half:
            found += [_step(n, d, start) for start in (0, 1)]
    return found


def _step(n: int, d: int, start: int) -> Ints:
    x = np.arange(start, n, 2)
    return np.stack([x, (x + d) % n], axis=1)


def near_factors(n: int) -> tuple[list[Ints], list[Ints]]:
    """The pairs of n labels (n even) as n / 2 factors that miss 2 j and 2 j + 1, and n / 2 whole.

    A set of disjoint pairs from different factors of a one-factorisation is taken out, as a factor
    of its own, and the labels are renamed such that its pairs are 2 j and 2 j + 1.
    """
    factors = one_factors(n)
    taken = _rainbow(factors, n)
    new_name = np.empty(n, np.int64)
    new_name[list(chain.from_iterable(pair for _, pair in taken))] = np.arange(n)
    near = []
    for at, pair in taken:
        near.append(new_name[[one for one in factors[at].tolist() if tuple(one) != pair]])
    used = {at for at, _ in taken}
    whole = [new_name[one] for at, one in enumerate(factors) if at not in used]
    return near, [*whole, np.arange(n).reshape(-1, 2)]


def _rainbow(factors: list[Ints], n: int) -> list[tuple[int, tuple[int, int]]]:
    """Disjoint pairs of all n labels and of different factors, by backtracking: (factor, pair)."""
    factor_of = {tuple(pair): at for at, one in enumerate(factors) for pair in one.tolist()}

    def extended(
        free: tuple[int, ...], chosen: list[tuple[int, tuple[int, int]]]
    ) -> list[tuple[int, tuple[int, int]]] | None:
        if not free:
            return chosen
        used = {at for at, _ in chosen}
        for other in free[1:]:
            pair = (free[0], other)
            if factor_of[pair] not in used:
                rest = tuple(one for one in free if one not in pair)
                found = extended(rest, [*chosen, (factor_of[pair], pair)])
                if found is not None:
                    return found
        return None

    found = extended(tuple(range(n)), [])
    assert found is not None
    return found
