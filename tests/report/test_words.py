"""What the numbers are said to mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.report.report import write_report
from snellen.report.terminal import print_summary
from snellen.report.words import next_steps, verdict
from tests.summaries import made_summary, rate


@pytest.mark.parametrize(
    ("changes", "begins"),
    [
        ({}, "The failures are real: cases fail more often than controls"),
        ({"difference": rate(0.05, -0.02, 0.1)}, "Not proven"),
        ({"difference": rate(0.05, 0.0, 0.1)}, "Not proven"),  # an interval that touches zero
        ({"difference": None}, "This run has no controls"),
        ({"method": "identity"}, "The same question got different answers"),
        ({"difference": rate(None)}, "This run has no controls"),
        ({"failure_rate": rate(None)}, "No case was judged"),
        (
            {"failing_cases": 0, "failure_rate": rate(0.0, 0.0, 0.04)},
            "No failure in 100 cases. With 95% confidence the true rate is below 4.0%",
        ),
    ],
)
def test_the_verdict_follows_the_interval_not_the_point(
    changes: dict[str, Any], begins: str
) -> None:
    assert verdict(made_summary(**changes)).startswith(begins)


def test_next_steps_name_report_and_replay(tmp_path: Path) -> None:
    (tmp_path / "report.html").touch()
    steps = next_steps(made_summary(), tmp_path, "abc")
    assert steps == [
        f"open {tmp_path / 'report.html'} in a browser",
        f"replay the worst finding: snellen replay {tmp_path} abc",
    ]


def test_a_wide_interval_asks_for_more_scenes(tmp_path: Path) -> None:
    [*_, last] = next_steps(made_summary(failure_rate=rate(0.2, 0.1, 0.4)), tmp_path, "abc")
    assert last.startswith("the interval is wide")


def test_a_run_that_inserted_nothing_says_where_to_look(tmp_path: Path) -> None:
    nothing = made_summary(failure_rate=rate(None), failing_cases=0, test_cases=0)
    [step] = next_steps(nothing, tmp_path)
    assert step.startswith("nothing was inserted")


def test_the_terminal_tells_all_of_it(run_folder: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = run_folder("insertion")
    print_summary(write_report(folder, pictures=1), folder)
    told = capsys.readouterr().out
    assert "failed in" in told
    for word in ("patch", "self-paste", "inserted", "relocation", "The failures are real"):
        assert word in told
    assert "report.html in a browser" in told
    assert f"snellen replay {folder}" in told
