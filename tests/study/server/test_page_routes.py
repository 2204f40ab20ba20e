"""The pages' files: those that were there at the start, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.study.server.page_files import page_files
from tests.study.server.served_study import PAGES, ServedStudy


@pytest.mark.parametrize(
    ("path", "name"),
    [("/", "index.html"), ("/admin", "admin.html"), ("/static/study.js", "study.js")],
)
def test_a_file_is_sent_as_what_it_is_and_asked_for_again_cheaply(
    served: ServedStudy, path: str, name: str
) -> None:
    browser = served.browser()
    sent = browser.get(path)
    assert (sent.content, sent.headers["content-type"]) == (
        PAGES[name].content,
        PAGES[name].media_type,
    )
    same = browser.get(path, {"If-None-Match": sent.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")


@pytest.mark.parametrize(
    "name",
    [
        "../service.py",
        "..%2fservice.py",
        "%2e%2e/service.py",
        "..%5cservice.py",
        "%252e%252e%252fservice.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "study.js%00",
        "study.js/",
        "admin.html",
        "index.html",
        "STUDY.JS",
        "",
        ".",
        "%c0%ae%c0%ae/service.py",
        "x" * 5_000,
    ],
)
def test_nothing_but_a_file_of_the_pages_is_found(served: ServedStudy, name: str) -> None:
    sent = served.browser().get(f"/static/{name}")
    assert sent.status_code == 404, sent.text


@pytest.mark.parametrize("name", ["../../x", "..%2f..%2fsecrets", "%00", "x" * 65, "é", ".."])
def test_a_picture_is_found_by_its_name_alone(served: ServedStudy, name: str) -> None:
    sent = served.started().get(f"/api/picture/{name}")
    assert sent.status_code in (404, 409, 422)
    assert not sent.content.startswith(b"\x89PNG")


def test_folders_and_other_kinds_of_files_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "within").mkdir()
    for name in ("a.js", "b.py", "within/c.js", ".env", "d.css~", "e.svg"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder.js").mkdir()
    (tmp_path / "link.js").symlink_to(tmp_path / "b.py")
    assert sorted(page_files(tmp_path)) == ["a.js", "e.svg"]
    assert page_files(tmp_path / "missing") == {}
