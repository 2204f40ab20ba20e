"""Malformed requests change nothing in a study and never end in an error of the server.

They are made from the server's own description by schemathesis, from fitting answers by spoiling
them, and from bytes; and they come with every right that a sender can have: a session at a trial of
each task, and the owner's token. `make thorough` sends more than 10,000.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode

from snellen.study.server.application import description
from snellen.study.server.contract import SubmittedAnswer
from snellen.study.trial import ShownTrial, StudyTask
from tests.study.fake_participation import FakeParticipation
from tests.study.server.served_study import HEADERS, ServedStudy, answer_body

QUICK, THOROUGH = 20, 1_000
"""Requests of each kind."""
JSON = {**HEADERS, "Content-Type": "application/json", "Host": "localhost"}
WITH_BODY = ("/api/enrol", "/api/stage", "/api/answer", "/api/admin/running")
WELL_FORMED = ("/api/answer", "/api/picture/{name}", "/static/{name}")
"""Requests that the description allows and that fit no trial or stage."""


class Attacked:
    """A study with a session at a trial of each task, and what it answers to bytes."""

    def __init__(self, folder: Path) -> None:
        tasks = tuple(StudyTask)
        study = FakeParticipation(practice=0, qualification=0, trials=len(tasks), tasks=tasks)
        self.served = ServedStudy(folder, study)
        self.sessions: list[tuple[str, ShownTrial]] = []
        for place in range(len(tasks)):
            browser = self.served.started()
            for _ in range(place):
                self._answer(browser)
            trial = browser.trial()
            assert trial is not None
            self.sessions.append((browser.token, trial))
        self.before = study.state()
        self.statuses: Counter[int] = Counter()
        self._runner = asyncio.Runner()

    def rights(self, number: int) -> dict[str, str]:
        """The headers of a sender who has a session, and is the owner as well."""
        token, _ = self.sessions[number % len(self.sessions)]
        return {**JSON, "Cookie": f"snellen-study={token}", **self.served.owner}

    def send(self, method: str, target: bytes, headers: Mapping[str, str], body: bytes) -> None:
        """Send a request; what comes back is a refusal or nothing but a page, and all is kept."""
        path, _, query = target.partition(b"?")
        encoded = [(one.lower().encode(), value.encode()) for one, value in headers.items()]
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path.decode("ascii")),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8765),
            "headers": encoded,
        }
        status, sent = self._runner.run(self._asked(scope, body))
        self.statuses[status] += 1
        assert status < 500, (method, target, body)
        if status >= 400:
            refusal = json.loads(sent)
            assert set(refusal) == {"error", "message"}
            assert "Traceback" not in sent.decode()
            assert str(self.served.folder) not in sent.decode()
        assert self.served.study.state() == self.before, (status, method, target, body)

    async def _asked(self, scope: dict[str, Any], body: bytes) -> tuple[int, bytes]:
        sent: list[Any] = []
        coming = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return coming.pop() if coming else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.served.guard(scope, receive, send)
        return sent[0]["status"], b"".join(one.get("body", b"") for one in sent[1:])

    def close(self) -> None:
        self._runner.close()

    @staticmethod
    def _answer(browser: Any) -> None:
        assert browser.answer(browser.trial()).status_code == 200


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[Attacked]:
    found = Attacked(tmp_path / "secrets")
    yield found
    found.close()


counts = pytest.mark.parametrize(
    "count",
    [QUICK, pytest.param(THOROUGH, marks=[pytest.mark.thorough, pytest.mark.timeout(3_600)])],
)


def attack(strategy: st.SearchStrategy[Any], count: int, send: Callable[[Any], None]) -> None:
    """Send so many examples of a strategy."""

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def sent(example: Any) -> None:
        send(example)

    sent()


def described_requests(attacked: Attacked, path: str, mode: GenerationMode) -> Any:
    schema = schemathesis.openapi.from_dict(description(attacked.served.app))
    method = "POST" if path in WITH_BODY else "GET"
    return schema[path][method].as_strategy(generation_mode=mode)


def send_case(attacked: Attacked, case: Any) -> None:
    """Send what schemathesis made."""
    given = case.as_transport_kwargs(base_url="http://localhost")
    address = urlsplit(given["url"])
    body = given.get("data")
    if "json" in given:
        body = json.dumps(given["json"])
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body or b""
    target = address.path.encode() + (b"?" + address.query.encode() if address.query else b"")
    attacked.send(given["method"], target, attacked.rights(len(content)), content)


@counts
@pytest.mark.parametrize("path", [*WITH_BODY, "/api/picture/{name}"])
def test_what_the_description_forbids_changes_nothing(
    attacked: Attacked, path: str, count: int
) -> None:
    strategy = described_requests(attacked, path, GenerationMode.NEGATIVE)
    attack(strategy, count, lambda case: send_case(attacked, case))
    assert attacked.statuses.total() >= count
    assert not attacked.statuses.keys() & {200, 401, 403, 415}, "they did not reach the route"


@counts
@pytest.mark.parametrize("path", WELL_FORMED)
def test_what_is_well_formed_and_fits_nothing_changes_nothing(
    attacked: Attacked, path: str, count: int
) -> None:
    strategy = described_requests(attacked, path, GenerationMode.POSITIVE)
    attack(strategy, count, lambda case: send_case(attacked, case))
    assert attacked.statuses.total() >= count
    assert attacked.statuses.keys() <= {404, 409, 422}


@st.composite
def spoiled(draw: st.DrawFn, value: Any) -> Any:
    """A JSON value with something in it missing, doubled or replaced."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(value)))
        rest = {name: one for name, one in value.items() if name != key}
        return rest if draw(st.integers(0, 4)) == 0 else rest | {key: draw(spoiled(value[key]))}
    if isinstance(value, list) and value and draw(st.booleans()):
        place = draw(st.integers(0, len(value) - 1))
        inside = draw(st.sampled_from(([], value * 2, [draw(spoiled(value[place]))])))
        return [*value[:place], *inside, *value[place + 1 :]]
    leaf = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300)
    return draw(st.recursive(leaf, lambda one: st.lists(one) | st.dictionaries(st.text(), one)))


