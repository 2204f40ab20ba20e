"""Arrays as CSV files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from snellen.methods.combinations.covering.array_files import read_array, write_array


def test_names_that_start_like_a_formula_are_written_as_text_and_read_back(tmp_path: Path) -> None:
    names, rows = ["=1+1", "-b", "plain", "'quoted'", "@c"], np.eye(5, dtype=bool)
    write_array(tmp_path / "a.csv", names, rows)
    head = (tmp_path / "a.csv").read_text().splitlines()[0]
    assert head == "'=1+1,'-b,plain,'quoted','@c"
    found, again = read_array(tmp_path / "a.csv")
    assert found == names
    assert np.array_equal(again, rows)
