"""What a page of HTML names: its anchors, its links and what a browser loads for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

LOADED = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "input": "src",
    "object": "data",
    "script": "src",
    "source": "src",
    "track": "src",
    "video": "src",
}
"""Elements for which a browser loads something, with the attribute that says what."""  # fmt: skip
RELATIONS = {"dns-prefetch", "icon", "manifest", "modulepreload", "preconnect", "prefetch",
             "preload", "stylesheet"}  # fmt: skip
"""Relations of `<link>` for which a browser asks somewhere."""
_OF_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s;]+)""")


@dataclass
class HtmlPage(HTMLParser):
    """A parsed page. anchors: ids; links: targets of `<a>`; loaded: what a browser fetches."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what an element names."""
        given = {name: value for name, value in attrs if value}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.loaded += style_urls(given.get("style", ""))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and RELATIONS & set(given.get("rel", "").split()):
            self.loaded.append(given["href"])
        elif tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])


def style_urls(text: str) -> list[str]:
    """The addresses in a style sheet that a browser loads; data in the sheet itself left out.

    >>> style_urls('@import "a.css"; b { src: url(c.woff), url(data:x) }')
    ['a.css', 'c.woff']
    """
    return [url for url in _OF_STYLE.findall(text) if not url.startswith(("data:", "#"))]


def parsed(path: Path) -> HtmlPage:
    """The page in a file."""
    page = HtmlPage()
    text = path.read_text(encoding="utf-8")
    page.feed(text)
    for sheet in re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL):
        page.loaded += style_urls(sheet)
    return page
