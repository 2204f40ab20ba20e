"""`${NAME}` in a configuration: read when it is opened, kept as it is written everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.configuration.environment import expanded
from snellen.configuration.secret_values import without_secrets
from snellen.configuration.stored_configuration import check_storable, store_configuration
from snellen.engine.campaign import campaign_from
from snellen.engine.question_pipeline import failure_of
from snellen.errors import UserError
from snellen.errors.redaction import is_secret, redacted
from tests.engine.conftest import values


def test_values_are_read_in_any_text_but_the_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_TEST_DATA", "/data")
    monkeypatch.setenv("SNELLEN_TEST_KIND", "python")
    given = {
        "kind": "${SNELLEN_TEST_KIND}",
        "paths": ["${SNELLEN_TEST_DATA}/a", "b"],
        "inner": {"both": "${SNELLEN_TEST_DATA}:${SNELLEN_TEST_DATA}", "kind": "$x"},
        "price": "$5 {x}",
        "number": 3,
    }
    assert expanded(given, "scenes") == {
        "kind": "${SNELLEN_TEST_KIND}",
        "paths": ["/data/a", "b"],
        "inner": {"both": "/data:/data", "kind": "$x"},
        "price": "$5 {x}",
        "number": 3,
    }


def test_what_a_value_contains_is_no_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_TEST_ODD", "a${SNELLEN_TEST_UNSET}b")
    once = expanded({"x": "${SNELLEN_TEST_ODD}"}, "subject")
    assert expanded(once, "subject") == {"x": "a${SNELLEN_TEST_UNSET}b"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("${SNELLEN_TEST_UNSET}", "x.yaml: subject.model: .*SNELLEN_TEST_UNSET is not set"),
        ("${}", r"x.yaml: subject.model: found '\$\{\}', expected the name"),
        ("${a-b}", r"found '\$\{a-b\}'"),
    ],
)
def test_a_value_that_is_missing_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        expanded({"model": text}, "x.yaml: subject")


def test_a_campaign_is_resolved_and_hashed_as_it_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given = values(subject={"kind": "onnx", "model": "${SNELLEN_TEST_MODEL}"})
    digests = set()
    for model in ("a.onnx", "b.onnx"):
        monkeypatch.setenv("SNELLEN_TEST_MODEL", model)
        made = campaign_from(given, tmp_path / "snellen.yaml")
        assert made.resolved()["subject"]["model"] == "${SNELLEN_TEST_MODEL}"
        digests.add(made.digest())
    assert len(digests) == 1


def test_secrets_written_out_are_refused_where_they_would_be_stored(tmp_path: Path) -> None:
    given = {"subject": {"arguments": {"api_key": "hush-hush", "size": "large"}}}
    path = tmp_path / "config.yaml"
    with pytest.raises(UserError, match=r"subject.arguments.api_key.*api_key: \$\{API_KEY\}") as e:
        store_configuration(path, given, tmp_path / "mine.yaml")
    assert "hush-hush" not in str(e.value)
    assert not path.exists()
    check_storable({"subject": {"max_tokens": 5, "token": "", "password": None}}, path)


@pytest.mark.parametrize(("text", "mode"), [("${SNELLEN_TEST}", 0o600), ("plain", 0o644)])
def test_a_file_with_values_from_the_environment_is_private(
    tmp_path: Path, text: str, mode: int
) -> None:
    path = tmp_path / "config.yaml"
    store_configuration(path, {"subject": {"arguments": [text]}}, path)
    assert path.stat().st_mode & 0o777 & mode == path.stat().st_mode & 0o777
    assert (path.stat().st_mode & 0o077 == 0) == (mode == 0o600)


def test_secret_keys_are_known_by_their_words() -> None:
    for key in ("token", "HF_TOKEN", "apiKey", "secret", "client-secret", "Authorization"):
        assert is_secret(key), key
    for key in ("tokenizer", "keypoints", "kind", "passes", "key"):
        assert not is_secret(key), key
    nested = {"credentials": {"user": "u", "pin": [1234]}, "user": "u"}
    assert without_secrets(nested) == {
        "credentials": {"user": "(not shown)", "pin": ["(not shown)"]},
        "user": "u",
    }


def test_a_failure_of_any_kind_is_recorded_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_TEST_A", "open-sesame")
    expanded({"a": "${SNELLEN_TEST_A}"}, "subject")
    found = failure_of("method", ValueError("refused 'open-sesame'"))
    assert found.message == "refused '${SNELLEN_TEST_A}'"


def test_longer_hidden_values_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_TEST_A", "open-sesame")
    monkeypatch.setenv("SNELLEN_TEST_B", "open-sesame-street")
    expanded({"a": "${SNELLEN_TEST_A}", "b": "${SNELLEN_TEST_B}"}, "subject")
    assert redacted("at open-sesame-street") == "at ${SNELLEN_TEST_B}"
