"""`snellen explain` of a finding of the plug-in's method."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from snellen.disk.trust import TRUST
from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.report.finding_explanation import explain
from snellen.store.explanations import explanation_of
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from tests.plugin.conftest import PLUGIN, SCENES, Made, Snellen, write_configuration
from tests.report.test_page import parsed


@pytest.fixture
def run(kept_run: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a finished run whose subject can be asked."""
    whole = kept_run("one-eyed")
    monkeypatch.syspath_prepend(str(whole.parent))
    return Path(shutil.copytree(whole, tmp_path / "run"))


def first_of(run: Path) -> Any:
    with closing(journal_of(run)) as journal:
        finding = findings(journal)[0]
        return explanation_of(journal, finding), journal.digest()


def test_what_the_run_has_is_shown_without_asking(run: Path) -> None:
    known, digest = first_of(run)
    found = explain(run, known.finding.id[:8])
    assert found.recorded
    assert found.explanation.to_json() == known.to_json()
    written = json.loads((run / "findings" / known.finding.id / "explanation.json").read_text())
    assert written == known.to_json()
    assert first_of(run)[1] == digest


def test_asked_again_the_answers_are_the_same(run: Path, tmp_path: Path) -> None:
    known, digest = first_of(run)
    found = explain(run, known.finding.id, again=True, out=tmp_path / "page")
    assert not found.recorded
    assert found.explanation.to_json() == known.to_json()
    assert [one.case.events for one in found.explanation.rungs] == [
        one.case.events for one in known.rungs
    ]
    assert first_of(run)[1] == digest, "the journal is left as it is"
    assert found.page == tmp_path / "page" / "explanation.html"
    page = found.page.read_text()
    assert parsed(page).addresses == []
    assert page.count('class="rung"') == len(known.rungs) + 2, "scene, finding, and the rungs"
    for word in ("the unchanged scene", "the object alone, mirrored in its place", "holds"):
        assert word in page


def test_a_run_without_explanations_is_asked(tmp_path: Path, monkeypatch: Any) -> None:
    path = write_configuration(
        tmp_path, engine={"workers": 0, "explain": 0}, scenes={**SCENES, "count": 8}
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    campaign = load_campaign(path)
    run_campaign(campaign)
    known, _ = first_of(campaign.out_folder)
    assert known is None
    with closing(journal_of(campaign.out_folder)) as journal:
        id = findings(journal)[0].id
    found = explain(campaign.out_folder, id)
    assert (found.explanation.cause.cause, found.recorded) == ("scene", False)
    assert found.page is not None
    assert (found.folder / "overlay.png").exists(), "the finding had no folder yet"


def test_another_subject_explains_nothing(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known, _ = first_of(run)
    monkeypatch.setattr(TRUST, "everything", True)  # although the configuration was changed
    config = (run / "config.yaml").read_text()
    (run / "config.yaml").write_text(config.replace("score: 0.5", "score: 0.6"))
    with pytest.raises(UserError, match=r"not the one of the run: score was 0\.5 and is now 0\.6"):
        explain(run, known.finding.id, again=True)


def test_only_findings_are_explained(run: Path) -> None:
    with closing(journal_of(run)) as journal:
        [(id,)] = journal.rows("SELECT id FROM cases WHERE role LIKE 'control:%' LIMIT 1")
    with pytest.raises(UserError, match="is no finding: it is a control:reencode that is holds"):
        explain(run, id)
    with pytest.raises(UserError, match="has no case 'nothing'"):
        explain(run, "nothing")


def test_the_command_prints_the_rungs(run: Path, snellen: Snellen) -> None:
    known, _ = first_of(run)
    told = snellen("explain", str(run), known.finding.id)
    assert told.returncode == 0, told.stderr
    assert "cause: scene" in told.stdout
    assert "the object alone, mirrored in its place" in told.stdout
    assert "explanation.html" in told.stdout
    values = json.loads(snellen("explain", str(run), known.finding.id, "--json").stdout)
    assert set(values) == {"id", "cause", "proven", "says", "smallest", "rungs"}
    assert set(values["rungs"][0]) == {"name", "persists", "status", "recipe"}


def test_the_guide_shows_the_keys_that_are_printed(run: Path) -> None:
    guide = (PLUGIN.parents[1] / "docs" / "how-to" / "explain.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```json\n(.*?)```", guide, re.DOTALL)
    known, _ = first_of(run)
    shown, printed = json.loads(example), known.to_json()
    assert list(shown) == list(printed)
    assert list(shown["rungs"][0]) == list(printed["rungs"][0])
