"""A voucher fits the file that the user wrote, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from snellen.disk.trust import Trust
from snellen.disk.voucher import is_vouched, vouched

TEXT = b"subject: {kind: python, target: a:b}\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_STATE", str(tmp_path / "state"))
    path = tmp_path / "run" / "config.yaml"
    path.parent.mkdir()
    path.write_bytes(vouched(TEXT, path.name, tmp_path))
    return path


def test_a_file_is_recognised_also_after_its_folder_was_moved(file: Path, tmp_path: Path) -> None:
    assert is_vouched(file, tmp_path)
    moved = file.parent.rename(tmp_path / "moved") / file.name
    assert is_vouched(moved, tmp_path)


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "another target": lambda text: text.replace(b"a:b", b"a:c"),
    "a line after the voucher": lambda text: text + b"base: /tmp\n",
    "a line before the text": lambda text: b"base: /tmp\n" + text,
    "no voucher": lambda _: TEXT,
    "an empty voucher": lambda _: TEXT + b"# voucher: \n",
    "a voucher of nothing": lambda text: TEXT + b"x: 1\n" + text[len(TEXT) :],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_file_is_not_recognised(file: Path, tmp_path: Path, change: str) -> None:
    file.write_bytes(CHANGES[change](file.read_bytes()))
    assert not is_vouched(file, tmp_path)


def test_a_file_is_not_recognised_by_another_name_or_for_another_base(
    file: Path, tmp_path: Path
) -> None:
    assert not is_vouched(file, tmp_path / "elsewhere")
    assert not is_vouched(file.rename(file.with_name("repair.yaml")), tmp_path)


def test_another_user_or_machine_does_not_recognise_it(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_STATE", str(tmp_path / "other"))
    assert not is_vouched(file, tmp_path)


def test_without_a_key_nothing_is_vouched_for(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_STATE", str(file / "state"))
    assert vouched(TEXT, "config.yaml", tmp_path) == TEXT
    assert not is_vouched(file, tmp_path)


def test_trust_in_a_folder_covers_what_is_in_it_and_nothing_beside_it(tmp_path: Path) -> None:
    trust = Trust()
    trust.add(tmp_path / "run")
    assert trust.covers(tmp_path / "run" / "rounds" / "1" / "subject.yaml")
    assert not trust.covers(tmp_path / "run-2" / "config.yaml")
    assert not trust.covers(tmp_path / "config.yaml")
