"""The pytest plug-in in suites of its own, each a process."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.processes import Done, finished, fresh
from tests.report.comparison.compared_runs import Made, requirement, write_run

SCENES = [f"s{n:03}" for n in range(50)]
HOW_TO = Path(__file__).parents[1] / "docs" / "how-to" / "gate.md"
HEAVY = ("numpy", "scipy", "numba", "cv2", "onnxruntime", "pydantic", "yaml", "snellen.report")
Suite = Callable[..., Done]


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """Run pytest on a file of tests with no plug-in but ours; `more`: further arguments."""
    return partial(_ended_suite, finished, tmp_path)


@pytest.fixture
def fresh_suite(tmp_path: Path) -> Suite:
    """The same in a Python that has imported nothing yet."""
    return partial(_ended_suite, fresh, tmp_path)


def _ended_suite(run: Callable[..., Done], tmp_path: Path, tests: str, *more: str) -> Done:
    (tmp_path / "test_mine.py").write_text(tests)
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "SNELLEN_CACHE": str(tmp_path / "cache"),
        "COLUMNS": "400",
    }
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = ["pytest", "-p", "snellen.pytest_plugin", "-p", "no:cacheprovider"]
    temporary = ["--basetemp", tmp_path / "temp"]
    return run([*command, *temporary, "-v", "-rA", *more], tmp_path, environment)


def small_campaign(tmp_path: Path, **more: Any) -> None:
    """A configuration of four scenes, too few for a verdict."""
    wanted = [
        requirement(name, transformation="brightness", subtask=name)
        for name in ("localise", "classify")
    ]
    known = {"snellen_requirements": 1, "requirements": wanted}
    (tmp_path / "requirements.yaml").write_text(yaml.safe_dump(known))
    config = {
        "method": "requirements",
        "subject": {"kind": "planted"},
        "scenes": {"kind": "synthetic", "count": 4, "size": [96, 96], "sides": [20, 30]},
        "requirements": {"file": "requirements.yaml", "samples": 1},
        "engine": {"workers": 0},
        **more,
    }
    (tmp_path / "winter.yaml").write_text(yaml.safe_dump(config))


def test_a_gate_in_a_test_passes_and_fails_with_its_sentences(suite: Suite, tmp_path: Path) -> None:
    wanted = [requirement(margin=0.1)]
    write_run(tmp_path / "good", Made(), SCENES, wanted)
    write_run(tmp_path / "bad", Made(changed=0.5), SCENES, wanted)
    write_run(tmp_path / "open", Made(), SCENES[:5], wanted)
    ended = suite(
        "def test_good(snellen_gate): assert snellen_gate('good').word == 'passed'\n"
        "def test_bad(snellen_gate): snellen_gate('bad')\n"
        "def test_open(snellen_gate): snellen_gate('open')\n"
        "def test_skipped(snellen_gate): snellen_gate('open', undecided='skip')\n"
        "def test_gone(snellen_gate): snellen_gate('gone.yaml')\n"
    )
    assert ended.returncode == 1
    assert "3 failed, 1 passed, 1 skipped" in ended.stdout
    assert "PASSED test_mine.py::test_good" in ended.stdout
    output = (
        r"FAILED test_mine.py::test_bad.*violated +frost: localise: recall of any label falls by"
    )
    assert re.search(output, ended.stdout)
    assert re.search(r"FAILED test_mine.py::test_open.*undecided", ended.stdout)
    assert re.search(r"FAILED test_mine.py::test_gone.*no verdict: .*gone.yaml", ended.stdout)
    assert "Traceback" not in ended.stdout


def test_a_mark_makes_one_test_of_each_requirement(suite: Suite, tmp_path: Path) -> None:
    wanted = [
        requirement("localise", margin=0.1),
        requirement("classify", subtask="classify", margin=0.2),
    ]
    write_run(tmp_path / "bad", Made(changed=0.5), SCENES, wanted)
    ended = suite(
        "import pytest\n"
        "@pytest.mark.snellen('bad')\n"
        "def test_winter(snellen_requirement):\n"
        "    assert snellen_requirement.folder.name == 'bad'\n"
        "    assert snellen_requirement.low <= snellen_requirement.value\n"
        "    snellen_requirement.check()\n",
        "--strict-markers",
    )
    assert "PASSED test_mine.py::test_winter[classify]" in ended.stdout
    failed = r"FAILED test_mine.py::test_winter\[localise\].*violated: localise: .*recall"
    assert re.search(failed, ended.stdout), ended.stdout
    assert "1 failed, 1 passed" in ended.stdout


def test_a_configuration_is_run_once_and_its_folder_is_left_alone(
    suite: Suite, tmp_path: Path
) -> None:
    small_campaign(tmp_path, out="mine")
    tests = (
        "import pytest\n"
        "@pytest.mark.snellen('winter.yaml')\n"
        "def test_winter(snellen_requirement):\n"
        "    snellen_requirement.check(undecided='skip')\n"
        "def test_whole(snellen_gate): snellen_gate('winter.yaml')\n"
    )
    ended = suite(tests)
    assert "1 failed, 2 skipped" in ended.stdout, ended.stdout
    assert "undecided" in ended.stdout
    folders = list((tmp_path / "temp").glob("snellen-winter-*/run/journal.sqlite"))
    assert len(folders) == 1
    assert not (tmp_path / "mine").exists()
    assert "1 failed, 2 skipped" in suite(tests).stdout, "and again, as a suite is"


def test_processes_of_xdist_share_one_run(suite: Suite, tmp_path: Path) -> None:
    small_campaign(tmp_path)
    tests = (
        "import pytest\n"
        "@pytest.mark.snellen('winter.yaml')\n"
        "def test_winter(snellen_requirement):\n"
        "    assert snellen_requirement.status == 'undecided'\n"
    )
    ended = suite(tests, "-p", "xdist", "-n", "2")
    assert "2 passed" in ended.stdout, ended.stdout + ended.stderr
    assert len(list((tmp_path / "temp").rglob("journal.sqlite"))) == 1


def test_scenes_that_failed_leave_no_requirement_satisfied(suite: Suite, tmp_path: Path) -> None:
    write_run(tmp_path / "run", Made(), SCENES, [requirement(margin=0.1)], errors=1)
    ended = suite(
        "import pytest\n"
        "@pytest.mark.snellen('run')\n"
        "def test_winter(snellen_requirement): snellen_requirement.check()\n"
    )
    assert re.search(r"FAILED.*undecided: frost", ended.stdout)
    assert "1 of 51 scenes ended in an error" in ended.stdout


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        ("@pytest.mark.snellen('x')\ndef test_a(): pass", "nothing is checked: use"),
        ("def test_a(snellen_requirement): pass", "which requirements?"),
        ("@pytest.mark.snellen\ndef test_a(snellen_requirement): pass", "which requirements?"),
        ("@pytest.mark.snellen('x.yaml')\ndef test_a(snellen_requirement): pass", "no such file"),
    ],
)
def test_a_mistake_in_a_suite_is_reported(tests: str, words: str, suite: Suite) -> None:
    ended = suite(f"import pytest\n{tests}\n")
    assert ended.returncode == 2
    assert words in ended.stdout


def test_any_run_is_gated_against_a_baseline_in_two_lines(suite: Suite, tmp_path: Path) -> None:
    write_run(tmp_path / "old", Made("old"), SCENES)
    write_run(tmp_path / "bad", Made("bad", changed=0.5, seed=2), SCENES)
    write_run(tmp_path / "other", Made("other"), SCENES, seed=5)
    ended = suite(
        "def test_same(snellen_gate): assert not snellen_gate('old', against='old').worse\n"
        "def test_bad(snellen_gate): snellen_gate('bad', against='old', margin=0.05)\n"
        "def test_open(snellen_gate): snellen_gate('old', against='old', undecided='skip')\n"
        "def test_wide(snellen_gate):\n"
        "    snellen_gate('old', against='old', margin=0.5, undecided='fail')\n"
        "def test_seed(snellen_gate): snellen_gate('other', against='old')\n"
        "def test_margin(snellen_gate): snellen_gate('old', margin=0.5)\n"
    )
    assert "3 failed, 2 passed, 1 skipped" in ended.stdout, ended.stdout
    assert re.search(r"FAILED test_mine.py::test_bad.*worse +failure rate: ", ended.stdout)
    assert re.search(
        r"FAILED test_mine.py::test_seed.*no verdict: .*seed \(1 and 5\)", ended.stdout
    )
    assert re.search(r"FAILED test_mine.py::test_margin.*need `against`", ended.stdout)
    assert (tmp_path / "bad" / "gate.html").exists()


def test_any_method_is_run_once_and_gated_with_and_without_a_baseline(
    suite: Suite, tmp_path: Path
) -> None:
    config: dict[str, Any] = {
        "method": "identity",
        "subject": {"kind": "planted"},
        "scenes": {"kind": "synthetic", "count": 12, "size": [144, 192]},
        "engine": {"workers": 0},
    }
    (tmp_path / "fine.yaml").write_text(yaml.safe_dump(config))
    config |= {"subject": {"kind": "planted", "fault": "restless", "rate": 0.9}, "scenes": None}
    (tmp_path / "bad.yaml").write_text(yaml.safe_dump(config))
    ended = suite(
        "def test_a_base(snellen_gate):\n"
        "    gate = snellen_gate('fine.yaml', at_most=0.9)\n"
        "    assert gate.code == 0\n"
        "def test_b_open(snellen_gate): snellen_gate('fine.yaml', at_most=0.01)\n"
        "def test_c_nothing(snellen_gate): snellen_gate('fine.yaml')\n"
        "def test_d_bad(snellen_gate, tmp_path_factory):\n"
        "    [base] = tmp_path_factory.getbasetemp().glob('snellen-fine-*/run')\n"
        "    snellen_gate('bad.yaml', against=base)\n"
    )
    assert "3 failed, 1 passed" in ended.stdout, ended.stdout
    assert re.search(r"FAILED test_mine.py::test_b_open.*undecided +at most 1%", ended.stdout)
    assert re.search(r"FAILED test_mine.py::test_c_nothing.*checks no requirements", ended.stdout)
    assert re.search(r"FAILED test_mine.py::test_d_bad.*worse +failure rate", ended.stdout)
    journals = (tmp_path / "temp").glob("snellen-*/run/journal.sqlite")
    assert len(list(journals)) == 2


def test_other_suites_are_left_alone(fresh_suite: Suite) -> None:
    """Nothing heavy is imported, and nothing is said, where no test asks for it."""
    ended = fresh_suite(
        "import sys\n"
        f"def test_light(): assert not [one for one in {HEAVY!r} if one in sys.modules]\n"
        "def test_mark(request):\n"
        "    assert any('snellen' in one for one in request.config.getini('markers'))\n",
        "-W",
        "error",
    )
    assert "2 passed" in ended.stdout, ended.stdout


@pytest.mark.thorough
def test_the_example_of_the_how_to_runs_as_it_is(fresh_suite: Suite, tmp_path: Path) -> None:
    [example] = re.findall(r"```python\n(.*?)```", HOW_TO.read_text(), flags=re.DOTALL)
    small_campaign(tmp_path)
    base = finished(
        ["snellen", "run", "winter.yaml", "--out", "runs/old"],
        tmp_path,
        {**os.environ, "SNELLEN_CACHE": str(tmp_path / "cache")},
    )
    assert base.returncode == 0, base.stderr
    ended = fresh_suite(example)
    assert ended.returncode == 1, "undecided, as four scenes are too few"
    assert "PASSED test_mine.py::test_the_detector_is_no_worse" in ended.stdout
    assert re.search(r"FAILED test_mine.py::test_few_cases_fail.*at most 5% of cases", ended.stdout)
    assert "test_winter[localise]" in ended.stdout
    assert "test_winter[classify]" in ended.stdout
    assert "test_the_detector_is_fit_for_winter" in ended.stdout
