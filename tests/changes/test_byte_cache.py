"""Caches limited by memory."""

from __future__ import annotations

from threading import Lock

import numpy as np
import pytest
from cachetools import cached

from snellen.changes.byte_cache import byte_cache


@pytest.mark.parametrize(("limit", "decoded"), [(100, ["a", "b"]), (12, ["a", "b", "a"])])
def test_what_fits_is_decoded_once(limit: int, decoded: list[str]) -> None:
    assert decoded_in_turn(limit, ["a", "b", "a"]) == decoded


def test_an_array_above_the_limit_is_not_decoded_for_each_case() -> None:
    assert decoded_in_turn(3, ["a", "a", "a"]) == ["a"]


def decoded_in_turn(limit: int, names: list[str]) -> list[str]:
    """Which of the names, 8 bytes each, were not in the cache."""
    calls = []

    @cached(byte_cache(limit), lock=Lock())
    def decode(name: str) -> np.ndarray:
        calls.append(name)
        return np.zeros(8, np.uint8)

    for name in names:
        assert decode(name).nbytes == 8
    return calls
