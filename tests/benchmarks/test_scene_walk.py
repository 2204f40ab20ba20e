"""A scene meets the code of its own method and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.scene_walk import scene_walk

from snellen.methods.kind import METHODS

MORE = ("combinations", "requirements", "robustness")


@pytest.mark.parametrize(
    "method", ["insertion", *(pytest.param(one, marks=pytest.mark.thorough) for one in MORE)]
)
def test_no_code_of_another_method_runs(method: str) -> None:
    walk = scene_walk(method)
    parts = [Path(file).parts for file in walk.files]
    folders = {one[1] for one in parts if one[0] == "methods" and len(one) > 2}
    assert method in folders, "or the walk was not recorded"
    assert folders & set(METHODS.builtin) == {method}
