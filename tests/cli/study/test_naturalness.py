"""`snellen study naturalness` as a user has it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from snellen.cli.study.group import app
from snellen.errors import UserError
from snellen.study.data import record_reader
from tests.study.estimates.test_naturalness import ranked
from tests.study.records import record_of


def test_the_ranking_is_said_in_words_and_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    record = ranked({"pasted": 0.0, "blended": 2.0}, 15, 4)
    monkeypatch.setattr(record_reader, "read_record", lambda folder: record)
    text = CliRunner().invoke(app, ["naturalness", "study"]).output
    assert "blended looks more natural than pasted" in text
    found = json.loads(CliRunner().invoke(app, ["naturalness", "study", "--json"]).output)
    assert list(found["mean_ranks"]) == ["blended", "pasted"]
    assert found["orders"] == 60


def test_a_study_without_orders_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_reader, "read_record", lambda folder: record_of([], [], []))
    result = CliRunner().invoke(app, ["naturalness", "study"])
    assert isinstance(result.exception, UserError)
    assert "task rank" in str(result.exception)
