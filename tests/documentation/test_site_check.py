"""A site with a broken link, or that loads something from elsewhere, is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from documentation.site.site_check import problems


def site(folder: Path, body: str, style: str = "") -> Path:
    (folder / "a").mkdir()
    (folder / "index.html").write_text('<h2 id="top">x</h2><a href="a/page.html#part">y</a>')
    (folder / "a" / "page.html").write_text(f'<h2 id="part">x</h2>{body}')
    (folder / "style.css").write_text(style)
    return folder


@pytest.mark.parametrize(
    "body",
    [
        '<a href="../index.html#top">x</a>',
        '<a href="..">x</a><a href="#part">y</a>',
        '<a href="https://elsewhere.org/page.html">x</a><a href="mailto:a@b.org">y</a>',
        '<link rel="stylesheet" href="../style.css?1"><link rel="canonical" href="https://x.org">',
        '<img src="data:image/png;base64,AA">',
    ],
)
def test_a_whole_site_has_no_problem(tmp_path: Path, body: str) -> None:
    assert problems(site(tmp_path, body, 'a { b: url("data:x") }')) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="gone.html">x</a>', "broken link to gone.html"),
        ('<a href="../a">x</a>', "broken link to ../a"),
        ('<img src="gone.png">', "broken link to gone.png"),
        ('<a href="../index.html#gone">x</a>', "no anchor for ../index.html#gone"),
        ('<a href="#gone">x</a>', "no anchor for #gone"),
        ('<script src="https://cdn.org/a.js"></script>', "loads https://cdn.org/a.js"),
        ('<img src="//cdn.org/a.png">', "loads //cdn.org/a.png"),
        ('<link rel="preconnect" href="https://f.org">', "loads https://f.org"),
        ("<style>@import 'https://f.org/f.css';</style>", "loads https://f.org/f.css"),
        ('<p style="background: url(https://f.org/p.png)">', "loads https://f.org/p.png"),
    ],
)
def test_a_problem_is_named_with_its_page(tmp_path: Path, body: str, expected: str) -> None:
    assert problems(site(tmp_path, body)) == [f"{Path('a', 'page.html')}: {expected}"]


def test_a_style_sheet_that_loads_a_font_is_named(tmp_path: Path) -> None:
    style = "@font-face { src: url(https://fonts.org/f.woff2) }"
    assert problems(site(tmp_path, "", style)) == ["style.css: loads https://fonts.org/f.woff2"]
