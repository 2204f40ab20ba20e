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
