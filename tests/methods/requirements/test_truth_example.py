"""The example and the how-to page say what comes out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.report.gate import gate_of
from snellen.report.summary import write_summary

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "how-to" / "requirements.md").read_text(encoding="utf-8")


def test_the_example_finds_what_its_subject_cannot_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    for name in ("requirements.yaml", "tolerated.yml"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    campaign = load_campaign(tmp_path / "requirements.yaml", ["engine.workers=0"])
    run_campaign(campaign)
    summary = write_summary(campaign.out_folder)
    found = {one.name: one for one in summary.requirements}
    assert {name: one.status for name, one in found.items()} == {
        "noise-localise": "satisfied",
        "noise-classify": "satisfied",
        "fading": "violated",
        "fading-as-before": "violated",
    }
    assert found["fading"].says in PAGE
    assert gate_of(summary, campaign.out_folder).code == 1


def test_the_configuration_on_the_page_is_one(tmp_path: Path) -> None:
    [text] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "detector.yaml").write_text(text)
    campaign = load_campaign(tmp_path / "detector.yaml")
    assert campaign.options["samples"] == 4


def test_every_option_is_on_the_page() -> None:
    from snellen.methods.requirements.options import RequirementOptions

    listed = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| `.*$", PAGE, re.MULTILINE))))
    assert set(RequirementOptions.model_fields) <= listed
