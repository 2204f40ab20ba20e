"""The projective line over a finite field, and its projectivities."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.constructions.finite_fields import field, prime_power
from snellen.vision.arrays import Ints


class ProjectiveLine:
    """The projective line over a field: its elements, and infinity as the last label."""

    def __init__(self, order: int) -> None:
        self.plus, self.times = field(order)
        self.infinity = order
        self.negative = np.argmin(self.plus, axis=1)
        self.inverse = np.argmax(self.times == 1, axis=1)

    def _minus(self, x: Ints | int, y: Ints | int) -> Ints:
        return np.asarray(self.plus[x, self.negative[y]])

    def _divided(self, x: Ints, y: Ints) -> Ints:
        """The quotients x / y, and infinity where y is 0."""
        return np.where(y == 0, self.infinity, self.times[x, self.inverse[y]])

    def image(self, points: Ints, a: int, b: int, c: int) -> Ints:
        """The image of finite points and infinity when 0, 1 and infinity go to a, b and c.

        x goes to (c u x + a v) / (u x + v) with u = b - a and v = c - b; if c is infinity, to
        u x + a.
        """
        first = self._minus(b, a)
        if c == self.infinity:
            finite = self.plus[self.times[first, points], a]
        else:
            scaled, last = self.times[first, points], self._minus(c, b)
            top = self.plus[self.times[c, scaled], self.times[a, last]]
            finite = self._divided(top, self.plus[scaled, last])
        return np.append(finite, c)

    def subfield(self, q: int) -> Ints:
        """The q elements x of the field with x ** q = x."""
        elements = np.arange(self.infinity)
        power = elements
        for _ in range(q - 1):
            power = self.times[power, elements]
        fixed: Ints = elements[power == elements]
        return fixed

    def special_generators(self) -> list[Ints]:
        """Permutations of the points that generate PSL(2, order).

        They are x + b for a basis of the field, s x for each square s, and -1 / x.
        """
        found = prime_power(self.infinity)
        assert found is not None
        p, e = found
        squares = np.unique(np.diagonal(self.times))[1:]
        moves = [self.plus[p**i] for i in range(e)] + [self.times[s] for s in squares]
        turned = self.negative[self.inverse]
        turned[0] = self.infinity
        return [*(np.append(one, self.infinity) for one in moves), np.append(turned, 0)]
