"""Whether a built site is whole: every link leads somewhere, and nothing is loaded from outside."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from documentation.site.html_page import HtmlPage, parsed, style_urls

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
ERROR_PAGE = "404.html"
"""Shown at any address, so its links start at the root of a server."""


def problems(site: Path) -> list[str]:
    """A line for each broken link and each thing that a page loads from outside of the site."""
    pages = {path: parsed(path) for path in sorted(site.rglob("*.html"))}
    pages.pop(site / ERROR_PAGE, None)
    found = [
        f"{path.relative_to(site)}: {problem}"
        for path, page in pages.items()
        for problem in (*_broken(path, page, pages), *_outside(page.loaded))
    ]
    for path in sorted(site.rglob("*.css")):
        urls = style_urls(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(site)}: {problem}" for problem in _outside(urls)]
    return found


def _broken(path: Path, page: HtmlPage, pages: dict[Path, HtmlPage]) -> Iterator[str]:
    for link in (*page.links, *page.loaded):
        if _ADDRESS.match(link):
            continue
        file, _, anchor = unquote(link).partition("#")
        target = Path(os.path.normpath(path.parent / file.partition("?")[0])) if file else path
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            yield f"broken link to {link}"
        elif anchor and target in pages and anchor not in pages[target].anchors:
            yield f"no anchor for {link}"


def _outside(urls: list[str]) -> Iterator[str]:
    for url in urls:
        if _ADDRESS.match(url) and not url.startswith("data:"):
            yield f"loads {url}"
