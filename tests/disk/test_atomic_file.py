from __future__ import annotations

from pathlib import Path

import pytest

from snellen.disk.atomic_file import new_folder, write_atomically
from snellen.errors import UserError


def test_a_folder_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    with new_folder(tmp_path / "deep" / "out") as draft:
        (draft / "a.txt").write_text("a")
        assert not (tmp_path / "deep" / "out").exists()
    assert [path.name for path in (tmp_path / "deep" / "out").iterdir()] == ["a.txt"]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with new_folder(tmp_path / "out") as draft:
        (draft / "a.txt").write_text("a")
    assert (tmp_path / "out" / "a.txt").is_file()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_break_leaves_nothing_behind(tmp_path: Path, error: BaseException) -> None:
    def write() -> None:
        with new_folder(tmp_path / "out") as draft:
            (draft / "a.txt").write_text("a")
            raise error

    expected = UserError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(
        expected, match="out: cannot be written.*No space" if expected is UserError else None
    ):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_atomically(tmp_path / "a.bin", b"old")

    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(tmp_path / "a.bin", b"new")
    assert (tmp_path / "a.bin").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
