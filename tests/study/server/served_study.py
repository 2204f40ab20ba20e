"""The fake study behind the real application and guard, and browsers that visit it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from snellen.study.server.application import study_application
from snellen.study.server.contract import REQUEST_HEADER
from snellen.study.server.guard import Guard
from snellen.study.server.owner_token import owner_token
from snellen.study.server.page_files import PageFile, content_tag
from snellen.study.server.rate_limits import RateLimits, RequestRate
from snellen.study.server.server_options import ServerOptions
from snellen.study.server.service import StudyService
from snellen.study.server.session_tokens import session_tokens
from snellen.study.trial import ShownTrial
from tests.study.fake_participation import FakeParticipation, fitting_answer

ADDRESS = "http://127.0.0.1:8765"
ENDLESS = RequestRate(1e9, 1e9)
NO_LIMITS = RateLimits(ENDLESS, ENDLESS, ENDLESS, ENDLESS, ENDLESS)
PAGES = {
    name: PageFile(f"<p>{name}</p>".encode(), kind, content_tag(name.encode()))
    for name, kind in (
        ("index.html", "text/html; charset=utf-8"),
        ("admin.html", "text/html; charset=utf-8"),
        ("study.js", "text/javascript; charset=utf-8"),
    )
}
HEADERS = {REQUEST_HEADER: "1"}


@dataclass
class ServedStudy:
    """A study and its server, in one process."""

    folder: Path
    study: FakeParticipation = field(default_factory=FakeParticipation)
    limits: RateLimits = NO_LIMITS
    options: ServerOptions = field(default_factory=ServerOptions)

    def __post_init__(self) -> None:
        tokens, token = session_tokens(self.folder), owner_token(self.folder)
        self.service = StudyService(self.study, tokens, token, self.limits, self.options.encrypted)
        self.app = study_application(self.service, PAGES)
        self.guard = Guard(self.app, self.options.names, self.limits, self.options.encrypted)
        self.owner = {"Authorization": f"Bearer {token}"}

    def browser(self, address: str = "127.0.0.1") -> Browser:
        """A browser without a session."""
        client = TestClient(
            self.guard, ADDRESS, raise_server_exceptions=False, client=(address, 50_000)
        )
        return Browser(client)

    def participant(self, *stages: str) -> Browser:
        """A browser with a new session that has left some stages."""
        browser = self.browser()
        assert browser.post("/api/enrol", {}).status_code == 200
        for stage in stages:
            assert browser.post("/api/stage", {"stage": stage}).status_code == 200
        return browser

    def started(self) -> Browser:
        """A participant at the first trial."""
        return self.participant("consent", "instructions")


@dataclass
class Browser:
    """What a page does with the server."""

    client: TestClient

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Any:
        """The response to a GET request."""
        return self.client.get(path, headers=dict(headers or {}))

    def post(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Any:
        """The response to a POST request of the page."""
        return self.client.post(path, json=body, headers={**HEADERS, **(headers or {})})

    def delete(self, path: str) -> Any:
        """The response to a DELETE request of the page."""
        return self.client.delete(path, headers=HEADERS)

    @property
    def token(self) -> str:
        """The session's cookie."""
        return str(self.client.cookies["snellen-study"])

    @property
    def code(self) -> str:
        """The participant's code."""
        return str(self.get("/api/my-data").json()["participant"])

    def trial(self) -> ShownTrial | None:
        """The current trial."""
        found = self.get("/api/trial").json()
        return None if found is None else ShownTrial(**found)

    def answer(self, trial: ShownTrial, /, **changes: object) -> Any:
        """The response to an answer that fits a trial, but for some changes of the body."""
        return self.post("/api/answer", answer_body(trial) | changes)


def answer_body(trial: ShownTrial) -> dict[str, Any]:
    """What the page sends as the answer to a trial."""
    return {
        "trial": trial.trial,
        "answer": fitting_answer(trial).model_dump(mode="json"),
        "exposure": {"shown_ms": 200.1, "frame_ms": 16.7, "hidden": False},
        "response_ms": 812.5,
    }
