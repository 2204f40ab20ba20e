"""The user's own key: made once, private, and worth nothing when others could have read it."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from snellen.disk.user_key import SIZE, state_folder, user_key


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def test_a_key_is_made_once_and_is_private(state: Path) -> None:
    key = user_key()
    assert key is not None
    assert len(key) == SIZE
    assert user_key() == key
    assert [one.name for one in state.iterdir()] == ["key"], "no draft is left behind"
    assert (state / "key").stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("spoil", ["readable", "truncated"])
def test_a_key_that_others_could_read_or_that_is_broken_is_replaced(
    state: Path, spoil: str
) -> None:
    old = user_key()
    assert old is not None
    if spoil == "readable":
        (state / "key").chmod(0o644)
    else:
        (state / "key").write_bytes(old[:7])
    new = user_key()
    assert new is not None
    assert new != old
    assert (state / "key").stat().st_mode & 0o777 == 0o600


def test_there_is_no_key_where_none_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SNELLEN_STATE", str(tmp_path / "file" / "state"))
    assert user_key() is None


def _key(state: str) -> bytes | None:
    os.environ["SNELLEN_STATE"] = state
    return user_key()


def test_processes_that_start_at_once_agree_on_one_key(state: Path) -> None:
    with multiprocessing.get_context("fork").Pool(8) as pool:
        keys = pool.map(_key, [str(state)] * 40, chunksize=1)
    assert len(set(keys)) == 1
    assert keys[0] is not None


def test_the_state_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SNELLEN_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    assert state_folder() == Path("/somewhere/snellen")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/users/someone")
    assert state_folder() == Path("/users/someone/.local/state/snellen")
