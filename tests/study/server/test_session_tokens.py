"""A token is worth something only to the participant whom this study gave it, and for a time."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.disk.private_file import read_private
from snellen.errors import UserError
from snellen.study.server import session_tokens as session_tokens_module
from snellen.study.server.session_tokens import (
    KEYS,
    LIFETIME,
    ROTATION,
    SessionKey,
    SessionTokens,
    session_tokens,
)

CODE = "AbCdEfGhIjKlMnOpQrStUv"
NOW = 1_800_000_000.0
KEY = SessionKey("aaaa", "11" * 32, NOW)
TOKENS = SessionTokens((KEY,), lambda: NOW)
TOKEN = TOKENS.issue(CODE)


def test_a_token_names_its_participant() -> None:
    assert TOKENS.code_of(TOKEN) == CODE


@given(st.integers(0, len(TOKEN) - 1), st.characters())
def test_one_changed_character_makes_a_token_worthless(place: int, character: str) -> None:
    changed = TOKEN[:place] + character + TOKEN[place + 1 :]
    assert TOKENS.code_of(changed) == (CODE if changed == TOKEN else None)


@given(st.text() | st.lists(st.text(), min_size=4, max_size=4).map(".".join))
def test_any_text_is_looked_at_without_an_error(text: str) -> None:
    assert TOKENS.code_of(text) is None


@pytest.mark.parametrize("end", [len(TOKEN) - 1, len(TOKEN) - 43, 5])
def test_a_part_of_a_token_is_worthless(end: int) -> None:
    assert TOKENS.code_of(TOKEN[:end]) is None
    assert TOKENS.code_of(TOKEN + TOKEN[end:]) is None


def test_a_longer_life_or_another_participant_needs_another_signature() -> None:
    key, code, expiry, signature = TOKEN.split(".")
    later = f"{int(expiry, 16) + 1:x}"
    assert TOKENS.code_of(f"{key}.{code}.{later}.{signature}") is None
    assert TOKENS.code_of(f"{key}.{code[::-1]}.{expiry}.{signature}") is None


def test_a_token_expires() -> None:
    def at(seconds: float) -> str | None:
        return SessionTokens((KEY,), lambda: NOW + seconds).code_of(TOKEN)

    assert at(LIFETIME - 1) == CODE
    assert at(LIFETIME) is None


def test_the_key_of_another_study_signs_nothing_here() -> None:
    other = SessionTokens((SessionKey("aaaa", "22" * 32, NOW),), lambda: NOW)
    assert TOKENS.code_of(other.issue(CODE)) is None


def test_a_new_key_signs_and_tokens_of_the_old_one_stay_valid_until_they_expire(
    tmp_path: Path,
) -> None:
    def at(seconds: float) -> SessionTokens:
        return session_tokens(tmp_path, lambda: NOW + seconds)

    first = at(0)
    last_old = at(ROTATION - 1)
    assert last_old.keys == first.keys
    token = last_old.issue(CODE)
    rotated = at(ROTATION)
    assert rotated.keys[1:] == first.keys
    assert rotated.issue(CODE).split(".")[0] == rotated.keys[0].id != first.keys[0].id
    assert at(ROTATION + LIFETIME - 2).code_of(token) == CODE
    assert at(ROTATION + LIFETIME).keys == rotated.keys[:1]


def test_keys_are_random_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    one, other = session_tokens(tmp_path / "one"), session_tokens(tmp_path / "other")
    assert one.keys != other.keys
    assert len(bytes.fromhex(one.keys[0].key)) == 32
    path = tmp_path / "one" / KEYS
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert session_tokens(tmp_path / "one").keys == one.keys


def test_keys_that_others_could_read_are_not_used(tmp_path: Path) -> None:
    session_tokens(tmp_path)
    (tmp_path / KEYS).chmod(0o644)
    with pytest.raises(UserError, match=r"session-keys\.json: others may read"):
        session_tokens(tmp_path)


def test_two_servers_that_start_at_once_take_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = session_tokens(tmp_path)
    nothing_yet: Iterator[bytes | None] = iter([None])
    monkeypatch.setattr(
        session_tokens_module, "read_private", lambda path: next(nothing_yet, read_private(path))
    )
    assert session_tokens(tmp_path).keys == first.keys


@pytest.mark.parametrize("content", ["", "{}x", "[1]", json.dumps([{"id": "a"}]), "{}"])
def test_a_damaged_file_of_keys_is_an_error_of_the_user(tmp_path: Path, content: str) -> None:
    session_tokens(tmp_path)
    (tmp_path / KEYS).write_text(content)
    with pytest.raises(UserError, match="does not hold session keys"):
        session_tokens(tmp_path)
