"""The server as a process on a real port: signals, a power cut, and bytes that are no HTTP."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.study.server import http_server as http_server_module
from snellen.study.server.guard import HEAD_BYTES
from snellen.study.server.http_server import http_server, listen
from snellen.study.server.rate_limits import RateLimits, RequestRate
from snellen.study.server.serve import serve_participation
from snellen.study.server.server_options import ServerOptions
from snellen.study.trial import ShownTrial
from tests.study.fake_participation import FakeParticipation
from tests.study.server.served_study import ENDLESS, ServedStudy, answer_body
from tests.study.server.test_server_options import certificate
from tests.study.server.visitor import Visitor

ROOT = Path(__file__).parents[3]


@contextmanager
def process(folder: Path, trials: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The fake study as a program of its own, and its port."""
    command = [sys.executable, "-m", "tests.study.fake_server", str(folder), str(trials)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        try:
            assert started.stdout is not None
            links = json.loads(started.stdout.readline())
            yield started, int(links["participants"].rstrip("/").rpartition(":")[2])
        finally:
            started.kill()


def test_a_power_cut_loses_no_acknowledged_answer_and_sessions_go_on(tmp_path: Path) -> None:
    trials = 1_000
    with process(tmp_path, trials) as (server, port):
        visitors = [Visitor(port) for _ in range(4)]
        for one in visitors:
            one.start()
        threads = [threading.Thread(target=one.answer_all) for one in visitors]
        for thread in threads:
            thread.start()
        while sum(len(one.acknowledged) for one in visitors) < 40:
            time.sleep(0.01)
        server.kill()
        for thread in threads:
            thread.join()
    kept = FakeParticipation(trials=trials, journal=tmp_path / "journal")
    times = Counter(one["trial"] for one in kept.answers(0, 100_000))
    acknowledged = [name for one in visitors for name in one.acknowledged]
    assert len(acknowledged) >= 40
    assert {times[name] for name in acknowledged} == {1}
    assert times.total() - len(acknowledged) <= len(visitors)  # kept, but not yet acknowledged
    with process(tmp_path, trials) as (server, port):
        again = Visitor(port, visitors[0].cookie)
        done = [one["trial"] for one in again.ask("GET", "/api/my-data")["answers"]]
        assert done[: len(visitors[0].acknowledged)] == visitors[0].acknowledged
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 143


def test_ctrl_c_ends_the_server_when_requests_have_ended(tmp_path: Path) -> None:
    with process(tmp_path, 5) as (server, port):
        visitor = Visitor(port)
        visitor.start()
        visitor.answer_all()
        assert len(visitor.acknowledged) == 7
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=20)
        assert (server.returncode, errors) == (130, "")


@contextmanager
def running(served: ServedStudy, options: ServerOptions) -> Iterator[int]:
    """The port of a server in this process."""
    ready = threading.Event()
    server = http_server(served.guard, options, ready.set)
    with closing(listen(options)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        assert ready.wait(20)
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


@pytest.fixture
def port(served: ServedStudy, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Of a server that waits for the head of a request for 0.3 s only."""
    monkeypatch.setattr(http_server_module, "HEAD_SECONDS", 0.3)
    with running(served, ServerOptions(port=0)) as found:
        yield found


def sent(port: int, content: bytes, *, ends: bool = True) -> bytes:
    """What comes back until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        try:
            connection.sendall(content)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65_536), b""))
        except ConnectionError:
            return b""


