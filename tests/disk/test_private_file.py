"""Secrets in files: whole, and for their owner's eyes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from snellen.disk.private_file import read_private, write_private
from snellen.errors import SnellenError, UserError


def test_what_was_written_is_read_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "secrets" / "key"
    assert read_private(path) is None
    old = os.umask(0)
    try:
        write_private(path, b"one")
    finally:
        os.umask(old)
    assert read_private(path) == b"one"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_exists_is_left_unless_it_is_to_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "key"
    write_private(path, b"one")
    write_private(path, b"two")
    assert read_private(path) == b"one"
    write_private(path, b"two", replace=True)
    assert read_private(path) == b"two"


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660, 0o777, 0o601])
def test_a_file_that_others_may_open_holds_no_secret(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    write_private(path, b"one")
    path.chmod(mode)
    with pytest.raises(UserError, match=f"mode {mode:o}"):
        read_private(path)


def test_a_folder_that_cannot_be_made_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SnellenError, match="key: cannot be written"):
        write_private(tmp_path / "file" / "key", b"one")
