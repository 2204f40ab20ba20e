"""What no request gets past, and what every response carries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from snellen.study.server import guard as guard_module
from snellen.study.server.response_headers import CONTENT_POLICY
from snellen.study.server.server_options import ServerOptions
from snellen.study.trial import Progress
from tests.study.server.served_study import HEADERS, ServedStudy, answer_body

JSON = {**HEADERS, "Content-Type": "application/json"}
SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "path": "/api/enrol",
    "query_string": b"",
    "client": ("127.0.0.1", 1),
    "headers": [
        (b"host", b"localhost"),
        (b"x-snellen-study", b"1"),
        (b"content-type", b"application/json"),
    ],
}


def test_every_response_carries_the_headers_of_safety(served: ServedStudy) -> None:
    browser = served.started()
    trial = browser.trial()
    assert trial is not None
    responses = [
        browser.get("/"),
        browser.get("/admin"),
        browser.get("/static/study.js"),
        browser.get("/nothing"),
        browser.get("/api/trial"),
        browser.get(f"/api/picture/{trial.pictures[0].name}"),
        browser.post("/api/answer", {}),
        browser.client.post("/api/answer"),
        browser.get("/", {"Host": "evil.example"}),
        browser.client.patch("/api/answer", headers=HEADERS),
    ]
    assert {one.status_code for one in responses} == {200, 404, 422, 403, 400, 405}
    for sent in responses:
        assert sent.headers["content-security-policy"] == CONTENT_POLICY
        assert sent.headers["x-content-type-options"] == "nosniff"
        assert sent.headers["x-frame-options"] == "DENY"
        assert sent.headers["referrer-policy"] == "no-referrer"
        assert "camera=()" in sent.headers["permissions-policy"]
        assert "server" not in sent.headers
        assert "access-control-allow-origin" not in sent.headers
        kept = sent.headers["cache-control"]
        assert kept in ("no-store", "no-cache") or kept.startswith("private")
    assert "unsafe" not in CONTENT_POLICY


def test_nothing_of_the_api_is_stored_by_browsers(served: ServedStudy) -> None:
    browser = served.started()
    for path in ("/api/progress", "/api/trial", "/api/my-data", "/api/completion", "/api/wording"):
        assert browser.get(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://127.0.0.1:8765@evil.example"},
        {"Origin": "http://[", "Content-Type": "application/json"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"X-Snellen-Study": "0"},
        {"X-Snellen-Study": ""},
    ],
    ids=str,
)
def test_another_site_cannot_use_the_session_of_a_browser(
    served: ServedStudy, headers: dict[str, str]
) -> None:
    browser = served.started()
    trial = browser.trial()
    assert trial is not None
    before = served.study.state()
    for path, body in (("/api/answer", answer_body(trial)), ("/api/enrol", {"fresh": True})):
        assert browser.post(path, body, headers).status_code == 403
    assert browser.client.delete("/api/my-data", headers={**HEADERS, **headers}).status_code == 403
    assert served.study.state() == before


def test_without_the_header_of_our_page_nothing_is_changed(served: ServedStudy) -> None:
    browser = served.started()
    before = served.study.state()
    assert browser.client.delete("/api/my-data").status_code == 403
    assert browser.client.post("/api/stage", json={"stage": "consent"}).status_code == 403
    assert served.study.state() == before


def test_the_page_itself_may_ask(served: ServedStudy) -> None:
    own = {"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "same-origin"}
    assert served.browser().post("/api/enrol", {}, own).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8765", 200),
        ("LocalHost:1", 200),
        ("[::1]:8765", 200),
        ("evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("192.0.2.1", 400),
        ("", 400),
    ],
)
def test_a_name_that_is_not_ours_is_not_served(served: ServedStudy, host: str, status: int) -> None:
    assert served.browser().get("/", {"Host": host}).status_code == status


def test_a_public_server_has_the_name_it_was_given_or_any_plain_address(
    served: ServedStudy,
) -> None:
    def status(options: ServerOptions, host: str) -> int:
        browser = ServedStudy(served.folder, served.study, options=options).browser()
        return int(browser.get("/", {"Host": host}).status_code)

    everywhere = ServerOptions(host="0.0.0.0")
    assert status(everywhere, "192.0.2.1:80") == 200
    assert status(everywhere, "rebound.example") == 400
    named = ServerOptions(host="0.0.0.0", public="https://Study.example.org")
    assert status(named, "study.example.org") == 200
    assert status(named, "192.0.2.1") == 400


def test_by_https_the_cookie_travels_by_nothing_else(served: ServedStudy) -> None:
    options = ServerOptions(behind_proxy=True, public="https://study.example.org")
    browser = ServedStudy(served.folder, served.study, options=options).browser()
    sent = browser.post("/api/enrol", {}, {"Host": "study.example.org"})
    name, _, attributes = sent.headers["set-cookie"].partition("=")
    assert name == "__Host-snellen-study"
    assert "; Secure" in attributes
    assert sent.headers["strict-transport-security"].startswith("max-age=")


@pytest.mark.parametrize(("path", "limit"), [("/api/answer", 512 * 1024), ("/api/enrol", 4_096)])
def test_a_body_over_the_limit_is_refused_whether_its_length_is_announced_or_not(
    served: ServedStudy, path: str, limit: int
) -> None:
    browser = served.started()

    def parts(size: int) -> Iterator[bytes]:
        yield b" " * (size - 1)
        yield b"x"

    for content in (b" " * (limit + 1), parts(limit + 1)):
        sent = browser.client.post(path, content=content, headers=JSON)
        assert (sent.status_code, sent.json()["error"]) == (413, "too-large")
    for content in (b" " * limit, parts(limit)):
        assert browser.client.post(path, content=content, headers=JSON).status_code == 422


def test_of_a_body_that_is_too_large_no_more_is_read_than_the_limit(served: ServedStudy) -> None:
    read = []

    def endless() -> Iterator[dict[str, Any]]:
        while True:
            read.append(1)
            yield {"type": "http.request", "body": b"x" * 4_096, "more_body": True}

    status, _ = asked(served, endless())
    assert (status, len(read)) == (413, 2)


def test_all_bodies_that_are_arriving_have_a_limit_together(
    served: ServedStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else as many as there may be connections hold gigabytes."""
    monkeypatch.setattr(guard_module, "HELD_BYTES", 100_000)

    async def visit() -> list[int]:
        gate, statuses = asyncio.Event(), []

        async def answer() -> None:
            parts = [b"x" * 44_096, b"x"]

            async def receive() -> Any:
                if len(parts) == 1:
                    await gate.wait()
                return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

            async def send(message: Any) -> None:
                if "status" in message:
                    statuses.append(message["status"])

            await served.guard(SCOPE | {"path": "/api/answer"}, receive, send)

        tasks = [asyncio.ensure_future(answer()) for _ in range(5)]
        for _ in range(20):  # until all that can be read has been
            await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*tasks)
        await answer()
        return statuses

    assert asyncio.run(visit()) == [429, 429, 429, 401, 401, 401]


