"""A damaged row of the cache is a miss that is counted, never an answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from snellen.contract.questions import Answer
from snellen.engine.campaign import Campaign
from snellen.engine.prediction_cache import open_predictions
from snellen.engine.run import run_campaign
from snellen.store.journal import journal_of
from snellen.vision.detections import Detections


def answer(score: float) -> Answer:
    box = np.array([[0, 0, 8, 8]], np.float32)
    return Answer(Detections(box, np.zeros(1, np.int64), np.full(1, score, np.float32)), {"a": 0.5})


def altered(folder: Path, change: str) -> None:
    [path] = folder.rglob("*.sqlite")
    with closing(sqlite3.connect(path)) as db:
        db.execute(change)
        db.commit()


CHANGES = {
    "a digit": "UPDATE answers SET prediction = replace(prediction, '0.75', '0.25')",
    "a measurement": "UPDATE answers SET measurements = replace(measurements, '0.5', '0.6')",
    "text that is no JSON": "UPDATE answers SET prediction = 'x'",
    "another row's answer": (
        "UPDATE answers SET (prediction, measurements, checksum) = (SELECT prediction, "
        "measurements, checksum FROM answers WHERE key = 'other') WHERE key = 'one'"
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_damaged_row_is_a_counted_miss(
    tmp_path: Path, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        cache.put([("one", answer(0.75)), ("other", answer(0.5))])
        assert cache.get("one", ()) is not None
    altered(tmp_path, change)
    cache = open_predictions(tmp_path, "f" * 32)
    assert cache.get("one", ()) is None
    assert cache.damaged == 1
    cache.put([("one", answer(0.75))])
    found = cache.get("one", ("a",))
    assert found is not None
    assert found.prediction == answer(0.75).prediction
    cache.close()
    assert "1 cached answers were damaged" in caplog.text


def test_no_flipped_bit_changes_an_answer(tmp_path: Path) -> None:
    """Whatever byte of the file is damaged, an answer is the right one or none."""
    texts = [f"key {number}" for number in range(40)]
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        cache.put((text, answer(0.75)) for text in texts)
    [path] = tmp_path.rglob("*.sqlite")
    whole, wrong = path.read_bytes(), []
    for place in range(0, len(whole), 29):
        path.write_bytes(
            whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :]
        )
        with closing(open_predictions(tmp_path, "f" * 32)) as cache:
            found = [cache.get(text, ("a",)) for text in texts]
        right = answer(0.75)
        wrong += [
            place
            for one in found
            if one is not None
            and (one.prediction, dict(one.measurements)) != (right.prediction, right.measurements)
        ]
    assert wrong == []


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "no database": lambda data: b"no database " * 400,
    "truncated": lambda data: data[:5000],
    "garbage in its pages": lambda data: data[:4096] + b"\xff" * (len(data) - 4096),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_cache_that_is_no_database_any_more_is_begun_again(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    many = [(f"key {number}", answer(0.75)) for number in range(200)]
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        cache.put(many)
    [path] = tmp_path.rglob("*.sqlite")
    path.write_bytes(BROKEN[name](path.read_bytes()))
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        assert cache.get("key 7", ()) is None
    assert "is damaged and was deleted" in caplog.text
    for _ in range(2):
        with closing(open_predictions(tmp_path, "f" * 32)) as cache:
            cache.put(many)
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        assert cache.get("key 7", ()) is not None


def test_a_cache_of_a_version_without_checksums_is_used_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(tmp_path / f"{'f' * 32}.sqlite")) as db:
        db.execute(
            "CREATE TABLE answers (key TEXT PRIMARY KEY, prediction TEXT, measurements TEXT)"
        )
        db.execute("INSERT INTO answers VALUES ('one', '{}', '{}')")
        db.commit()
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        assert cache.get("one", ()) is None
        cache.put([("one", answer(0.75))])
        assert cache.get("one", ()) is not None
    assert caplog.text == ""


def test_text_that_is_not_utf8_is_a_counted_miss(tmp_path: Path) -> None:
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        cache.put([("one", answer(0.75)), ("other", answer(0.5))])
    altered(tmp_path, "UPDATE answers SET prediction = CAST(x'ff7b7d' AS TEXT) WHERE key = 'one'")
    with closing(open_predictions(tmp_path, "f" * 32)) as cache:
        assert cache.get("one", ()) is None
        assert cache.damaged == 1
        assert cache.get("other", ()) is not None


def test_a_run_with_a_damaged_cache_has_the_rows_of_one_without(
    campaign: Callable[..., Campaign], own_cache: Path
) -> None:
    first, second = campaign(out="first"), campaign(out="second")
    run_campaign(first)
    altered(own_cache, "UPDATE answers SET prediction = replace(prediction, '0.9', '0.1')")
    run_campaign(second)
    with (
        closing(journal_of(first.out_folder)) as one,
        closing(journal_of(second.out_folder)) as other,
    ):
        assert one.digest() == other.digest()
        assert other.get("damaged_answers")
