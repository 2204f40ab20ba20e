"""The pages behind the real server, with a scripted study, in a thread of the test's process."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from tests.study.pages.scripted_study import ScriptedStudy

pytest.importorskip("uvicorn", reason="the extra 'study' is not installed")
pytest.importorskip("snellen.study.server", reason="the study's server is not there yet")

import uvicorn

from snellen.study.server.application import study_application
from snellen.study.server.guard import Guard
from snellen.study.server.http_server import listen
from snellen.study.server.owner_token import owner_token
from snellen.study.server.page_files import page_files
from snellen.study.server.rate_limits import RateLimits, RequestRate
from snellen.study.server.server_options import ServerOptions
from snellen.study.server.service import StudyService
from snellen.study.server.session_tokens import session_tokens

ENDLESS = RequestRate(1e9, 1e9)
NO_LIMITS = RateLimits(ENDLESS, ENDLESS, ENDLESS, ENDLESS, ENDLESS)


class ServedPages:
    """A server that answers until it is closed. address: of the participant's page."""

    def __init__(self, study: ScriptedStudy, folder: Path) -> None:
        options = ServerOptions(port=0)
        self.study, self.token = study, owner_token(folder)
        service = StudyService(study, session_tokens(folder), self.token, NO_LIMITS)
        guard = Guard(study_application(service, page_files()), options.names, NO_LIMITS)
        listener = listen(options)
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        config = uvicorn.Config(
            guard, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True)
        self._thread.start()
        self._listener = listener

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self._listener.close()


def wait_until(condition: object, seconds: float = 20) -> None:
    """Return once a condition holds; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "this did not happen"
        time.sleep(0.02)
