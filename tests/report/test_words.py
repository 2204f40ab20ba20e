"""What the numbers are said to mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.report.report import write_report
from snellen.report.summary import write_summary
from snellen.report.terminal import print_summary
from snellen.report.words import next_steps, verdict, verdict_of
from tests.summaries import made_summary, rate


def fault_counts(**changes: Any) -> dict[str, Any]:
    """Nine faults in five scenes, none of them explained; changes: keys to replace."""
    worst = {
        "id": "f1",
        "finding": "abc",
        "scene": "0017",
        "words": "an inserted car makes the detector lose a dog in 0017 (score 0.88 to 0.22)",
        "cause": "unexplained",
        "says": "",
        "proven": False,
    }
    base = {"count": 9, "scenes": 5, "examined": 24, "worst": worst}
    return {**base, "by_cause": {"unexplained": 9}, **changes}


NOISE = {"deterministic": False, "name": "s", "task": "detection", "fingerprint": "f", "score": 0.5}
RATE = (
    "20 of 100 cases fail, 20.0% (95% interval 15.0% to 25.0%), and 0.0% of 20 comparable controls."
)
EXAMPLE = "an inserted car makes the detector lose a dog in 0017 (score 0.88 to 0.22)"


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [
        (
            {"faults": fault_counts()},
            "failures",
            f"9 faults in 5 of 24 scenes; for example, {EXAMPLE}. {RATE} The failures are not "
            "noise: cases fail more often, by +20.0 points (95% interval +10.0 to +25.0).",
        ),
        (
            {
                "faults": fault_counts(proven=7, proven_scenes=4),
                "difference": rate(0.05, -0.02, 0.1),
                "verdict": {"status": "undecided", "sentence": "", "more_scenes": 40},
            },
            "undecided",
            f"7 proven faults in 4 of 24 scenes (9 faults in all); for example, {EXAMPLE}. {RATE} "
            "Whether cases fail more often than controls is undecided: the difference is +5.0 "
            "points (95% interval -2.0 to +10.0). About 40 more scenes like these would decide it.",
        ),
        (
            {
                "faults": fault_counts(count=1, scenes=1, confirmed=1, confirmed_scenes=1),
                "subject": NOISE,
                "difference": rate(0.05, 0.0, 0.1),  # an interval that touches zero
            },
            "undecided",
            f"1 confirmed fault in 1 of 24 scenes: {EXAMPLE}. {RATE} Whether cases fail more "
            "often than controls is undecided: the difference is +5.0 points (95% interval 0.0 to "
            "+10.0).",
        ),
        (
            {"difference": rate(-0.01, -0.08, 0.06)},
            "no-more-than-controls",
            f"{RATE} Cases fail no more often than controls: the difference is -1.0 points (95% "
            "interval -8.0 to +6.0).",
        ),
        (
            {"difference": rate(0.005, -0.005, 0.015)},
            "no-more-than-controls",
            f"{RATE} Cases fail no more often than controls: the difference is +0.5 points (95% "
            "interval -0.5 to +1.5).",
        ),
        (
            {"difference": None},
            "undecided",
            "20 of 100 cases fail, 20.0% (95% interval 15.0% to 25.0%); this run has no comparable "
            "controls, so that rate can't be separated from the subject's noise.",
        ),
        ({"failure_rate": rate(None)}, "undecided", "No case was judged, so there is no verdict."),
        (
            {"failing_cases": 0, "failure_rate": rate(0.0, 0.0, 0.04)},
            "none",
            "No failure in 100 cases. With 95% confidence the true rate is below 4.0%.",
        ),
        (
            {
                "subject": NOISE,
                "failing_cases": 0,
                "flaky_cases": 31,
                "failure_rate": rate(0.0, 0.0, 0.04),
            },
            "flaky",
            "The subject gives different answers to the same question: 31 of 31 failures did not "
            "repeat and are not counted. None of 100 cases fails repeatedly. With 95% confidence "
            "the true rate is below 4.0%.",
        ),
        (
            {"checks": {"identity": {"cases": 30, "failing": 1}}},
            "flaky",
            "The subject gives different answers to the same question: it is declared "
            "deterministic, but 1 of 30 repeated questions got another answer. Set `deterministic: "
            f"false` for it, so that findings are confirmed before they are counted. {RATE} The "
            "failures are not noise: cases fail more often, by +20.0 points (95% interval +10.0 to "
            "+25.0).",
        ),
        (
            {"checks": {"self-paste": {"cases": 30, "failing": 1}}},
            "failures",
            "1 of 30 checks of the tool fails (self-paste): the subject is not deterministic, or "
            f"the tool is wrong. Don't rely on this run until you know which. {RATE} The failures "
            "are not noise: cases fail more often, by +20.0 points (95% interval +10.0 to +25.0).",
        ),
    ],
)
def test_the_verdict_leads_with_facts(changes: dict[str, Any], status: str, sentence: str) -> None:
    found = verdict_of(made_summary(**changes))
    assert (found.status, found.sentence) == (status, sentence)
    assert verdict(made_summary(**changes)) == sentence


def test_a_method_has_its_own_verdict() -> None:
    found = verdict_of(made_summary(method="identity"))
    assert found.sentence.startswith("The same question got different answers")
    assert found.status == "flaky"


@pytest.mark.parametrize(
    ("flaky", "failing", "low", "status"),
    [
        (2, 1, 0.1, "failures"),  # two answers that do not repeat say nothing
        (3, 30, 0.1, "failures"),  # fewer than a tenth
        (12, 100, 0.1, "failures"),  # flaky, but most failures repeat, more often than controls'
        (12, 100, -0.1, "flaky"),
        (100, 100, 0.1, "flaky"),  # half of what fails does not repeat: no rate is trusted
        (60, 0, 0.1, "flaky"),
    ],
)
def test_a_subject_is_flaky_if_many_failures_do_not_repeat(
    flaky: int, failing: int, low: float, status: str
) -> None:
    changes = {"flaky_cases": flaky, "failing_cases": failing, "difference": rate(0.2, low, 0.3)}
    found = verdict_of(made_summary(**changes, subject=NOISE))
    assert found.status == status
    assert found.warning.startswith("The subject gives different") == (flaky >= 12)


def test_failures_that_were_not_asked_again_are_not_said_to_differ() -> None:
    nothing = {"failing_cases": 0, "failure_rate": rate(0.0, 0.0, 0.04), "subject": NOISE}
    found = verdict_of(made_summary(**nothing, unconfirmed_cases=6))
    assert found.status == "undecided"
    assert found.sentence.startswith("6 of 6 failures could not be confirmed within the budget")
    assert found.sentence.endswith("No failure in 100 cases is confirmed, so there is no rate.")
    few = verdict_of(made_summary(subject=NOISE, unconfirmed_cases=1))
    assert few.status == "failures"
    assert few.warning.startswith("1 of 21 failures could not be confirmed")


@pytest.mark.parametrize(
    ("repeated", "status"),
    [
        ({"cases": 20, "failing": 1, "flaky": 1}, "failures"),
        ({"cases": 20, "failing": 1, "flaky": 2}, "flaky"),
        ({"cases": 100, "failing": 9}, "failures"),
        ({"cases": 100, "failing": 10}, "flaky"),
    ],
)
def test_repeated_questions_show_that_a_subject_is_flaky(
    repeated: dict[str, int], status: str
) -> None:
    found = verdict_of(made_summary(checks={"identity": repeated}, subject=NOISE))
    assert found.status == status


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["satisfied", "violated", "undecided"], "failures"),
        (["satisfied", "undecided"], "undecided"),
        (["satisfied"], "none"),
        ([], "failures"),  # without requirements, by rate
    ],
)
def test_requirements_decide_the_status(statuses: list[str], expected: str) -> None:
    told = {"value": 0.1, "low": 0.0, "high": 0.2, "says": ""}
    tests = [{"name": f"{n}", "status": one, **told} for n, one in enumerate(statuses)]
    assert verdict_of(made_summary(requirements=tests)).status == expected


def test_proven_faults_are_failures_even_without_controls() -> None:
    changes = {"difference": None, "faults": fault_counts(proven=2, proven_scenes=1)}
    assert verdict_of(made_summary(**changes)).status == "failures"


def test_next_steps_name_report_and_replay(tmp_path: Path) -> None:
    (tmp_path / "report.html").touch()
    steps = next_steps(made_summary(), tmp_path, "abc")
    assert steps == [
        f"open {tmp_path / 'report.html'} in a browser",
        f"replay the worst finding: snellen replay {tmp_path} abc",
    ]


def test_the_worst_fault_is_explained_and_replayed_first(tmp_path: Path) -> None:
    worst = {**fault_counts()["worst"], "cause": "object"}
    steps = next_steps(made_summary(faults=fault_counts(worst=worst)), tmp_path, "other")
    assert f"see why it fails: snellen explain {tmp_path} abc" in steps
    assert f"replay the worst finding: snellen replay {tmp_path} abc" in steps


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
    assert "faults in 6 of 6 scenes" in told
    for word in ("controls", "inserted", "relocation", "The failures are not noise"):
        assert word in told
    assert "report.html in a browser" in told
    assert f"snellen replay {folder}" in told


def test_a_restless_subject_is_called_flaky_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not "no failure in 89 cases": what fails once and not again is not counted, but said."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    values = {
        "method": "insertion",
        "subject": {"kind": "planted", "fault": "restless", "rate": 0.5},
        "scenes": {"kind": "synthetic", "count": 3, "seed": 5, "size": [144, 192]},
        "objects": {"kind": "synthetic", "count": 4, "seed": 9, "shade": "deep"},
        "engine": {"workers": 0, "cache": False},
        "out": "run",
    }
    run_campaign(campaign_from(values, tmp_path / "snellen.yaml"))
    print_summary(write_summary(tmp_path / "run"), tmp_path / "run")
    title, first, *_ = capsys.readouterr().out.splitlines()
    assert title.endswith("gives different answers to the same question")
    assert first.startswith("The subject gives different answers")
