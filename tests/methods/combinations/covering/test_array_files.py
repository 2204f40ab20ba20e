"""Arrays as CSV files."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.methods.combinations.covering.array_files import read_array, write_array
from snellen.methods.combinations.covering.members import members_of


def test_names_that_start_like_a_formula_are_written_as_text_and_read_back(tmp_path: Path) -> None:
    names, rows = ["=1+1", "-b", "plain", "'quoted'", "@c"], np.eye(5, dtype=bool)
    write_array(tmp_path / "a.csv", names, np.arange(5)[:, None])
    head = (tmp_path / "a.csv").read_text().splitlines()[0]
    assert head == "'=1+1,'-b,plain,'quoted','@c"
    found, again = read_array(tmp_path / "a.csv")
    assert found == names
    assert np.array_equal(again, rows)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_both_formats_give_the_rows_back(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 6))
    name = st.text("ab=-,\"'( ", min_size=1, max_size=4).map(str.strip).filter(bool)
    names = data.draw(st.lists(name, min_size=n, max_size=n, unique=True))
    rows = np.array(
        data.draw(st.lists(st.lists(st.booleans(), min_size=n, max_size=n), max_size=5))
    )
    rows = rows.reshape(-1, n).astype(bool)
    with TemporaryDirectory() as folder:
        for file in ("a.csv", "a.sparse.csv"):
            write_array(Path(folder, file), names, members_of(rows, n))
            found, again = read_array(Path(folder, file))
            assert found == names
            assert np.array_equal(again, rows)


def test_a_sparse_file_is_as_long_as_its_labels_and_names_an_unknown_one(tmp_path: Path) -> None:
    file = tmp_path / "a.sparse.csv"
    write_array(file, ["cat", "dog", "car"], np.array([[0, 2], [-1, -1], [1, -1]]))
    assert file.read_text() == "cat,dog,car\ncat,car\n(none)\ndog\n"
    file.write_text("cat,dog\ncow\n")
    with pytest.raises(UserError, match="row 1: unknown label 'cow'"):
        read_array(file)
