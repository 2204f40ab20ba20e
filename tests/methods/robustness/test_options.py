"""Options of robustness as a run takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.changes.paste.blending import Blending
from snellen.engine.campaign import campaign_from
from snellen.methods.robustness.options import RobustnessOptions


@pytest.mark.parametrize(
    ("given", "tests", "blending"),
    [
        ({"as_published": True}, 100, Blending.HARD),
        ({"as_published": True, "tests_per_level": 2}, 2, Blending.HARD),
        ({"as_published": True, "blending": "feather"}, 100, Blending.FEATHER),
        ({}, 10, Blending.FEATHER),
    ],
)
def test_what_the_authors_fixed_survives_a_campaign_that_fills_in_defaults(
    given: dict[str, Any], tests: int, blending: Blending
) -> None:
    values = {
        "method": "robustness",
        "subject": {"kind": "darknet", "cfg": "a.cfg", "weights": "a.weights"},
        "scenes": {"kind": "synthetic"},
        "robustness": given,
    }
    campaign = campaign_from(values, Path("run.yaml"))
    options = RobustnessOptions.model_validate(campaign.options)
    assert (options.tests_per_level, options.blending) == (tests, blending)
