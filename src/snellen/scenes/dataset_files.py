"""Files and folders of a data set, found and checked before they are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from snellen.disk.path_checks import exists, is_file, is_folder
from snellen.errors import UserError
from snellen.scenes.pictures import SUFFIXES, upright_size
from snellen.scenes.problems import InvalidItemError

PATIENCE = 500_000
"""Files seen in a folder after which at least one in a hundred must be an image."""


def existing_folder(path: Path, option: str) -> Path:
    """The path, if it is a folder; else an error that names the option."""
    if is_folder(path):
        return path
    found = "is a file" if exists(path) else "no such folder"
    raise UserError(f"{path}: {found}; '{option}' must name a folder. Correct the path.")


def existing_file(path: Path, option: str) -> Path:
    """The path, if it is a file; else an error that names the option."""
    if is_file(path):
        return path
    found = "is a folder" if exists(path) else "no such file"
    raise UserError(f"{path}: {found}; '{option}' must name a file. Correct the path.")


def pictures_in(
    folder: Path, *, recursive: bool = True, suffixes: Sequence[str] = SUFFIXES
) -> list[Path]:
    """The image files in a folder by suffix, sorted by path, without hidden files.

    Raises a `UserError` for the root of the file system, and for a folder that holds little else
    than other files: a path such as `/` in a data.yaml would have the whole disk searched.
    """
    if recursive and folder.resolve() == Path(folder.resolve().anchor):
        raise UserError(
            f"{folder}: is the root of the file system, which is not searched for images. Name "
            "the folder of the data set."
        )
    wanted = tuple(suffix.lower() for suffix in suffixes)
    found: list[Path] = []
    for seen, path in enumerate(_files(folder, recursive), start=1):
        if path.suffix.lower() in wanted:
            found.append(path)
        if seen % PATIENCE == 0 and 100 * len(found) < seen:
            raise UserError(
                f"{folder}: only {len(found):,} of the first {seen:,} files are images, so the "
                "search ends here. Name the folder of the data set."
            )
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def _files(folder: Path, recursive: bool) -> Iterator[Path]:
    for here, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if recursive and not name.startswith(".")]
        yield from (Path(here, name) for name in names if not name.startswith("."))


def file_names(folder: Path) -> frozenset[str]:
    """The names of the files in a folder, from one listing; none if there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return frozenset(entry.name for entry in entries if entry.is_file())
    except (OSError, ValueError):
        return frozenset()


def read_text_file(path: Path, option: str) -> str:
    """The text of a UTF-8 file."""
    try:
        return existing_file(path, option).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as UTF-8 text: {error}.") from None


def read_lines(path: Path, option: str) -> list[str]:
    """The non-empty lines of a text file (such as a list of classes), stripped."""
    return [line.strip() for line in read_text_file(path, option).splitlines() if line.strip()]


def read_names(path: Path, option: str) -> list[str]:
    """The lines of a text file that name files within a folder of the data set."""
    names = read_lines(path, option)
    for name in names:
        if not is_inside(name):
            raise UserError(f"{path}: '{name}' leads out of the data set. Remove or correct it.")
    return names


def checked_size(path: Path, listed: tuple[int, int] | None = None) -> tuple[int, int]:
    """(height, width) of the upright image; an error if the annotations list another size."""
    if not is_file(path):
        raise InvalidItemError(str(path), "the image is listed, but the file does not exist")
    size, turn = upright_size(path)
    if listed is None or listed == size:
        return size
    hint = ""
    if turn != 1 and listed == size[::-1]:
        hint = f" (EXIF orientation {turn} rotates it; annotations must refer to the upright image)"
    raise InvalidItemError(
        str(path),
        f"the annotations list width {listed[1]} and height {listed[0]}, "
        f"but the image has width {size[1]} and height {size[0]}{hint}",
    )


def is_inside(name: str) -> bool:
    """Whether a path is relative and stays within its folder."""
    if name and ".." not in name and not name.startswith("/"):
        return True
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts


def first_duplicate(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time, or None.

    >>> first_duplicate(["a", "b", "a"])
    'a'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
