"""A browser, and pages that are served for as long as a test lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browsing import browser
from tests.study.pages.scripted_study import ScriptedStudy

if TYPE_CHECKING:
    from tests.study.pages.served_pages import ServedPages

__all__ = ["browser", "serve"]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[ScriptedStudy], ServedPages]]:
    """Serves studies until the test ends."""
    from tests.study.pages.served_pages import ServedPages

    opened: list[ServedPages] = []

    def open_one(study: ScriptedStudy) -> ServedPages:
        opened.append(ServedPages(study, tmp_path / f"secrets{len(opened)}"))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()
