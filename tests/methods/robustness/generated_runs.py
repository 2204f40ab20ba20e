"""Runs of robustness on generated scenes, for the tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.store.journal import Journal

Run = Callable[..., Campaign]
SCENES = {"kind": "synthetic", "size": [176, 208], "sides": [28, 40], "objects": [1, 2]}
OBJECTS = {**SCENES, "shade": "deep", "seed": 2, "count": 12}
QUICK = {"uncertainty": "none", "size_ratio": [0.6, 1.0], "tests_per_level": 4, "controls": 0.2}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run robustness on generated scenes; one library for all tests."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path.parent / "robustness-cache"))

    def call(
        subject: dict[str, Any],
        options: dict[str, Any] | None = None,
        count: int = 3,
        name: str = "run",
        **engine: Any,
    ) -> Campaign:
        campaign = campaign_from(
            {
                "method": "robustness",
                "subject": {"kind": "planted", **subject},
                "scenes": {**SCENES, "count": count},
                "objects": OBJECTS,
                "robustness": {**QUICK, **(options or {})},
                "engine": {"workers": 0, "cache": False, **engine},
                "out": name,
            },
            tmp_path / "c.yaml",
        )
        run_campaign(campaign)
        return campaign

    return call


def rows(campaign: Campaign, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query to a run's journal."""
    with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
        return journal.rows(query)


def digest(campaign: Campaign) -> str:
    """A hash of all rows of a run that must not depend on how it was run."""
    with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
        return journal.digest()


def cases_of(campaign: Campaign, role: str = "test") -> list[dict[str, Any]]:
    """The measurements of each case of a role, with its unit, status and recipe."""
    found = rows(
        campaign,
        "SELECT unit, status, recipe, measurements FROM cases "
        f"WHERE role LIKE '{role}' ORDER BY unit, number",
    )
    return [
        {"unit": unit, "status": status, "recipe": json.loads(recipe), **json.loads(told)}
        for unit, status, recipe, told in found
    ]


def instances(campaign: Campaign) -> list[dict[str, Any]]:
    """What the run noted of every base instance, with its unit."""
    found = rows(campaign, "SELECT number, notes FROM units ORDER BY number")
    return [{"unit": n, **one} for n, notes in found for one in json.loads(notes)["instances"]]
