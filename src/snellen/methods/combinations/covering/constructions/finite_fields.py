"""Finite fields, and orthogonal arrays of polynomials over them."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from snellen.vision.arrays import Ints


def prime_power(q: int) -> tuple[int, int] | None:
    """(p, e) with q = p ** e and p prime, or None.

    >>> prime_power(49), prime_power(12), prime_power(13)
    ((7, 2), None, (13, 1))
    """
    if q < 2:
        return None
    p = next((d for d in range(2, int(q**0.5) + 1) if q % d == 0), q)
    e = 0
    while q % p == 0:
        q, e = q // p, e + 1
    return (p, e) if q == 1 else None


@lru_cache(maxsize=32)
def field(q: int) -> tuple[Ints, Ints]:
    """The (q, q) addition and multiplication tables of the field of q elements."""
    found = prime_power(q)
    assert found is not None
    p, e = found
    if e == 1:
        x = np.arange(q)
        return np.add.outer(x, x) % q, np.multiply.outer(x, x) % q
    digits = np.array([[(x // p**i) % p for i in range(e)] for x in range(q)])
    weights = p ** np.arange(e)
    plus = ((digits[:, None] + digits[None]) % p) @ weights
    for low in product(range(p), repeat=e):
        times = _products(digits, np.array(low), p) @ weights
        if (times[1:, 1:] != 0).all():
            return plus, times
    raise AssertionError(f"no irreducible polynomial of degree {e} over {p}")


def _products(digits: Ints, low: Ints, p: int) -> Ints:
    """(q, q, e) products of polynomials modulo x^e + low."""
    q, e = digits.shape
    full = np.zeros((q, q, 2 * e - 1), np.int64)
    for i in range(e):
        for j in range(e):
            full[:, :, i + j] += digits[:, None, i] * digits[None, :, j]
    for top in range(2 * e - 2, e - 1, -1):
        full[:, :, top - e : top] -= full[:, :, top, None] * low
        full[:, :, top] = 0
    return full[:, :, :e] % p


def factors_of(m: int) -> list[int]:
    """The prime powers whose product is m.

    >>> factors_of(40)
    [8, 5]
    """
    found, d = [], 2
    while m > 1:
        power = 1
        while m % d == 0:
            m, power = m // d, power * d
        if power > 1:
            found.append(power)
        d += 1
    return found


def lines(m: int, groups: int) -> Ints:
    """(m * m, groups) values below m, such that any two groups contain each pair of values once.

    Each prime power in m must be at least groups - 1.
    """
    array = np.zeros((1, groups), np.int64)
    for q in factors_of(m):
        more = curves(q, groups, 2)
        array = (array[:, None, :] * q + more[None]).reshape(-1, groups)
    return array


def curves(q: int, groups: int, terms: int) -> Ints:
    """(q ** terms, groups) values of all polynomials with this number of terms, groups <= q + 1.

    Any `terms` groups contain each tuple of values once: an orthogonal array.
    """
    plus, times = field(q)
    grids = np.meshgrid(*[np.arange(q)] * terms, indexing="ij")
    factors = [one.reshape(-1) for one in grids]
    columns = []
    for x in range(min(groups, q)):
        value = factors[0]
        for factor in factors[1:]:
            value = plus[times[value, x], factor]
        columns.append(value)
    if groups > q:
        columns.append(factors[0])
    return np.stack(columns, axis=1)