ASKED = b"GET /api/trial HTTP/1.1\r\nHost: localhost\r\n\r\n"
HEAD = b"POST /api/enrol HTTP/1.1\r\nHost: localhost\r\nX-Snellen-Study: 1\r\n"
JSON_HEAD = HEAD + b"Content-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"GET /api/progress HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 401),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * HEAD_BYTES + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 17_000, 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404),
        (b"GET http://evil/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404),
        (JSON_HEAD + b"Content-Length: 9999999999\r\n\r\n{}", 413),
        (JSON_HEAD + b"Content-Length: -1\r\n\r\n{}", 400),
        (JSON_HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        (JSON_HEAD + b"Transfer-Encoding: gzip\r\n\r\n{}", 400),
        (JSON_HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n" + b"x" * 5_000, 413),
        (JSON_HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    ],
    ids=range(15),
)
def test_what_is_hardly_http_is_refused_at_once(
    served: ServedStudy, port: int, content: bytes, status: int
) -> None:
    before = served.study.state()
    response = sent(port, content, ends=False)
    assert int(response.split(b" ", 2)[1]) == status, response
    assert b"server:" not in response.lower()
    assert served.study.state() == before


def test_a_head_that_never_ends_is_not_waited_for(served: ServedStudy, port: int) -> None:
    for begun in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"):
        assert sent(port, begun, ends=False) == b""  # returns, for the server hangs up
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(b"GET /api/progress HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 401")
        connection.sendall(b"GET / HT")
        assert b"".join(iter(lambda: connection.recv(65_536), b"")).count(b"HTTP/1.1") == 0


def test_a_body_that_ends_early_changes_nothing(served: ServedStudy, port: int) -> None:
    assert sent(port, JSON_HEAD + b"Content-Length: 10\r\n\r\n{}") == b""
    assert served.study.participants == {}


def test_connections_send_small_packets_at_once(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the delay of small packets, every picture takes 40 ms longer."""
    seen: list[int] = []
    made = http_server_module.ImpatientProtocol.connection_made

    def noted(self: Any, transport: Any) -> None:
        connection = transport.get_extra_info("socket")
        seen.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        made(self, transport)

    monkeypatch.setattr(http_server_module.ImpatientProtocol, "connection_made", noted)
    Visitor(port).start()
    assert seen == [1]


def test_a_slow_participant_is_waited_for(served: ServedStudy, port: int) -> None:
    """The time to read a question is not the time that a request takes to arrive."""
    visitor = Visitor(port)
    visitor.start()
    connection = visitor.connection.sock
    time.sleep(0.5)
    visitor.ask("GET", "/api/progress")
    assert visitor.connection.sock is connection


BEGINNINGS = st.sampled_from((b"", b"GET ", b"GET / HTTP/1.1\r\n", JSON_HEAD))


@pytest.mark.parametrize(
    "count", [100, pytest.param(3_000, marks=[pytest.mark.thorough, pytest.mark.timeout(3_600)])]
)
def test_any_bytes_on_the_wire_leave_the_server_in_order(
    served: ServedStudy, port: int, count: int
) -> None:
    before = served.study.state()

    @settings(max_examples=count, database=None, phases=[Phase.generate])
    @given(BEGINNINGS, st.binary(max_size=2_000))
    def bytes_that_are_no_request(begin: bytes, rest: bytes) -> None:
        assert not sent(port, begin + rest).startswith(b"HTTP/1.1 5")

    bytes_that_are_no_request()
    assert served.study.state() == before
    Visitor(port).start()
    assert len(served.study.participants) == 1


@pytest.mark.parametrize(("behind_proxy", "last"), [(False, 429), (True, 401)])
def test_who_says_to_have_forwarded_is_believed_only_behind_a_proxy(
    tmp_path: Path, behind_proxy: bool, last: int
) -> None:
    limits = RateLimits(ENDLESS, RequestRate(0.01, 3), ENDLESS, ENDLESS, ENDLESS)
    options = ServerOptions(port=0, behind_proxy=behind_proxy, public="http://localhost")
    statuses = []
    with running(ServedStudy(tmp_path / "secrets", limits=limits), options) as port:
        for number in range(4):
            text = (
                f"GET /api/trial HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.{number}"
            )
            response = sent(port, f"{text}\r\nConnection: close\r\n\r\n".encode(), ends=False)
            statuses.append(int(response[9:12]))
    assert statuses == [401, 401, 401, last]


def test_by_https_a_session_comes_and_goes_encrypted(tmp_path: Path) -> None:
    options = certificate(tmp_path)
    served = ServedStudy(tmp_path / "secrets", options=options)
    with running(served, options) as port:
        visitor = Visitor(port)
        trusted = ssl.create_default_context(cafile=tmp_path / "cert.pem")
        visitor.connection = HTTPSConnection("127.0.0.1", port, timeout=20, context=trusted)
        visitor.start()
        visitor.answer_all()
        visitor.connection.close()
        assert sent(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == b""
    assert len(visitor.acknowledged) == 12
    assert visitor.cookie.startswith("__Host-")


def test_the_same_answer_from_many_tabs_at_once_is_kept_once(
    served: ServedStudy, port: int
) -> None:
    first = Visitor(port)
    first.start()
    trial = ShownTrial(**first.ask("GET", "/api/trial"))
    body, said = answer_body(trial), []

    def answer() -> None:
        said.append(Visitor(port, first.cookie).ask("POST", "/api/answer", body))

    threads = [threading.Thread(target=answer) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 12
    assert all(one == said[0] for one in said)
    assert len(served.study.answers(0, 100)) == 1


def test_a_port_in_use_is_an_error_with_the_next_step(tmp_path: Path) -> None:
    with closing(listen(ServerOptions(port=0))) as taken:
        options = ServerOptions(port=taken.getsockname()[1])
        with pytest.raises(UserError, match=r"--port \d+: cannot be bound: .*another port"):
            serve_participation(FakeParticipation(), tmp_path, options, print)