@pytest.mark.parametrize("length", ["4097", "9" * 30, "-1", "1e3", "", "٣"])
def test_an_announced_length_is_believed_before_a_byte_is_read(
    served: ServedStudy, length: str
) -> None:
    headers = [(b"content-length", length.encode())]
    status, body = asked(served, iter([]), headers)
    assert status == 413, body


def test_a_body_that_never_arrives_is_not_waited_for(
    served: ServedStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard_module, "BODY_SECONDS", 0.01)
    status, _ = asked(served, None)
    assert status == 408


def test_a_browser_that_leaves_amid_its_body_changes_nothing(served: ServedStudy) -> None:
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": b'{"fresh"', "more_body": True},
        {"type": "http.disconnect"},
    ]
    status, _ = asked(served, iter(messages))
    assert status == 400
    assert served.study.participants == {}


def asked(
    served: ServedStudy,
    messages: Iterable[dict[str, Any]] | None,
    headers: Iterable[tuple[bytes, bytes]] = (),
) -> tuple[int, bytes]:
    """What the guard answers to an enrolment whose messages come from the network as given."""
    sent: list[Any] = []
    coming = None if messages is None else iter(messages)

    async def receive() -> Any:
        if coming is None:
            await asyncio.sleep(60)
            raise AssertionError("nobody waits for that long")
        return next(coming)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = SCOPE | {"headers": [*SCOPE["headers"], *headers]}
    asyncio.run(served.guard(scope, receive, send))
    return sent[0]["status"], sent[1]["body"]


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "", "json"])
def test_only_json_is_read(served: ServedStudy, kind: str) -> None:
    headers = {**HEADERS, "Content-Type": kind}
    sent = served.browser().client.post("/api/enrol", content=b"{}", headers=headers)
    assert (sent.status_code, sent.json()["error"]) == (415, "not-json")


def test_a_bug_is_answered_with_a_sentence_and_nothing_of_the_program(
    served: ServedStudy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(code: str) -> None:
        raise OSError(28, "No space left on device", f"{served.folder}/answers.sqlite")

    browser = served.started()
    monkeypatch.setattr(served.study, "progress", broken)
    sent = browser.get("/api/progress")
    assert (sent.status_code, sent.json()["error"]) == (500, "failure")
    assert "space" not in sent.text
    assert str(served.folder) not in sent.text
    assert "No space left on device" in caplog.text  # for the owner
    assert sent.headers["x-content-type-options"] == "nosniff"


def test_an_address_writes_no_lines_into_the_log(
    served: ServedStudy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(code: str, name: str) -> None:
        raise OSError("broken")

    browser = served.started()
    monkeypatch.setattr(served.study, "picture", broken)
    assert browser.get("/api/picture/%0aERROR%1b[31m").status_code == 500
    assert r"\nERROR\x1b[31m" in caplog.records[-1].getMessage()


def test_damaged_data_of_the_study_are_not_the_fault_of_who_asks(
    served: ServedStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(code: str) -> Progress:
        return Progress.model_validate({"stage": "nowhere"})

    browser = served.started()
    monkeypatch.setattr(served.study, "progress", damaged)
    assert browser.get("/api/progress").json()["error"] == "failure"


def test_no_description_of_the_server_is_published(served: ServedStudy) -> None:
    for path in ("/openapi.json", "/docs", "/redoc", "/docs/oauth2-redirect"):
        assert served.browser().get(path).status_code == 404
