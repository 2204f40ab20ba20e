"""The pages' own files, read once: only what was there at the start can be asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parents[1] / "pages"
HTML = ".html"
MEDIA_TYPES = {
    HTML: "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Files of other kinds are not served."""


@dataclass(frozen=True)
class PageFile:
    """A file as it is sent. tag: names its content, in quotes."""

    content: bytes
    media_type: str
    tag: str


def page_files(folder: Path = PAGES) -> Mapping[str, PageFile]:
    """The files of a folder by name, without what stands in folders within."""
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return {one.name: _page_file(one) for one in files if _is_served(one)}


def content_tag(content: bytes) -> str:
    """An ETag that is the same for the same content."""
    return f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'


def _is_served(path: Path) -> bool:
    return path.suffix in MEDIA_TYPES and path.is_file() and not path.is_symlink()


def _page_file(path: Path) -> PageFile:
    content = path.read_bytes()
    return PageFile(content, MEDIA_TYPES[path.suffix], content_tag(content))
