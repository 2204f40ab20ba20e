"""A run of robustness, which tests places around single instances, gives a set as well."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.retraining.set_maker import retraining_set_of
from snellen.store.codec import prediction_from_text
from snellen.store.journal import journal_of
from snellen.vision.detections import Detections
from tests.repair.retraining.conftest import CAMPAIGN


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    values = {
        **CAMPAIGN,
        "method": "robustness",
        "scenes": {**CAMPAIGN["scenes"], "count": 2},
        "robustness": {"tests_per_level": 4, "uncertainty": "none", "contour": "box"},
    }
    del values["insertion"]
    run_campaign(campaign_from(values, tmp_path / "snellen.yaml"))
    return tmp_path / "run"


def rows(run: Path) -> dict[str, tuple[dict[str, Any], Detections]]:
    with closing(journal_of(run)) as journal:
        found = journal.rows(
            "SELECT id, measurements, value FROM cases "
            "JOIN predictions ON predictions.number = cases.before WHERE status = 'failing'"
        )
    out = {}
    for id, measured, text in found:
        seen = prediction_from_text(text)
        assert isinstance(seen, Detections)
        out[id] = (json.loads(measured), seen)
    return out


def test_failing_places_come_with_the_instance_that_they_failed_for(run: Path) -> None:
    made = retraining_set_of(run, RetrainingOptions(failing=2, random=1)).pictures
    cases = rows(run)
    assert made
    for picture in made:
        assert any(one.why == "failing" for one in picture.inserted)
        for one in picture.inserted:
            measured, seen = cases[one.case]
            if one.why == "random":
                continue
            assert one.instance == int(measured["base"])
            x1, y1, x2, y2 = one.box
            assert ((x1 + x2) / 2, (y1 + y2) / 2) == pytest.approx(
                (measured["x"], measured["y"]), abs=0.51
            )
            base = seen.boxes[one.instance]
            across = min(x2, base[2]) - max(x1, base[0])
            down = min(y2, base[3]) - max(y1, base[1])
            assert np.minimum(across, down) <= 0, "the object hides the instance"
