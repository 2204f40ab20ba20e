"""Pages in a real browser. Needs the package playwright and Chromium; skipped without."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = os.environ.get("SNELLEN_CHROMIUM") or shutil.which("chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; set SNELLEN_CHROMIUM to where it is")
    with driver.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield opened
        opened.close()


def cut_off(page: Any, place: str) -> list[str]:
    """The words of tables and captions in a part of a page that reach beyond the screen."""
    found: list[str] = page.evaluate(
        """place => [...document.querySelectorAll(`${place} :is(caption, th, td)`)]
            .filter(one => one.getBoundingClientRect().right > innerWidth)
            .map(one => one.innerText)""",
        place,
    )
    return found


class Visit:
    """A page that was opened, and everything that it complained about or fetched."""

    def __init__(self, browser: Any, path: Path, width: int, scheme: str = "light") -> None:
        size = {"width": width, "height": 900}
        self.page = browser.new_page(viewport=size, color_scheme=scheme)
        self.complaints: list[str] = []
        self.fetched: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self.fetched.append(request.url))
        self.page.goto(path.resolve().as_uri())

    def barriers(self) -> list[str]:
        """What axe finds that keeps people out, of serious or critical impact."""
        name = "axe_playwright_python.sync_playwright"
        axe = pytest.importorskip(name, reason="axe-playwright-python is not installed")
        found = axe.Axe().run(self.page).response["violations"]
        return [
            f"{one['id']}: {node['html'][:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]

    def sent_outside(self) -> list[str]:
        """The addresses that the page asked for, other than itself and what it contains."""
        return [url for url in self.fetched if not url.startswith(("file:", "data:"))]

    def unreachable(self) -> list[str]:
        """The visible controls that the Tab key does not reach from the top of the page.

        Of a group that the arrow keys move through, one member has to be reached.
        """
        controls = "a[href], button, input, select, summary, textarea"
        self.page.evaluate(
            """() => {
                const top = document.createElement('span');
                top.tabIndex = -1;
                document.body.prepend(top);
                top.focus();
            }"""
        )
        seen = "document.activeElement.dataset.reached = 1, document.activeElement.tagName"
        scrolled = 50  # parts that scroll are stops, too
        for _ in range(scrolled + self.page.locator(controls).count()):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(seen) == "BODY":
                break
        found: list[str] = self.page.evaluate(
            """controls => [...document.querySelectorAll(controls)]
                .filter(one => one.checkVisibility() && !one.dataset.reached)
                .filter(one => one.tabIndex >= 0 || !one.className
                  || !document.querySelector(`.${one.classList[0]}[data-reached]`))
                .map(one => one.outerHTML.slice(0, 200))""",
            controls,
        )
        return found

    def covered_words(self) -> list[str]:
        """Pairs of words of marks of which one covers more than a pixel of the other.

        Folds are opened, and cards off the screen are laid out, as when one scrolls to them.
        """
        self.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        self.page.add_style_tag(content=".card { content-visibility: visible !important }")
        self.page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
        found: list[str] = self.page.evaluate(
            """() => [...document.querySelectorAll('.shot')].flatMap(shot => {
                const words = [...shot.querySelectorAll('.word')]
                  .filter(one => one.checkVisibility())
                  .map(one => [one.innerText, one.getBoundingClientRect()]);
                return words.flatMap(([a, one], place) => words.slice(place + 1)
                  .filter(([, other]) =>
                    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
                    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1)
                  .map(([b]) => `${a} and ${b}`));
            })"""
        )
        return found

    def wait_until(self, expression: str, seconds: float = 30) -> None:
        """Return once an expression holds in the page; fail after so many seconds.

        Playwright's `wait_for_function` evaluates its text inside the page when it does not hold
        at once, which the page's content security policy refuses. Asked from outside, each try
        is allowed.
        """
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"{expression} did not hold within {seconds} s"
            self.page.wait_for_timeout(20)
