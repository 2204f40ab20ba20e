"""Files and folders of a data set, found and checked before they are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from snellen.errors import UserError
from snellen.scenes.pictures import SUFFIXES, upright_size
from snellen.scenes.problems import InvalidItemError


def existing_folder(path: Path, option: str) -> Path:
    """The folder, if it is one."""
    if path.is_dir():
        return path
    found = "is a file" if path.exists() else "no such folder"
    raise UserError(f"{path}: {found}; '{option}' must name a folder. Correct the path.")


def existing_file(path: Path, option: str) -> Path:
    """The file, if it is one."""
    if path.is_file():
        return path
    found = "is a folder" if path.exists() else "no such file"
    raise UserError(f"{path}: {found}; '{option}' must name a file. Correct the path.")


def pictures_in(
    folder: Path, *, recursive: bool = True, suffixes: Sequence[str] = SUFFIXES
) -> list[Path]:
    """The image files in a folder by their suffix, sorted by path; hidden ones left out."""
    wanted = tuple(suffix.lower() for suffix in suffixes)
    found = (path for path in _files(folder, recursive) if path.suffix.lower() in wanted)
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def _files(folder: Path, recursive: bool) -> Iterator[Path]:
    for here, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if recursive and not name.startswith(".")]
        yield from (Path(here, name) for name in names if not name.startswith("."))


def text_of(path: Path, option: str) -> str:
    """The text of a UTF-8 file."""
    try:
        return existing_file(path, option).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as text: {error}.") from None


def names_in(path: Path, option: str) -> list[str]:
    """The lines of a list (of classes, of frames) that are not empty, without blanks around."""
    return [line.strip() for line in text_of(path, option).splitlines() if line.strip()]


def checked_size(path: Path, listed: tuple[int, int] | None = None) -> tuple[int, int]:
    """(height, width) of the upright image; an error where an annotation file says otherwise."""
    if not path.is_file():
        raise InvalidItemError(str(path), "the image is listed, but there is no such file")
    size, turn = upright_size(path)
    if listed is None or listed == size:
        return size
    hint = ""
    if turn != 1 and listed == size[::-1]:
        hint = f" (it is turned by its EXIF orientation {turn}; annotations must be of the upright)"
    raise InvalidItemError(
        str(path),
        f"the annotations give width {listed[1]} and height {listed[0]}, "
        f"but the image has {size[1]} and {size[0]}{hint}",
    )


def inside(name: str) -> bool:
    """Whether a relative path stays within its folder."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts


def repeated(names: Iterable[str]) -> str | None:
    """The first name that occurs twice, or None.

    >>> repeated(["a", "b", "a"])
    'a'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
