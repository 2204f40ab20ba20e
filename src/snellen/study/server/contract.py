"""What the pages of a study ask its server, and what they get.

| request                    | body           | answer                                           |
| -------------------------- | -------------- | ------------------------------------------------ |
| `GET /`                    |                | `index.html`, the participant's page             |
| `GET /admin`               |                | `admin.html`, the owner's page; holds no data    |
| `GET /static/{name}`       |                | any other file of `study/pages/` (one flat folder) |
| `POST /api/enrol`          | `Enrolment`    | `Progress`; sets the session's cookie            |
| `GET /api/wording`         |                | `StudyWording`; needs no session                 |
| `GET /api/progress`        |                | `Progress`                                       |
| `POST /api/stage`          | `StagePassed`  | `Progress`                                       |
| `GET /api/trial`           |                | `ShownTrial`, or `null` where there is none now  |
| `GET /api/picture/{name}`  |                | the picture; only of the current trial           |
| `POST /api/answer`         | `SubmittedAnswer` | `AnswerReceipt`                               |
| `GET /api/completion`      |                | `Completion`; `code` is null until finished      |
| `GET /api/my-data`         |                | all that is kept about the participant           |
| `DELETE /api/my-data`      |                | `Deletion`; clears the cookie                    |
| `GET /api/admin/overview`  |                | `Overview`                                       |
| `POST /api/admin/running`  | `RunningState` | `Overview`                                       |
| `GET /api/admin/export`    |                | every answer, one JSON object a line             |

**Session.** Enrolling sets an HttpOnly cookie that the browser sends by itself; scripts never see
it. A page that has no session (401, `no-session`) enrols. Enrolling with a valid session resumes
it and makes no second participant, so it may be repeated; `fresh` starts another person on the
same browser.

**Changing requests.** Every POST and DELETE carries the header `X-Snellen-Study: 1`, else 403; a
body is sent as `Content-Type: application/json`, else 415. With fetch:
`fetch(url, {method, headers: {"X-Snellen-Study": "1", "Content-Type": "application/json"}, body})`.

**Lost responses.** Sending the same answer again is safe: it is kept once, and answered with the
current progress and trial. After `out-of-order` (409), ask for progress and trial and go on there.

**Owner.** `/api/admin/` takes `Authorization: Bearer TOKEN` and no cookie. The printed link is
`/admin#TOKEN`: the page may read the token from the fragment, which is never sent, and should then
remove it from the address (`history.replaceState`). Export: fetch it with the header and save the
blob.

**Errors** are a `Refusal` with a plain sentence to show:

| status | error          | what the page does                                                |
| ------ | -------------- | ----------------------------------------------------------------- |
| 400    | `malformed`    | a bug of the page                                                 |
| 401    | `no-session`   | enrol; for the owner: ask for the token                           |
| 403    | `forbidden`    | a bug of the page, or a request from another site                 |
| 404    | `not-found`    |                                                                   |
| 405    | `not-allowed`  |                                                                   |
| 409    | `out-of-order` | ask for progress and trial, go on there                           |
| 409    | `paused`       | the owner has stopped the study: say so, try again in a minute    |
| 408    | `malformed`    | the body did not arrive within 20 seconds: repeat                 |
| 413    | `too-large`    | thin out the outline: an answer may have 512 KiB, else 4 KiB      |
| 415    | `not-json`     | a bug of the page                                                 |
| 422    | `invalid`      | the answer does not fit the trial, or the body its model          |
| 431    | `too-large`    | a bug of the page: address and headers may have 16 KiB            |
| 429    | `too-many`     | wait for the seconds in `Retry-After`, then repeat                |
| 500    | `failure`      | repeat after a few seconds; nothing was kept                      |

**Pages.** The content security policy allows scripts, styles, pictures and requests from this
server only, pictures also as `blob:`; no inline script or style, no `style` attribute (set
`element.style` from a script instead), no `eval`, no `data:` pictures, no forms that submit. Name
an icon (`<link rel="icon" href="/static/icon.svg">`), else browsers ask for `/favicon.ico`.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

from snellen.study.trial import (
    Exposure,
    Milliseconds,
    Progress,
    Recorded,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyValue,
)

REQUEST_HEADER = "X-Snellen-Study"
"""On every request that changes something; another site cannot send it without our consent."""

SourceKey: TypeAlias = Annotated[str, Field(min_length=1, max_length=64)]
SourceText: TypeAlias = Annotated[str, Field(max_length=200)]


class Enrolment(StudyValue):
    """Enrol, or resume the session of this browser.

    source: the parameters of the page's address, such as `PROLIFIC_PID`; the study keeps those it
    needs. fresh: whether another person starts, whatever session the browser has.
    """

    source: Annotated[dict[SourceKey, SourceText], Field(max_length=16, default_factory=dict)]
    fresh: bool = False


class StagePassed(StudyValue):
    """The stage that the participant leaves: `consent` or `instructions`."""

    stage: Stage


class SubmittedAnswer(StudyValue):
    """The answer to a trial. trial: its name, as shown."""

    trial: Annotated[str, Field(min_length=1, max_length=64)]
    answer: StudyAnswer
    exposure: Exposure = Exposure()
    response_ms: Milliseconds


class AnswerReceipt(StudyValue):
    """An answer that is on the server's disk. trial: the next one, None where there is none now."""

    recorded: Recorded
    progress: Progress
    trial: ShownTrial | None


class Completion(StudyValue):
    """What a finished participant takes along; nothing of it before.

    code: for the recruiting site. link: to it, with the code, if the study has one. participant:
    the code under which answers are kept, by which the owner finds and deletes them.
    """

    code: str | None
    link: str | None
    participant: str


class Deletion(StudyValue):
    """Whether the data are gone."""

    deleted: bool = True


class RunningState(StudyValue):
    """Whether the study takes answers."""

    running: bool


class Refusal(StudyValue):
    """Why a request was refused. error: one word for scripts. message: a sentence for people."""

    error: str
    message: str
