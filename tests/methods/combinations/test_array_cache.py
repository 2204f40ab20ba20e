"""Arrays are searched for once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.methods.combinations.array_cache import cached_array
from snellen.methods.combinations.covering.cover import cover
from snellen.methods.combinations.covering.covering_array import CoveringArray

ASKED: dict[str, Any] = {"labels": ["a", "b", "c", "d"], "strength": 2, "max_present": 2, "seed": 1}


class Search:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> CoveringArray:
        self.times += 1
        return cover(**ASKED)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path))
    return tmp_path


def test_the_same_question_is_searched_for_once() -> None:
    search = Search()
    first, again = (cached_array(ASKED, search) for _ in range(2))
    assert search.times == 1
    assert np.array_equal(first[0], again[0])
    assert again[0].dtype == bool
    assert first[1] == again[1] == cover(**ASKED).bound


def test_another_question_is_another_array() -> None:
    search = Search()
    cached_array(ASKED, search)
    cached_array({**ASKED, "seed": 2}, search)
    assert search.times == 2


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nothing", b"\x93NUMPY"])
def test_a_damaged_file_is_made_again(damage: bytes, folder: Path) -> None:
    search = Search()
    cached_array(ASKED, search)
    [file] = (folder / "arrays").iterdir()
    file.write_bytes(damage)
    rows, _ = cached_array(ASKED, search)
    assert search.times == 2
    assert np.array_equal(rows, cover(**ASKED).rows)
    cached_array(ASKED, search)
    assert search.times == 2


def test_no_cache_is_no_trouble(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("SNELLEN_CACHE", str(folder / "file"))
    search = Search()
    assert len(cached_array(ASKED, search)[0])
    assert search.times == 1
