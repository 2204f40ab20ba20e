"""Links between pages work where the repository is browsed, not only on the site."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from documentation.site.link import with_targets
from tests.documentation.blocks import PAGES, ROOT

LINK = re.compile(r"\]\(([^)\s#]*)#([^)\s]+)\)")


def slug(heading: str) -> str:
    """The anchor that the repository's page gives a heading.

    >>> slug("`snellen.api`: what it is, and why")
    'snellenapi-what-it-is-and-why'
    """
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.M)}


def targets(page: Path) -> list[str]:
    """The paths of a page's relative links."""
    found: list[str] = []

    def kept(path: str) -> str:
        found.append(path)
        return path

    with_targets(page.read_text(encoding="utf-8"), kept)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_every_anchor_to_a_heading(page: Path) -> None:
    assert [path for path in targets(page) if not (page.parent / path).exists()] == []
    text = page.read_text(encoding="utf-8")
    wrong = [
        f"{path}#{anchor}"
        for path, anchor in LINK.findall(text)
        if not path.startswith("http")
        and anchor not in anchors((page.parent / path if path else page).resolve())
    ]
    assert wrong == []


def test_the_front_page_is_short_and_leads_to_the_landing_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    more = text.partition("## Learn more")[2]
    assert "(docs/index.md)" in more
    assert 10 < len(re.findall(r"\]\(", more)) < 25
