"""The demo's configurations: valid, complete, and pinned to what was looked at."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

import pytest

import snellen as sn
from snellen.configuration.stored_configuration import as_yaml
from snellen.engine.campaign import Campaign, campaign_from
from snellen.exam.battery import check_sections
from snellen.starter.demo import ITEMS, demo_exam, demo_values, offline_values
from snellen.starter.items import catalogue

CATALOGUE = "3a952b842a9ad9340b8bb3031d6bdf2770d9b557e1c12e2d0a4a86dbfc60f363"
"""The SHA-256 of the catalogue: names, files, licences and pins."""


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """The demo, with its items in a folder."""
    return campaign_from(
        demo_values({name: tmp_path / name for name in ITEMS}), tmp_path / "x.yaml"
    )


def test_the_demo_reads_fetched_items_only(campaign: Campaign, tmp_path: Path) -> None:
    items = {name: catalogue()[name] for name in ITEMS}
    kept = {tmp_path / name / one.target for name, item in items.items() for one in item.members}
    assert {Path(campaign.subject[key]) for key in ("cfg", "weights")} <= kept
    assert campaign.scenes is not None
    for key, ending in {"images": ".jpg", "masks": ".png"}.items():
        folder = Path(campaign.scenes[key])
        assert [one.suffix for one in kept if folder in one.parents] == [ending] * 24
        assert campaign.objects is not None
        assert campaign.objects[key] == campaign.scenes[key]


def test_everything_that_fails_in_the_demo_can_be_proven(campaign: Campaign) -> None:
    assert campaign.engine.questions is None, "a budget would leave findings unexplained"
    assert campaign.engine.explain > 0
    assert campaign.options["controls"] > 0
    assert not campaign.options["as_published"]


def test_the_exam_of_the_demo_is_the_campaign_that_was_measured(tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ITEMS}
    values, campaign = demo_exam(places), demo_values(places)
    assert values["options"]["insertion"] == campaign["insertion"]
    assert values["model"] == campaign["subject"]
    assert values["minutes"] is None, "a time would make the faults depend on the machine"
    assert check_sections(values["options"])["engine"] == {"stop": None}


def test_the_pins_are_those_that_were_looked_at() -> None:
    data = files("snellen.starter").joinpath("catalogue.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == CATALOGUE


def test_every_fault_of_the_offline_demo_is_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    few = {**offline_values(), "scenes": {"kind": "synthetic", "count": 3}}
    (tmp_path / "demo.yaml").write_text(as_yaml(few))
    summary = sn.run(tmp_path / "demo.yaml").summary
    assert summary.faults.proven == summary.faults.count >= 5
    assert summary.faults.by_cause == {"place": summary.faults.count}
    assert summary.verdict.facts.startswith(f"{summary.faults.count} proven faults in 3 of 3")
