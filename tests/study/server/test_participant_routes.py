"""What a participant's browser gets, from enrolment to the completion code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snellen.study.trial import ShownTrial, StudyTask
from tests.study.fake_participation import SECRET
from tests.study.server.served_study import Browser, ServedStudy, answer_body

SESSION_PATHS = (
    "/api/progress",
    "/api/trial",
    "/api/picture/some",
    "/api/completion",
    "/api/my-data",
)


def current(browser: Browser) -> ShownTrial:
    trial = browser.trial()
    assert trial is not None
    return trial


def test_a_participant_comes_from_enrolment_to_the_completion_code(served: ServedStudy) -> None:
    browser = served.started()
    seen: list[str] = []
    trial = browser.trial()
    while trial is not None:
        for picture in trial.pictures:
            sent = browser.get(f"/api/picture/{picture.name}")
            assert (sent.status_code, sent.headers["content-type"]) == (200, "image/png")
            assert sent.content.startswith(b"\x89PNG")
        receipt = browser.answer(trial).json()
        assert (receipt["recorded"]["correct"] is not None) == (trial.kind == "practice")
        assert receipt["progress"] == browser.get("/api/progress").json()
        assert receipt["trial"] == browser.get("/api/trial").json()
        seen.append(trial.trial)
        trial = browser.trial()
    assert len(set(seen)) == len(seen) == 12
    done = browser.get("/api/completion").json()
    assert done["code"].startswith("DONE-")
    assert done["link"].endswith(done["code"])
    assert done["participant"] == browser.code
    [one] = served.study.participants.values()
    assert [given["trial"] for given in one.answers] == seen
    assert one.answers[0]["exposure"] == {"shown_ms": 200.1, "frame_ms": 16.7, "hidden": False}
    assert one.answers[0]["response_ms"] == 812.5


def test_before_the_end_there_is_no_completion_code(served: ServedStudy) -> None:
    browser = served.started()
    assert browser.get("/api/completion").json() == {
        "code": None,
        "link": None,
        "participant": browser.code,
    }


def test_the_source_reaches_the_study_and_the_cookie_is_out_of_reach_of_scripts(
    served: ServedStudy,
) -> None:
    browser = served.browser()
    sent = browser.post("/api/enrol", {"source": {"PROLIFIC_PID": "p1", "utm": "x"}})
    [one] = served.study.participants.values()
    assert one.source == {"PROLIFIC_PID": "p1"}
    attributes = {part.strip().lower() for part in sent.headers["set-cookie"].split(";")[1:]}
    assert attributes >= {"httponly", "samesite=strict", "path=/", "max-age=1209600"}
    assert "secure" not in attributes  # it would not come back over plain HTTP


def test_enrolling_again_resumes_the_session_unless_another_person_starts(
    served: ServedStudy,
) -> None:
    browser = served.started()
    code = browser.code
    assert browser.post("/api/enrol", {}).json() == browser.get("/api/progress").json()
    assert browser.code == code
    browser.post("/api/enrol", {"fresh": True})
    assert browser.code != code
    assert len(served.study.participants) == 2


@pytest.mark.parametrize("path", SESSION_PATHS)
@pytest.mark.parametrize("token", ["", "x", "a.b.c.d", "é" * 40, "." * 299, "9" * 5_000])
def test_without_a_valid_session_nothing_is_said(
    served: ServedStudy, path: str, token: str
) -> None:
    served.started()
    headers = {"Cookie": f"snellen-study={token}".encode()}
    sent = served.browser().client.get(path, headers=headers)  # type: ignore[arg-type]
    assert (sent.status_code, sent.json()["error"]) == (401, "no-session")


def test_the_token_of_another_study_is_no_session(served: ServedStudy, tmp_path: Path) -> None:
    other = ServedStudy(tmp_path / "other", served.study)
    browser, stranger = served.started(), other.browser()
    stranger.client.cookies.set("snellen-study", browser.token)
    assert stranger.get("/api/my-data").status_code == 401


def test_participants_see_nothing_of_one_another(served: ServedStudy) -> None:
    one, other = served.started(), served.started()
    trial = current(one)
    assert other.get(f"/api/picture/{trial.pictures[0].name}").status_code == 409
    assert other.answer(trial).status_code == 409
    one.answer(trial)
    assert len(one.get("/api/my-data").json()["answers"]) == 1
    assert other.get("/api/my-data").json()["answers"] == []
    assert one.code not in other.get("/api/my-data").text


def test_nothing_a_participant_can_get_holds_truth_or_a_path(served: ServedStudy) -> None:
    browser = served.started()
    said = []
    while (trial := browser.trial()) is not None:
        said += [browser.get(path).text for path in (*SESSION_PATHS, "/api/wording", "/admin")]
        said += [json.dumps(trial.model_dump(mode="json")), browser.answer(trial).text]
    text = "\n".join(said)
    assert SECRET not in text
    assert str(served.folder) not in text
    assert "sanity" not in text


def test_the_same_answer_twice_is_kept_once_and_answered_alike(served: ServedStudy) -> None:
    browser = served.started()
    trial = current(browser)
    first, again = browser.answer(trial), browser.answer(trial)
    assert first.json() == again.json()
    assert len(served.study.answers(0, 10)) == 1


def test_a_trial_is_not_answered_twice_nor_out_of_order(served: ServedStudy) -> None:
    browser = served.started()
    trial = current(browser)
    browser.answer(trial)
    later = current(browser)
    browser.answer(later)
    before = served.study.state()
    other = {"kind": "choice", "choice": "no car"}
    for sent in (
        browser.answer(trial),  # long answered
        browser.answer(trial, answer=other),
        browser.answer(later, answer=other),
        browser.answer(later, trial="0" * 24),
        browser.post("/api/stage", {"stage": "consent"}),
        browser.post("/api/stage", {"stage": "finished"}),
        browser.get("/api/picture/" + trial.pictures[0].name),
    ):
        assert (sent.status_code, sent.json()["error"]) == (409, "out-of-order")
    assert served.study.state() == before


def test_a_stage_is_left_once(served: ServedStudy) -> None:
    browser = served.participant()
    assert browser.post("/api/stage", {"stage": "instructions"}).status_code == 409
    first = browser.post("/api/stage", {"stage": "consent"}).json()
    assert first["stage"] == "instructions"
    assert browser.post("/api/stage", {"stage": "consent"}).json() == first


@pytest.mark.parametrize(
    "changes",
    [
        {"answer": {"kind": "choice", "choice": "bus"}},
        {"answer": {"kind": "choice", "choice": "x" * 201}},
        {"answer": {"kind": "boxes", "boxes": []}},
        {"answer": {"kind": "shell", "choice": "car"}},
        {"answer": {"kind": "choice", "choice": "car", "truth": 1}},
        {"answer": None},
        {"response_ms": -1},
        {"response_ms": 1e300},
        {"response_ms": "fast"},
        {"response_ms": "812.5"},
        {"response_ms": True},
        {"exposure": {"hidden": 1}},
        {"exposure": {"shown_ms": -5}},
        {"trial": "x" * 65},
        {"trial": ""},
        {"correct": True},
    ],
    ids=str,
)
def test_an_answer_that_does_not_fit_is_refused_whole(
    served: ServedStudy, changes: dict[str, object]
) -> None:
    browser = served.started()
    before = served.study.state()
    sent = browser.answer(current(browser), **changes)
    assert (sent.status_code, sent.json()["error"]) == (422, "invalid")
    assert served.study.state() == before


@pytest.mark.parametrize(
    "text",
    ['{"trial": NaN}', '{"a"', "[" * 3_000, "1" * 4_000, '"\\ud800"', "null", "[]", "{}", "\x00"],
)
@pytest.mark.parametrize("path", ["/api/answer", "/api/enrol", "/api/stage"])
def test_a_body_that_is_no_such_json_is_refused(served: ServedStudy, path: str, text: str) -> None:
    browser = served.started()
    before = served.study.state()
    headers = {"X-Snellen-Study": "1", "Content-Type": "application/json"}
    sent = browser.client.post(path, content=text, headers=headers)
    if (path, text) == ("/api/enrol", "{}"):
        assert sent.status_code == 200
    else:
        assert sent.status_code in (400, 422)
        assert sent.json()["error"] in ("malformed", "invalid")
    assert served.study.state() == before


def test_not_a_number_is_no_time(served: ServedStudy) -> None:
    browser = served.started()
    text = json.dumps(answer_body(current(browser))).replace("812.5", "NaN")
    headers = {"X-Snellen-Study": "1", "Content-Type": "application/json"}
    assert browser.client.post("/api/answer", content=text, headers=headers).status_code == 422
    assert served.study.answers(0, 1) == []


def test_a_paused_study_says_so_and_takes_nothing(served: ServedStudy) -> None:
    browser = served.started()
    trial = current(browser)
    browser.answer(trial)
    served.study.set_running(False)
    before = served.study.state()
    sent = browser.post("/api/answer", answer_body(trial) | {"trial": "x"})
    assert (sent.status_code, sent.json()["error"]) == (409, "paused")
    assert served.browser().post("/api/enrol", {}).json()["error"] == "paused"
    assert browser.get("/api/progress").json()["stage"] == "paused"
    assert browser.answer(trial).status_code == 200  # its response may have been lost
    assert served.study.state() == before


def test_deleted_data_are_gone_with_the_session(served: ServedStudy) -> None:
    browser, other = served.started(), served.started()
    browser.answer(current(browser))
    code, token = browser.code, browser.token
    assert browser.delete("/api/my-data").json() == {"deleted": True}
    assert "snellen-study" not in browser.client.cookies
    assert code not in served.study.state()
    assert browser.get("/api/progress").status_code == 401
    browser.client.cookies.set("snellen-study", token)  # a copy of the token
    sent = browser.get("/api/progress")
    assert (sent.status_code, sent.json()["error"]) == (401, "no-session")
    assert other.get("/api/progress").status_code == 200


def test_after_deletion_the_same_browser_can_enrol_again(served: ServedStudy) -> None:
    browser = served.started()
    token = browser.token
    browser.delete("/api/my-data")
    browser.client.cookies.set("snellen-study", token)
    assert browser.post("/api/enrol", {}).json()["stage"] == "consent"


def test_a_picture_is_kept_by_the_browser_alone_and_asked_for_once(served: ServedStudy) -> None:
    browser = served.started()
    path = f"/api/picture/{current(browser).pictures[0].name}"
    sent = browser.get(path)
    assert sent.headers["cache-control"].startswith("private, ")
    same = browser.get(path, {"If-None-Match": sent.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")
    stranger = served.started().get(path, {"If-None-Match": sent.headers["etag"]})
    assert stranger.status_code == 409


@pytest.mark.parametrize("task", list(StudyTask))
def test_every_task_is_answered_in_its_own_kind_only(served: ServedStudy, task: StudyTask) -> None:
    browser = served.started()
    while current(browser).task != task:
        browser.answer(current(browser))
    trial = current(browser)
    kinds = {
        "choice": {"kind": "choice", "choice": "car"},
        "boxes": {"kind": "boxes", "boxes": [[1, 1, 9, 9]]},
        "outline": {"kind": "outline", "strokes": [{"points": [[1, 1]], "radius": 3}]},
        "order": {"kind": "order", "order": [one.name for one in trial.pictures] + ["x"]},
    }
    own = answer_body(trial)["answer"]["kind"]
    for kind, given in kinds.items():
        if kind != own:
            assert browser.answer(trial, answer=given).status_code == 422
    assert browser.answer(trial).status_code == 200
