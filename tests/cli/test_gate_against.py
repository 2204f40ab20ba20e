"""`snellen gate --against`: configurations that are run, refusals before that, and the files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.pages.gallery import WORDS_SCRIPT
from tests.browsing import Visit, browser  # noqa: F401  (fixture)
from tests.cli.conftest import Snellen
from tests.report.comparison.compared_runs import Made, write_run

BASE: dict[str, Any] = {
    "method": "insertion",
    "seed": 3,
    "subject": {"kind": "planted"},
    "scenes": {"kind": "synthetic", "count": 6, "seed": 5, "size": [144, 192]},
    "objects": {"kind": "synthetic", "count": 8, "seed": 9, "shade": "deep"},
    "insertion": {"per_object": 2, "controls": 0.5},
    "engine": {"workers": 0},
    "out": "old",
}
LOSES = {"kind": "planted", "fault": "loses", "distance": 12}


@pytest.fixture
def old(tmp_path: Path, snellen: Snellen) -> Path:
    """A finished baseline in the folder `old`."""
    (tmp_path / "old.yaml").write_text(yaml.safe_dump(BASE))
    done = snellen("run", "old.yaml")
    assert done.returncode == 0, done.stderr
    return tmp_path / "old"


def write(tmp_path: Path, **changes: Any) -> None:
    values = {**BASE, "subject": LOSES, "out": "new", **changes}
    known = {key: value for key, value in values.items() if value is not None}
    (tmp_path / "new.yaml").write_text(yaml.safe_dump(known))


def test_a_configuration_is_run_as_the_baseline_was_and_gated(
    old: Path, tmp_path: Path, snellen: Snellen, request: pytest.FixtureRequest
) -> None:
    """Another seed, other scenes and no objects: all but the subject are the baseline's."""
    scenes = {"kind": "synthetic", "count": 2, "seed": 8}
    write(tmp_path, seed=9, scenes=scenes, objects=None, insertion=None)
    done = snellen("gate", "new.yaml", "--against", "old", "--json", "--no-new-faults")
    assert done.returncode == 1, done.stderr
    values = json.loads(done.stdout)
    assert values["replaced"] == ["seed", "scenes"]
    assert values["comparison"]["scenes"] == 6
    assert {one["status"] for one in values["numbers"]} == {"worse"}
    made = yaml.safe_load((tmp_path / "new" / "config.yaml").read_text())
    was = yaml.safe_load((old / "config.yaml").read_text())
    assert all(made[key] == was[key] for key in ("seed", "scenes", "objects", "insertion"))
    first = values["new_faults"][0]
    assert first["fact"]
    assert Path(first["picture"]).exists()
    words = snellen("gate", "new", "--against", "old")
    assert words.returncode == 1
    assert "taken from the baseline" not in words.stdout, "of a run folder nothing is"
    _check_page(tmp_path / "new" / "gate.html", request)


def _check_page(page: Path, request: pytest.FixtureRequest) -> None:
    """Both subjects' answers to the same case stand side by side, and nothing is fetched."""
    text = page.read_text()
    assert WORDS_SCRIPT.text() in text
    assert text.count("baseline: the case") == text.count("new: the case") > 0
    visit = Visit(request.getfixturevalue("browser"), page, 390)
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 390
    assert visit.page.locator("h1").inner_text().endswith("failure rate, scenes with a fault")
    names = visit.page.locator(".new-fault").first.locator("figcaption b").all_inner_texts()
    assert names == [
        "baseline: unchanged scene", "baseline: the case", "new: unchanged scene", "new: the case",
    ]  # fmt: skip
    lost = visit.page.locator(".new-fault").first.locator(".shot.after")
    assert lost.nth(0).locator(".mark.lost").count() == 0, "the baseline loses nothing"
    assert lost.nth(1).locator(".mark.lost").count() > 0
    assert not visit.complaints
    assert visit.barriers() == []
    assert visit.sent_outside() == []
    assert visit.unreachable() == []
    assert visit.covered_words() == []


Change = Callable[[Path], None]


@pytest.mark.parametrize(
    ("arguments", "changes", "words", "end"),
    [
        (["--against", "gone"], {}, "is not a run folder", "snellen run CONFIG.yaml --out gone"),
        ([], {}, "checks no requirements", "snellen gate new.yaml --at-most 0.05"),
        (["--margin", "0.1"], {}, "need a baseline", "snellen gate new.yaml --against BASE_RUN"),
        (["--against", "old", "--margin", "1"], {}, "expected a share", "--margin 0.01"),
        (["--against", "old", "--out", "old"], {}, "is the baseline's", "--out old-new"),
        (["--against", "old"], {"method": "identity"}, "its method is identity", "old-identity"),
        (["--against", "old", "--markdown", "no/a.md"], {}, "is not a file", "--markdown gate.md"),
        (["--against", "old", "--at-most", "0.1"], {}, "two gates", "--against old"),
        (["--at-most", "5"], {}, "between 0 and 1", "--at-most 0.05"),
    ],
)
def test_what_has_nothing_to_gate_on_is_refused_before_anything_is_run(
    arguments: list[str],
    changes: dict[str, Any],
    words: str,
    end: str,
    snellen: Snellen,
    tmp_path: Path,
    runs: Callable[[str], Path],
) -> None:
    (tmp_path / "old").symlink_to(runs("insertion"))
    write(tmp_path, **changes)
    done = snellen("gate", "new.yaml", *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert words in done.stderr
    assert done.stderr.rstrip().endswith(end)
    assert not (tmp_path / "new").exists()


def test_scenes_that_are_gone_are_refused_before_anything_is_run(
    snellen: Snellen, tmp_path: Path
) -> None:
    """A baseline whose scenes were moved has none in common with those that are left."""
    write_run(tmp_path / "old", Made(), ["a", "b"])
    (tmp_path / "new.yaml").write_text(yaml.safe_dump({
        "method": "requirements", "subject": {"kind": "planted"}, "out": "new"}))  # fmt: skip
    done = snellen("gate", "new.yaml", "--against", "old")
    assert done.returncode == 2
    assert "no scene in common" in done.stderr
    assert not (tmp_path / "new").exists()


def test_any_run_can_be_limited_without_a_baseline(
    snellen: Snellen, tmp_path: Path, run_folder: Callable[[str], Path]
) -> None:
    bad, fine = run_folder("insertion"), run_folder("fine")
    assert snellen("gate", bad).returncode == 2, "it checks no requirements"
    failed = snellen("gate", bad, "--at-most", "0.05")
    assert failed.returncode == 1, failed.stderr
    assert "violated   at most 5% of cases fail: " in failed.stdout
    assert "at most 5% of cases fail" in (bad / "junit.xml").read_text()
    assert snellen("gate", fine, "--at-most", "0.9").returncode == 0
    few = snellen("gate", fine, "--at-most", "0.01")
    assert few.returncode == 3
    assert "more scenes like these would decide it" in few.stdout
