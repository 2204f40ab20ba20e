"""A participant's browser: what they do, and everything that the page complained about."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tests.browsing import Visit
from tests.study.pages.served_pages import ServedPages

PHONE, DESKTOP = (390, 844), (1280, 900)


class StudyVisit(Visit):
    """A visit of a served study. touch: whether the browser is that of a phone."""

    def __init__(
        self,
        browser: Any,
        served: ServedPages,
        size: tuple[int, int] = DESKTOP,
        scheme: str = "light",
        *,
        touch: bool = False,
        path: str = "",
    ) -> None:
        self.served = served
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=touch,
            is_mobile=touch,
        )
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.fetched: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.fetched.append(request.url))
        self.page.goto(served.address + path)

    def sent_outside(self) -> list[str]:
        """The addresses asked for other than the study's own."""
        own = urlsplit(self.served.address).netloc
        return [
            url
            for url in self.fetched
            if urlsplit(url).netloc != own and not url.startswith("blob:http://" + own)
        ]

    def press(self, name: str) -> None:
        """Press a button by its words."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def agree(self) -> None:
        """Give consent."""
        self.page.get_by_label("I have read this").check()
        self.press("Take part")

    def begin(self) -> None:
        """Give consent and pass the instructions, to the introduction of the first trial."""
        self.agree()
        self.press("Continue to practice")

    def heading(self) -> str:
        """The words of the page's heading."""
        return str(self.page.locator("h1").inner_text())

    def close(self) -> None:
        """Close the browser's window; nothing may have been complained about or sent elsewhere."""
        assert [one for one in self.complaints if not expected(one)] == []
        assert self.sent_outside() == []
        self.context.close()


def expected(complaint: str) -> bool:
    """Chromium says so of every status of 400 and more, such as `no-session` at the start."""
    return complaint.startswith("Failed to load resource") and "status of 401" in complaint
