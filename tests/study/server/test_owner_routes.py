"""The owner's page: nobody without the token, and with it the state and the answers."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from snellen.errors import UserError
from snellen.study.server import owner_routes
from snellen.study.server.live_overview import FRESH_SECONDS, LiveOverview
from snellen.study.server.owner_token import TOKEN, is_owner, owner_token
from snellen.study.trial import Overview
from tests.study.fake_participation import FakeParticipation
from tests.study.server.served_study import ADDRESS, HEADERS, ServedStudy


@pytest.mark.parametrize("path", ["overview", "export", "running", "nothing"])
def test_without_the_token_the_owner_is_nobody(served: ServedStudy, path: str) -> None:
    participant = served.started()
    token = served.owner["Authorization"]
    for given in (
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {participant.token}"},
        {"Authorization": token[:-1]},
        {"Authorization": f"{token}x"},
        {"Authorization": token.lower()},
        {"Authorization": token.replace("Bearer", "Basic")},
        {"Cookie": f"snellen-study={token.split()[1]}"},
    ):
        for method in ("GET", "POST"):
            headers = {**HEADERS, **given}
            sent = participant.client.request(method, f"/api/admin/{path}", headers=headers)
            assert sent.status_code in (401, 404, 405)
            assert "curves" not in sent.text
    assert served.study.running


def test_the_overview_is_that_of_the_study(served: ServedStudy) -> None:
    served.started()
    sent = served.browser().get("/api/admin/overview", served.owner)
    assert Overview(**sent.json()) == served.study.overview()


def test_an_overview_is_made_once_for_all_who_ask_and_again_when_it_is_old() -> None:
    study, now = FakeParticipation(), [0.0]
    live = LiveOverview(study, lambda: now[0])
    first = live.now()
    study.enrol({})
    now[0] = FRESH_SECONDS
    assert live.now() is first
    now[0] = FRESH_SECONDS + 0.1
    assert live.now().stages == {"consent": 1}
    assert live.after(False).running is False


def test_the_owner_stops_and_resumes_the_study(served: ServedStudy) -> None:
    owner, participant = served.browser(), served.started()
    sent = owner.post("/api/admin/running", {"running": False}, served.owner)
    assert sent.json()["running"] is False
    assert participant.get("/api/progress").json()["stage"] == "paused"
    assert participant.get("/api/trial").json() is None
    sent = owner.post("/api/admin/running", {"running": True}, served.owner)
    assert sent.json()["running"] is True
    assert participant.trial() is not None


def test_another_site_cannot_stop_the_study(served: ServedStudy) -> None:
    foreign = {**served.owner, "Origin": "https://evil.example"}
    sent = served.browser().post("/api/admin/running", {"running": False}, foreign)
    assert sent.status_code == 403
    assert served.study.running


def test_the_export_has_every_answer_once_and_in_order_in_small_parts(
    served: ServedStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner_routes, "PAGE", 3)
    for _ in range(2):
        browser = served.started()
        while (trial := browser.trial()) is not None:
            browser.answer(trial)
    sent = served.browser().get("/api/admin/export", served.owner)
    found = [json.loads(line) for line in sent.text.splitlines()]
    assert found == served.study.answers(0, 10_000)
    assert len(found) == 24
    assert 'filename="answers.jsonl"' in sent.headers["content-disposition"]


def test_the_export_of_no_answers_is_empty(served: ServedStudy) -> None:
    sent = served.browser().get("/api/admin/export", served.owner)
    assert (sent.status_code, sent.text) == (200, "")


def test_the_token_is_random_kept_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    token = owner_token(tmp_path / "one")
    assert len(token) >= 43
    assert owner_token(tmp_path / "one") == token != owner_token(tmp_path / "other")
    path = tmp_path / "one" / TOKEN
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(UserError, match="others may read"):
        owner_token(tmp_path / "one")


def test_an_empty_file_is_no_token_that_anyone_has(tmp_path: Path) -> None:
    owner_token(tmp_path)
    (tmp_path / TOKEN).write_text("\n")
    with pytest.raises(UserError, match="holds no token"):
        owner_token(tmp_path)


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer é", "Bearer \udc80", " x"])
def test_any_header_is_looked_at_without_an_error(header: str | None) -> None:
    assert not is_owner(header, "x" * 43)


def test_an_export_that_fails_in_the_middle_is_broken_off_and_not_taken_for_complete(
    served: ServedStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner_routes, "PAGE", 3)
    browser = served.started()
    while (trial := browser.trial()) is not None:
        browser.answer(trial)
    whole = served.study.answers

    def failing(after: int, count: int) -> list[dict[str, object]]:
        if after:
            raise OSError("the disk is gone")
        return whole(after, count)

    monkeypatch.setattr(served.study, "answers", failing)
    strict = TestClient(served.guard, ADDRESS)
    with pytest.raises(ConnectionAbortedError):
        strict.get("/api/admin/export", headers=served.owner)