@counts
@pytest.mark.parametrize("number", range(len(StudyTask)))
def test_a_fitting_answer_that_was_spoiled_changes_nothing(
    attacked: Attacked, number: int, count: int
) -> None:
    """Of each task; what the published schema, not our reader, still takes is left out."""
    _, trial = attacked.sessions[number]
    schema = Draft202012Validator(SubmittedAnswer.model_json_schema())
    strategy = spoiled(answer_body(trial)).filter(lambda one: not schema.is_valid(one))

    def send(body: Any) -> None:
        text = json.dumps(body).encode()
        attacked.send("POST", b"/api/answer", attacked.rights(number), text)

    attack(strategy, count, send)
    assert attacked.statuses.total() >= count
    assert attacked.statuses.keys() <= {413, 422}


METHODS = st.sampled_from(("GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS", "TRACE", "X", ""))
PATHS = st.sampled_from(
    ("/", "/admin", "/static/", "/api", "/api/enrol", "/api/stage", "/api/trial", "/api/answer",
     "/api/picture/", "/api/my-data", "/api/completion", "/api/admin/export", "//", "/api/../")
)  # fmt: skip
VISIBLE = st.characters(min_codepoint=0x21, max_codepoint=0x7E)
HEADER = st.text(VISIBLE, min_size=1, max_size=20)
NAMES = HEADER | st.sampled_from(
    ("Host", "Cookie", "Origin", "Content-Type", "Content-Length", "Authorization",
     "X-Snellen-Study", "If-None-Match", "Accept", "X-Forwarded-For", "Range", "Expect")
)  # fmt: skip


@counts
def test_any_bytes_at_any_address_change_nothing(attacked: Attacked, count: int) -> None:
    tails = st.binary(max_size=40).map(lambda raw: b"".join(b"%%%02x" % one for one in raw))
    targets = st.tuples(PATHS.map(str.encode), tails | st.text(VISIBLE).map(str.encode))
    headers = st.dictionaries(NAMES, st.text(max_size=60), max_size=6)
    requests = st.tuples(METHODS, targets.map(b"".join), headers, st.binary(max_size=5_000))

    def send(request: tuple[str, bytes, dict[str, str], bytes]) -> None:
        method, target, headers, body = request
        allowed = {**attacked.rights(len(body)), **headers}
        attacked.send(method, target, allowed, body)

    attack(requests, count, send)
    assert attacked.statuses.total() >= count
