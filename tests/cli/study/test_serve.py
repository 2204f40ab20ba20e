"""`snellen study serve`: what it prints, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.engine.interrupts import Terminated
from snellen.errors import MissingExtraError, UserError
from snellen.study.server import serve as serve_module
from snellen.study.server.serve import StudyLinks, serve
from snellen.study.server.server_options import ServerOptions

LINKS = StudyLinks("Cars in fog", "http://a/", "http://a/admin#secret", "secret")
Ended = Callable[[type[BaseException]], list[ServerOptions]]


@pytest.fixture
def ends_with(monkeypatch: pytest.MonkeyPatch) -> Ended:
    """Lets a server end by an interrupt; the options that it was given."""

    def arrange(interrupt: type[BaseException]) -> list[ServerOptions]:
        seen: list[ServerOptions] = []

        def served(
            folder: Path, options: ServerOptions, announce: Callable[[StudyLinks], None]
        ) -> None:
            seen.append(options)
            announce(LINKS)
            raise interrupt

        monkeypatch.setattr(serve_module, "serve", served)
        return seen

    return arrange


@pytest.mark.parametrize(
    ("interrupt", "word", "code"),
    [(KeyboardInterrupt, "interrupted", 130), (Terminated, "terminated", 143)],
)
def test_it_prints_the_links_and_how_to_serve_again(
    ends_with: Ended, interrupt: type[BaseException], word: str, code: int
) -> None:
    ends_with(interrupt)
    done = CliRunner().invoke(app, ["study", "serve", "my study"])
    assert done.exit_code == code
    assert done.stdout.splitlines()[:3] == [
        "study:        Cars in fog",
        "participants: http://a/",
        "your page:    http://a/admin#secret",
    ]
    assert "Only this machine reaches it" in done.stdout
    assert done.stderr == (
        f"{word}; every answer is kept. Serve it again: snellen study serve 'my study'\n"
    )


def test_json_is_one_line_for_a_script(ends_with: Ended) -> None:
    ends_with(KeyboardInterrupt)
    done = CliRunner().invoke(app, ["study", "serve", "s", "--json"])
    assert json.loads(done.stdout) == {
        "participants": "http://a/",
        "owner": "http://a/admin#secret",
        "token": "secret",
    }


def test_options_reach_the_server_and_a_warning_the_owner(ends_with: Ended) -> None:
    seen = ends_with(KeyboardInterrupt)
    words = ["study", "serve", "s", "--host", "0.0.0.0", "--port", "80", "--address-rate", "500"]
    done = CliRunner().invoke(app, words)
    assert seen == [ServerOptions(host="0.0.0.0", port=80, address_rate=500.0)]
    assert "warning: --host 0.0.0.0 is reachable from other machines without" in done.stderr
    assert "Only this machine" not in done.stdout


def test_by_default_it_binds_to_this_machine_with_the_limits_that_stand(ends_with: Ended) -> None:
    seen = ends_with(KeyboardInterrupt)
    CliRunner().invoke(app, ["study", "serve", "s"])
    assert [(one.host, one.port) for one in seen] == [("127.0.0.1", 8765)]
    assert serve_module.rate_limits(seen[0].address_rate) == serve_module.rate_limits(None)


def test_a_folder_without_a_study_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not the folder of a study"):
        serve(tmp_path, ServerOptions(), print)
    assert list(tmp_path.iterdir()) == []


def test_without_its_packages_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve_module, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="the extra 'study'"):
        serve(tmp_path, ServerOptions(), print)
