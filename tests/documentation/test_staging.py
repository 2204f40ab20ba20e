"""What pages link to outside of `docs/` comes along, and the links lead there."""

from __future__ import annotations

from pathlib import Path

import pytest

from documentation.site.staging import stage

PAGE = "[a](other.md#part) [b](../../run.yaml) [c](../../plugin) [d](../../NEWS.md) [e](https://x)"


@pytest.fixture
def staged(tmp_path: Path) -> Path:
    """The staged pages of a small repository."""
    files = {
        "docs/how-to/page.md": f"{PAGE}\n```\n[f](../../run.yaml)\n```\n",
        "docs/how-to/other.md": "## Part\n",
        "run.yaml": "method: identity\n",
        "plugin/code.py": "x = 1\n",
        "plugin/__pycache__/code.pyc": "",
        "NEWS.md": "[back](docs/how-to/page.md) [on](more.bin)",
        "more.bin": "1",
        "unlinked.py": "",
    }
    for name, text in files.items():
        (tmp_path / "root" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "root" / name).write_text(text)
    stage(tmp_path / "root", tmp_path / "out")
    return tmp_path / "out"


def test_links_inside_and_to_elsewhere_stay_and_links_outside_follow(staged: Path) -> None:
    text = (staged / "how-to" / "page.md").read_text()
    assert text.splitlines()[0] == (
        "[a](other.md#part) [b](../repository/run.yaml.md) [c](../repository/plugin/files.md) "
        "[d](../repository/NEWS.md) [e](https://x)"
    )
    assert "\n[f](../../run.yaml)\n" in text, "code is left alone"
    assert (staged / "repository" / "NEWS.md").read_text() == (
        "[back](../how-to/page.md) [on](more.bin)"
    )


def test_code_becomes_a_page_and_a_folder_a_list(staged: Path) -> None:
    page = (staged / "repository" / "run.yaml.md").read_text()
    assert page == "# run.yaml\n\n~~~yaml\nmethod: identity\n~~~\n"
    listing = (staged / "repository" / "plugin" / "files.md").read_text()
    assert listing == "# plugin\n\n- [code.py](code.py.md)\n"
    assert (staged / "repository" / "plugin" / "code.py.md").is_file()


def test_only_what_is_linked_to_comes_along(staged: Path) -> None:
    found = {path.name for path in (staged / "repository").rglob("*") if path.is_file()}
    assert found == {"NEWS.md", "code.py.md", "files.md", "more.bin", "run.yaml.md"}
