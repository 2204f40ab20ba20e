"""A participant over a real connection, who notes what the server acknowledged."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Any

from snellen.study.server.contract import REQUEST_HEADER
from snellen.study.trial import ShownTrial
from tests.study.server.served_study import answer_body


class Visitor:
    """acknowledged: the names of trials whose answers the server said it has."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=20)
        self.cookie = cookie
        self.acknowledged: list[str] = []

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """The JSON value of a response whose status is 200."""
        headers = {REQUEST_HEADER: "1", "Content-Type": "application/json", "Cookie": self.cookie}
        content = None if body is None else json.dumps(body)
        self.connection.request(method, path, content, headers)
        response = self.connection.getresponse()
        text = response.read()
        assert response.status == 200, text
        cookie = response.headers["Set-Cookie"]
        if cookie is not None:
            self.cookie = cookie.partition(";")[0]
        return json.loads(text)

    def start(self) -> None:
        """Come to the first trial."""
        self.ask("POST", "/api/enrol", {})
        for stage in ("consent", "instructions"):
            self.ask("POST", "/api/stage", {"stage": stage})

    def answer_all(self) -> None:
        """Answer one trial after the other until there is none, or no server."""
        try:
            shown = self.ask("GET", "/api/trial")
            while shown is not None:
                trial = ShownTrial(**shown)
                shown = self.ask("POST", "/api/answer", answer_body(trial))["trial"]
                self.acknowledged.append(trial.trial)
        except (OSError, HTTPException):
            return
