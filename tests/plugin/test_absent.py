"""A plug-in that is gone or broken is named; everything else goes on."""

from __future__ import annotations

import json
import logging
import os
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from snellen import plugins
from snellen.engine.schema import configuration_schema
from snellen.errors import UserError
from snellen.methods.kind import METHODS, view_of
from snellen.report.comparison.comparison import compared
from snellen.report.gate import gated
from snellen.report.replay import replay
from snellen.report.report import write_report
from snellen.session.campaign import run
from tests.plugin.conftest import Made, write_configuration


@pytest.fixture
def uninstalled(monkeypatch: pytest.MonkeyPatch, kept_run: Made) -> None:
    """No plug-in is installed."""
    kept_run("one-eyed")
    kept_run("perfect")
    monkeypatch.setattr(plugins, "installed", lambda group: {})


@pytest.mark.usefixtures("uninstalled")
def test_a_configuration_names_the_method_that_is_missing(tmp_path: Path) -> None:
    path = write_configuration(tmp_path)
    with pytest.raises(UserError, match=r"mirror\.yaml: method: unknown method 'mirror'; valid na"):
        run(path)


def test_a_run_of_a_missing_method_is_refused_where_its_relation_is_needed(
    a_run: Made, uninstalled: None
) -> None:
    folder = a_run("one-eyed")
    summary = (folder / "summary.json").read_bytes()
    id = sorted((folder / "findings").iterdir())[0].name
    for command in (lambda: gated(folder), lambda: replay(folder, id)):
        with pytest.raises(UserError, match=r"is a run of method 'mirror', which is not installed"):
            command()
    assert (folder / "summary.json").read_bytes() == summary, "nothing is written over"


def test_its_report_has_the_common_numbers_and_says_what_is_missing(
    a_run: Made, uninstalled: None, caplog: pytest.LogCaptureFixture
) -> None:
    folder = a_run("one-eyed")
    failing = json.loads((folder / "summary.json").read_text())["failing_cases"]
    with caplog.at_level(logging.WARNING):
        summary = write_report(folder)
    assert (summary.failing_cases, summary.own) == (failing, {})
    page = (folder / "report.html").read_text()
    assert "Method mirror is not installed, so its own numbers" in page
    assert "not installed" in caplog.text
    assert "Install the package" in view_of("mirror").rows(summary)["missing"]


def test_its_runs_can_still_be_compared(a_run: Made, uninstalled: None) -> None:
    found = compared(a_run("one-eyed"), a_run("perfect"))
    assert found.same.only_a > 0


@pytest.fixture(params=["no_such_module:METHOD", "json:loads", "tests.plugin.broken_plugin:METHOD"])
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the plug-in there is one that does not import, or is something else."""
    point = EntryPoint("broken", request.param, METHODS.group)
    found = {**plugins.installed(METHODS.group), "broken": point}
    other = plugins.installed
    monkeypatch.setattr(
        plugins, "installed", lambda group: found if group == METHODS.group else other(group)
    )


@pytest.mark.usefixtures("broken")
def test_a_broken_plugin_is_reported_and_the_others_work(
    kept_run: Made, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert set(METHODS.broken()) == {"broken"}
        schema = configuration_schema()
    assert "plug-in broken" in caplog.text
    assert "mirror" in schema["properties"]
    assert "broken" not in schema["properties"]
    assert run(write_configuration(tmp_path)).summary.method == "mirror"
    with pytest.raises(UserError, match=r"for method kind 'broken' does not load: .*Fix or unins"):
        run({"method": "broken", "subject": {"kind": "planted"}, "scenes": {"kind": "synthetic"}})


def test_options_without_a_schema_leave_the_rest_of_the_schema(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    point = EntryPoint("odd", "tests.plugin.broken_plugin:ODD", METHODS.group)
    monkeypatch.setattr(
        plugins, "installed", lambda group: {"odd": point} if group == METHODS.group else {}
    )
    with caplog.at_level(logging.WARNING):
        assert configuration_schema() == configuration_schema(builtin=True)
    assert "method kind odd is left out of the schema" in caplog.text


def test_this_process_has_the_plugin() -> None:
    """Or the tests above would show nothing."""
    assert "mirror" in METHODS.kinds()
    assert os.environ["SNELLEN_CACHE"]
