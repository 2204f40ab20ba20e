"""The numbers of a camera+LiDAR run: errors by class and sensor, distance, kind, and search."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.contract.verdict import TEST, Case, Verdict, status_of
from snellen.methods.fusion.own_numbers import FusionNumbers, SearchNumbers, ViewCounts
from snellen.methods.fusion.section import fusion_sections
from snellen.methods.fusion.view import VIEW
from snellen.methods.fusion.words import search_words
from snellen.report.summary import summarise
from snellen.report.words import next_steps
from snellen.store.journal import Journal, UnitEnd
from snellen.store.summary import Summary
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import Event, EventKind, Severity

CLASSES = ("Car", "Van")
BOX = (20.0, 0.0, -0.9, 4.0, 1.7, 1.5, 0.0)


def happened(kind: str, *, solid: bool, hard: bool = True) -> Event:
    return Event(
        kind=EventKind(kind),
        label=0,
        before=0,
        after=0,
        margin=0.4,
        severity=Severity.HARD if hard else Severity.BORDERLINE,
        box=(1.0, 2.0, 3.0, 4.0),
        solid=BOX if solid else None,
    )


def case(
    meshes: list[str], distance: float, *events: Event, kept: bool = False, fitness: float = 0.1
) -> Case:
    recipe = Insert3D(tuple((name, distance, 0.0, -1.7, 0.0) for name in meshes), 1)
    none = Detections3D.empty()
    measured = {"distance": distance, "kept": float(kept), "fitness": fitness}
    measured |= {"visibility.modality_consistency": 0.9, "visibility.visibility_gap": 0.05}
    return Case(recipe, TEST, status_of(events), none, none, events, measured)


def summary_of(folder: Path, *units: list[Case], method: str = "fusion") -> Summary:
    with closing(Journal(folder / "journal.sqlite")) as journal:
        traits = {
            "name": "fusion system",
            "task": "detection-3d",
            "fingerprint": "f",
            "score": 0.5,
            "deterministic": True,
            "tolerance": 0.0,
            "classes": list(CLASSES),
        }
        facts = {"method": method, "snellen_version": "0", "seed": 1, "scenes": len(units)}
        journal.put({**facts, "units": len(units), "skipped": [], "subject": traits, "facts": {}})
        for number, cases in enumerate(units):
            chain = [place for place, one in enumerate(cases) if one.measurements["kept"]]
            failing = sum(cases[place].status == "failing" for place in chain[-1:])
            notes = {"chains": [chain, []], "failing_kept": failing, "no_room": number == 0}
            end = UnitEnd(number, f"u{number}", f"s{number}", 9, Verdict(tuple(cases), notes))
            journal.write(end, CLASSES)
        return summarise(journal)


@pytest.fixture
def summary(tmp_path: Path) -> Summary:
    lost = happened("lost", solid=True), happened("lost", solid=False)
    first = [
        case(["sedan-1"], 8.0),
        case(["sedan-2"], 12.0, *lost, kept=True, fitness=0.4),
        case(["sedan-2", "van-0"], 19.9, happened("appeared", solid=True)),
        case(["sedan-2", "bus-3"], 20.0, happened("moved", solid=False, hard=False)),
    ]
    second = [
        case(["van-1"], 35.0, happened("inserted-missed", solid=True), kept=True, fitness=0.2),
        case(["van-1", "van-2"], 36.0, happened("moved", solid=True), *lost),
        case(["van-1", "my-bus"], 37.0, happened("relabelled", solid=False)),
    ]
    return summary_of(tmp_path, first, second)


@pytest.fixture
def found(summary: Summary) -> FusionNumbers:
    return FusionNumbers.model_validate(summary.own)


def test_the_numbers_keep_the_keys_of_a_summary_and_their_order(summary: Summary) -> None:
    own = summary.own
    assert own["errors"]["missing"] == {"3d": 3, "image": 2}
    assert list(own) == ["errors", "events", "by_distance", "by_kind", "by_objects", "search",
                         "agreement"]  # fmt: skip
    rated = ["cases", "failing", "rate"]
    assert list(own["by_distance"][0]) == ["low", "high", *rated]
    assert list(own["by_objects"][0]) == ["objects", *rated, "kept", "fitness", "highest_fitness"]


def test_events_are_the_papers_classes_in_3d_and_in_the_image(
    summary: Summary, found: FusionNumbers
) -> None:
    assert found.errors == {
        "missing": ViewCounts(solid=3, image=2),
        "false": ViewCounts(solid=1, image=0),
        "location": ViewCounts(solid=1, image=0),
        "class": ViewCounts(solid=0, image=1),
    }
    assert found.events["lost"] == ViewCounts(solid=2, image=2)
    counted = sum(one.solid + one.image for one in found.events.values())
    assert counted == sum(summary.events.values())


def test_bands_of_distance_hold_every_case_once(found: FusionNumbers) -> None:
    counted = {(one.low, one.high): (one.failing, one.cases) for one in found.by_distance}
    assert counted == {(0, 10): (0, 1), (10, 20): (2, 2), (20, 30): (0, 1), (30, 40): (3, 3)}
    for rate in (one.rate for one in found.by_distance):
        assert rate.value is not None
        assert rate.low <= rate.value <= rate.high


def test_kinds_are_of_what_was_put_in_last_the_worst_first(found: FusionNumbers) -> None:
    kinds = found.by_kind
    counted = {name: (one.failing, one.cases) for name, one in kinds.items()}
    assert counted == {"my-bus": (1, 1), "van": (3, 3), "sedan": (1, 2), "bus": (0, 1)}
    assert list(kinds)[-1] == "bus"


def test_fitness_is_of_what_was_kept_along_the_chain(found: FusionNumbers) -> None:
    one, two = found.by_objects
    assert (one.objects, one.cases, one.kept) == (1, 3, 2)
    assert one.fitness == pytest.approx(0.3)
    assert one.highest_fitness == 0.4
    assert (two.objects, two.cases, two.kept, two.fitness) == (2, 4, 0, None)
    assert found.search == SearchNumbers(
        insertions=7,
        kept=2,
        chains=4,
        chains_with_kept=2,
        failing_ends=2,
        longest=1,
        frames_full=1,
    )
    assert found.agreement.modality_consistency == 0.9


def test_words_name_errors_the_worst_band_and_the_search(
    summary: Summary, found: FusionNumbers
) -> None:
    rows = VIEW.rows(summary)
    assert rows["errors"].startswith("in 3D 3 missing, 1 false, 1 location; in the image 2 missing")
    assert "30 to 40 m (3 of 3)" in rows["most at"]
    assert "van (3 of 3)" in rows["most at"]
    assert rows["search"] == search_words(found.search)
    assert "1 frame had no room" in rows["search"]
    assert any("30 to 40 m" in step for step in next_steps(summary, Path("run")))


def test_a_run_without_failures_says_how_to_search_on(tmp_path: Path) -> None:
    summary = summary_of(tmp_path, [case(["sedan-1"], 8.0)])
    assert "most at" not in VIEW.rows(summary)
    assert VIEW.rows(summary)["errors"] == "in 3D none; in the image none"
    assert "fusion.tries" in VIEW.steps(summary, Path("run"))[0]


def test_a_run_that_put_nothing_in_says_so(tmp_path: Path) -> None:
    summary = summary_of(tmp_path, [])
    assert "nothing was inserted" in VIEW.steps(summary, Path("run"))[0]
    assert fusion_sections(FusionNumbers.model_validate(summary.own))


def test_runs_of_other_methods_have_none_of_it(tmp_path: Path) -> None:
    summary = summary_of(tmp_path, [case(["sedan-1"], 8.0)], method="identity")
    assert summary.own == {}


def test_the_page_shows_every_table(found: FusionNumbers) -> None:
    page = str(fusion_sections(found))
    for words in ("missing", "20 to 30 m", "my-bus", "mean fitness of accepted", "0.300"):
        assert words in page
