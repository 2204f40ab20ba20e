"""A new subject is run as its baseline was, on this machine or another."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.configuration import read_yaml
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.report.baseline.baseline_campaign import BaselineCampaign, baseline_campaign
from snellen.report.baseline.baseline_gate import gated_against
from snellen.store.compared_run import ComparedRun
from snellen.store.journal import journal_of

BASE: dict[str, Any] = {
    "method": "identity",
    "seed": 4,
    "subject": {"kind": "planted"},
    "scenes": {"kind": "folder", "path": "pictures"},
    "engine": {"workers": 0, "cache": False, "questions": 100},
    "out": "old",
}


def project(folder: Path, config: dict[str, Any]) -> Path:
    """A folder with two pictures and a configuration."""
    import cv2
    import numpy as np

    (folder / "pictures").mkdir(parents=True)
    for name in "ab":
        cv2.imwrite(str(folder / "pictures" / f"{name}.png"), np.full((64, 64, 3), 90, np.uint8))
    (folder / "snellen.yaml").write_text(yaml.safe_dump(config))
    return folder


def as_baseline(target: Path, old: Path, *overrides: str) -> BaselineCampaign:
    with closing(journal_of(old)) as journal:
        base = ComparedRun("A", old, journal, read_yaml(old / "config.yaml"))
        return baseline_campaign(target, overrides, base)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A baseline in a project of its own."""
    folder = project(tmp_path / "one", BASE)
    run_campaign(campaign_from(BASE, folder / "snellen.yaml"))
    return folder / "old"


def test_all_but_the_subject_is_the_baseline_s(old: Path, tmp_path: Path) -> None:
    (tmp_path / "new.yaml").write_text(yaml.safe_dump({
        "method": "identity", "seed": 9, "subject": {"kind": "planted", "fault": "restless"},
        "engine": {"workers": 2, "questions": 5}, "out": "new"}))  # fmt: skip
    made = as_baseline(tmp_path / "new.yaml", old, "engine.batch=3")
    campaign = made.campaign
    assert (campaign.seed, campaign.engine.questions) == (4, 100)
    assert (campaign.engine.workers, campaign.engine.batch) == (2, 3), "how it is executed"
    assert campaign.subject["fault"] == "restless"
    assert campaign.scenes is not None
    assert campaign.scenes["path"] == str(tmp_path / "one" / "pictures"), "where they are"
    assert campaign.out_folder == tmp_path / "new"
    assert made.replaced == ("seed",)


def test_a_baseline_of_another_machine_takes_the_scenes_of_this_one(
    old: Path, tmp_path: Path
) -> None:
    """Its folder is gone, so that paths are those of the configuration; nothing is refused."""
    kept = shutil.move(old, tmp_path / "downloaded")
    shutil.rmtree(tmp_path / "one")
    two = project(tmp_path / "two", {**BASE, "out": "new"})
    made = as_baseline(two / "snellen.yaml", Path(kept))
    assert made.campaign.scenes is not None
    assert made.campaign.scenes["path"] == "pictures"
    assert made.replaced == ()
    run_campaign(made.campaign)
    found = gated_against(two / "new", Path(kept))
    assert found.comparison.scenes == 2
    assert not [one for one in found.comparison.warnings if "different places" in one]
