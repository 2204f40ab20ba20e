"""Planted label correlations are found, named and ranked rightly; a perfect subject passes all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.combinations.dataset.baseline import COMPARED
from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.object_validation.single_objects import SINGLE
from snellen.methods.combinations.own_numbers import Accuracies, CombinationNumbers
from snellen.report.reopened_run import reopened
from snellen.report.summary import write_summary
from snellen.store.codec import prediction_from_text
from snellen.store.faults import faults
from snellen.store.findings import findings
from snellen.store.journal import Journal, journal_of
from snellen.subjects.planted.chance import chance, image_digest
from snellen.subjects.planted.perfect_classifier import PerfectClassifier
from snellen.vision.arrays import Image
from snellen.vision.label_vector import LabelVector
from snellen.vision.precision.label_precision import pairwise_coverage

NAMES = tuple(f"c{number:02d}" for number in range(12))
OBJECTS = {"kind": "synthetic", "count": 40, "seed": 3, "classes": NAMES, "prune": "none"}
HABITS = {"extra": [["c00", "c01"]], "missing": [["c02", "c03"]], "mismatch": [["c04", "c05"]]}
PLANTED = {"fault": "correlates", **HABITS}
PAIRS = {kind: pair for kind, [pair] in HABITS.items()}
Run = Callable[..., Campaign]
Wrong = tuple[str, str, frozenset[str]]
"""How a label is wrong, which, and the labels of the minimal part for that."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run combinations on generated objects; one library for all tests of this file."""
    folder = tmp_path_factory.mktemp("combinations")

    def call(
        name: str,
        subject: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
        objects: dict[str, Any] | None = None,
        **engine: Any,
    ) -> Campaign:
        campaign = campaign_from(
            {
                "method": "combinations",
                "seed": 1,
                "subject": {
                    "kind": "planted",
                    "task": "labels",
                    "classes": NAMES,
                    **(subject or {}),
                },
                "objects": {**OBJECTS, **(objects or {})},
                "combinations": {"images": 6, "longest": 224, **(options or {})},
                "engine": {"workers": 0, "cache": False, **engine},
                "out": name,
            },
            folder / "c.yaml",
        )
        run_campaign(campaign)
        return campaign

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(folder / "cache"))
        yield call


@pytest.fixture(scope="module")
def alone(run: Run) -> Campaign:
    """Habits that strike single objects too, which must not be validated for that."""
    return run("alone", PLANTED, {"validated": False})


@pytest.fixture(scope="module")
def together(run: Run) -> Campaign:
    """Habits that strike only in company, so every object passes validation."""
    return run("together", {**PLANTED, "with_others": True})


def rows(campaign: Campaign, query: str) -> list[tuple[Any, ...]]:
    with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
        return journal.rows(query)


@dataclass
class Failure:
    """A failing composition: the labels it shows, its cause and its minimal parts."""

    unit: int
    shown: frozenset[str]
    cause: str
    minimal: list[dict[str, Any]]

    def told(self) -> set[Wrong]:
        """A confusion is a label missed and another said, wherever the notes put them together."""
        found: set[Wrong] = set()
        for one in self.minimal:
            labels = frozenset(one["labels"])
            if one["kind"] != "extra":
                found.add(("missed", one["label"], labels))
            if one["kind"] != "missing":
                found.add(("said", one["new_label"] or one["label"], labels))
        return found


def failures(campaign: Campaign) -> list[Failure]:
    found = []
    for unit, text in rows(campaign, "SELECT number, notes FROM units"):
        notes = json.loads(text)
        for cause in notes["causes"].values():
            shown = frozenset(notes["labels"])
            found.append(Failure(unit, shown, cause["cause"], cause["minimal"]))
    return found


def composed(campaign: Campaign) -> Counter[frozenset[str]]:
    """How many compositions show which labels, by the recipes' objects; no verdict is asked."""
    said = rows(
        campaign,
        "SELECT p.value FROM cases c JOIN predictions p ON p.number = c.before WHERE role = 'test'",
    )
    return Counter(_labels(text) for (text,) in said)


def _labels(text: str) -> frozenset[str]:
    vector = prediction_from_text(text)
    assert isinstance(vector, LabelVector)
    return frozenset(NAMES[label] for label in np.flatnonzero(vector.scores))


def struck(shown: frozenset[str]) -> set[str]:
    """Which habits change the answer about an image of these labels, in company."""
    (a, b), (c, d), (e, f) = PAIRS["extra"], PAIRS["missing"], PAIRS["mismatch"]
    rules = {
        "extra": a in shown and b not in shown,
        "missing": {c, d} <= shown,
        "mismatch": e in shown and f not in shown,
    }
    return {kind for kind, holds in rules.items() if holds and len(shown) > 1}


# A perfect subject


@pytest.mark.parametrize(
    ("background", "images"),
    [
        ("white", 10),
        ("gradients", 3),
        pytest.param("white", 90, marks=pytest.mark.thorough),
        pytest.param("#d8e4f0", 10, marks=pytest.mark.thorough),
    ],
)
def test_a_perfect_subject_passes_every_row(run: Run, background: str, images: int) -> None:
    options = {"background": background, "images": images, "controls": 0.3}
    campaign = run(f"perfect{background.strip('#')}{images}", options=options)
    summary = write_summary(campaign.out_folder)
    assert summary.errors == ()
    assert summary.test_cases > 12 * images
    assert summary.test_cases > 1000 or images < 90
    assert summary.failing_cases == summary.borderline_cases == 0
    assert summary.control.cases > 3 * images
    assert summary.control.failing == 0
    assert rows(campaign, "SELECT count(*) FROM events") == [(0,)]
    numbers = CombinationNumbers.model_validate(summary.own)
    assert numbers.interaction_accuracy == Accuracies(mean=1.0, restricted=1.0)
    assert numbers.coverage.uncovered == 0
    assert numbers.top == {"missing": (), "extra": (), "mismatch": ()}


def test_every_pair_of_labels_is_shown_together_and_the_bare_canvas_too(together: Campaign) -> None:
    shown = composed(together)
    assert {frozenset([a, b]) for a in NAMES for b in NAMES if a < b} == {
        frozenset([a, b]) for row in shown for a in row for b in row if a < b
    }
    assert frozenset() in shown


# Planted correlations


@pytest.mark.parametrize("name", ["alone", "together"])
def test_exactly_the_compositions_that_a_habit_strikes_fail(
    name: str, request: pytest.FixtureRequest
) -> None:
    campaign = request.getfixturevalue(name)
    wanted = {row: count for row, count in composed(campaign).items() if struck(row)}
    assert wanted
    assert Counter(one.shown for one in failures(campaign)) == wanted


def test_habits_alone_are_shrunk_to_the_labels_that_they_need(alone: Campaign) -> None:
    a, b, c, d, e, f = NAMES[:6]
    parts: dict[str, set[Wrong]] = {
        "extra": {("said", b, frozenset([a]))},
        "missing": {("missed", c, frozenset([c, d]))},
        "mismatch": {("missed", e, frozenset([e])), ("said", f, frozenset([e]))},
    }
    for failure in failures(alone):
        assert failure.told() == set().union(*(parts[kind] for kind in struck(failure.shown)))
        alike = failure.shown & {a, e}
        assert failure.cause == ("likeness" if alike else "correlation")


def test_habits_in_company_are_shrunk_to_two_labels(together: Campaign) -> None:
    a, b, c, d, e, f = NAMES[:6]
    owners = {("said", b): a, ("missed", c): d, ("missed", e): e, ("said", f): e}
    kinds = {("said", b): "extra", ("missed", c): "missing"}
    for failure in failures(together):
        assert failure.cause == "correlation"
        wrong = {one for one in owners if kinds.get(one, "mismatch") in struck(failure.shown)}
        assert {told[:2] for told in failure.told()} == wrong
        for how, label, labels in failure.told():
            assert len(labels) == 2
            assert owners[how, label] in labels
            assert label in labels or how == "said"


def test_a_confusion_with_nothing_else_wrong_is_told_as_one(alone: Campaign) -> None:
    only = [one for one in failures(alone) if struck(one.shown) == {"mismatch"}]
    assert only
    for failure in only:
        [note] = failure.minimal
        assert (note["kind"], [note["label"], note["new_label"]]) == ("mismatch", PAIRS["mismatch"])


def test_the_case_of_a_minimal_part_shows_those_labels_and_fails(together: Campaign) -> None:
    cases = {
        (unit, number): (status, _labels(value))
        for unit, number, status, value in rows(
            together,
            "SELECT c.unit, c.number, c.status, p.value FROM cases c "
            "JOIN predictions p ON p.number = c.before",
        )
    }
    for failure in failures(together):
        for one in failure.minimal:
            assert one["minimal"]
            assert cases[failure.unit, one["case"]] == ("failing", frozenset(one["labels"]))


def numbers_of(campaign: Campaign) -> CombinationNumbers:
    return CombinationNumbers.model_validate(write_summary(campaign.out_folder).own)


@pytest.mark.parametrize("kind", sorted(HABITS))
def test_a_planted_correlation_is_ranked_first_and_nothing_else_is_attributed(
    alone: Campaign, kind: str
) -> None:
    top = numbers_of(alone).top[kind]
    assert list(top[0].labels) == PAIRS[kind]
    strikes = sum(count for row, count in composed(alone).items() if kind in struck(row))
    assert top[0].attributed == strikes
    assert {one.attributed for one in top[1:]} <= {0}


@pytest.mark.parametrize("kind", sorted(HABITS))
def test_a_correlation_that_needs_company_is_ranked_first(together: Campaign, kind: str) -> None:
    top = numbers_of(together).top[kind]
    assert list(top[0].labels) == PAIRS[kind]
    assert all(top[0].attributed > one.attributed for one in top[1:])


def test_the_split_of_causes_is_that_of_the_plants(alone: Campaign, together: Campaign) -> None:
    for campaign, cause in ((alone, "likeness"), (together, "correlation")):
        causes = numbers_of(campaign).causes
        every = Counter(one.cause for one in failures(campaign))
        assert {name: told.images for name, told in causes.items() if told.images} == every
        assert every.most_common(1)[0][0] == cause
        recorded = rows(campaign, "SELECT cause, count(*) FROM explanations GROUP BY cause")
        assert dict(recorded) == every, "the notes are a copy of the journal's explanations"


def test_the_planted_pairs_stand_out_and_no_others(alone: Campaign) -> None:
    found = numbers_of(alone)
    standing = {
        tuple(sorted(one.labels)) for top in found.top.values() for one in top if one.stands_out
    }
    assert standing == {tuple(sorted(pair)) for pair in PAIRS.values()}
    assert (found.discoveries.standing_out, found.discoveries.tested) == (3, 12 * 11 // 2)


# Noise that ignores labels


def noisy(images: Sequence[Image]) -> list[LabelVector]:
    """Nothing for 7% of all pictures, by a hash of their pixels; the others are read rightly."""
    read = PerfectClassifier(classes=NAMES).predict(images)
    quiet = [chance(image_digest(image)) < 0.07 for image in images]
    return [LabelVector(one.scores * (not bad)) for one, bad in zip(read, quiet, strict=True)]


def test_noise_that_ignores_labels_is_no_interaction_and_no_pair_stands_out(run: Run) -> None:
    subject = {"kind": "python", "target": f"{__name__}:noisy", "deterministic": True}
    campaign = run("noise", subject, {"images": 20, "validated": False, "scale": [0.5, 1.45]})
    found = numbers_of(campaign)
    assert 0.03 < found.error_images.images / found.images < 0.12
    assert found.interaction.images == 0
    assert found.causes[Cause.ANY_CHANGE].images == found.error_images.images > 5
    assert found.discoveries.standing_out == 0


# What a run rests on


def test_rows_do_not_depend_on_batch_and_workers(run: Run) -> None:
    digests = set()
    subject = {**PLANTED, "with_others": True, "rate": 0.5}
    for name, engine in (("one", {"batch": 1}), ("eight", {"batch": 8, "workers": 2})):
        campaign = run(name, subject, {"images": 3}, **engine)
        with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
            digests.add(journal.digest())
    assert len(digests) == 1


def test_a_label_without_objects_is_told_and_its_combinations_are_uncovered(run: Run) -> None:
    campaign = run("few", options={"images": 1, "effort": "quick"}, objects={"only": NAMES[:11]})
    coverage = numbers_of(campaign).coverage
    assert coverage.unusable == {"c11": "no object in the library"}
    # Present beside each of 11 other labels, there or not.
    assert coverage.combinations == 12 * 11 // 2 * 4
    assert coverage.uncovered == 11 * 2
    assert coverage.covered == coverage.combinations - coverage.uncovered


def test_objects_that_the_subject_mistakes_alone_are_refused_with_the_reason(run: Run) -> None:
    campaign = run("refused", PLANTED, {"images": 1, "effort": "quick"})
    coverage = numbers_of(campaign).coverage
    assert set(coverage.unusable) == {"c00", "c04"}
    assert "seen as c05" in coverage.unusable["c04"]
    assert "also c01" in coverage.unusable["c00"]
    assert set(coverage.objects.rejected) == {"seen as c05", "also c01"}
    assert {one.cause for one in failures(campaign)} == {"correlation", "likeness"}
    assert {frozenset(one["labels"]) for fail in failures(campaign) for one in fail.minimal} == {
        frozenset(["c02", "c03"]),
        frozenset(["c00"]),
    }


# Objects alone


def test_an_object_that_brings_another_label_alone_is_a_finding_outside_of_the_rate(
    run: Run,
) -> None:
    campaign = run("singles", PLANTED, {"images": 1, "effort": "quick", "singles": 2})
    with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
        singles = [one for one in findings(journal) if one.role == SINGLE]
        struck = [one for one in faults(journal) if one.representative.role == SINGLE]
        alone = journal.get("facts")["alone"]
    assert [(one.scene, one.kinds) for one in singles] == [("alone c00", ("extra",))] * 2
    assert [(one.cause, one.proven, one.target.key) for one in struck] == [
        ("likeness", True, "extra c01 with c00")
    ]
    [count] = alone
    assert (count["label"], count["also"]) == ("c00", "c01")
    assert count["failing"] == count["objects"] > 2
    summary = write_summary(campaign.out_folder)
    tests = rows(campaign, "SELECT count(*) FROM cases WHERE role = 'test'")
    assert summary.test_cases == tests[0][0]


def test_a_subject_that_reads_every_object_alone_gets_no_single_tests(run: Run) -> None:
    campaign = run("sound", options={"images": 1, "effort": "quick"})
    assert rows(campaign, "SELECT id FROM units WHERE id LIKE 'alone%'") == []


# Combinations of three


def blind_to_three(images: Sequence[Image]) -> list[LabelVector]:
    """c05 is missed beside c01 and c03, and only if both are there."""
    read = PerfectClassifier(classes=NAMES).predict(images)
    found = []
    for one in read:
        scores = one.scores.copy()
        if (scores[[1, 3, 5]] > 0.5).all():
            scores[5] = 0
        found.append(LabelVector(scores))
    return found


def test_a_planted_triple_is_ranked_first_and_pairs_have_nothing(run: Run) -> None:
    subject = {"kind": "python", "target": f"{__name__}:blind_to_three", "deterministic": True}
    options = {"images": 2, "strength": 3, "labels": NAMES[:8], "effort": "quick"}
    campaign = run("three", subject, options)
    found = numbers_of(campaign)
    [triple] = found.smallest[3]
    assert list(found.smallest) == [3]
    assert (triple.labels, triple.kind, triple.label) == (("c01", "c03", "c05"), "missing", "c05")
    assert triple.images == triple.shown == found.error_images.images > 1
    assert found.causes[Cause.CROWDING].images == triple.images
    # One label wrong of 12: C(11, 3) of C(12, 3) combinations are right.
    wrong = 1 - (11 * 10 * 9) / (12 * 11 * 10)
    mean = 1 - wrong * triple.images / found.images
    assert found.interaction_accuracy.mean == pytest.approx(mean)


# Photographs beside compositions


def test_random_photographs_are_measured_beside_the_compositions_and_count_nowhere(
    run: Run,
) -> None:
    scenes = {"kind": "synthetic", "count": 12, "seed": 9, "classes": NAMES}
    options = {"images": 1, "effort": "quick", "baseline": scenes}
    bare, campaign = (
        run("bare", PLANTED, {**options, "baseline": None}),
        run("base", PLANTED, options),
    )
    found = numbers_of(campaign)
    other = found.baseline
    assert other is not None
    assert other.images == min(12, found.images)
    truth, said = photographs_of(campaign)
    assert other.as_published.images == (truth != said).any(axis=1).sum() > 0
    assert other.covered[0] == pairwise_coverage(truth)
    summary, alone = (write_summary(one.out_folder) for one in (campaign, bare))
    for name in ("test_cases", "failing_cases", "failure_rate", "control", "faults", "events"):
        assert getattr(summary, name) == getattr(alone, name), name
    assert summary.units.untested == {COMPARED: other.images}


def photographs_of(campaign: Campaign) -> tuple[Any, Any]:
    """Truth and answers of the photographs, as flags."""
    query = (
        "SELECT b.value, a.value FROM cases c JOIN predictions b ON b.number = c.before "
        "JOIN predictions a ON a.number = c.after WHERE role = 'baseline' ORDER BY c.unit"
    )
    read = [[prediction_from_text(text) for text in row] for row in rows(campaign, query)]
    flags = [[one.scores >= 0.5 for one in row if isinstance(one, LabelVector)] for row in read]
    truth, said = (np.array(side) for side in zip(*flags, strict=True))
    return truth, said


def test_interactions_by_overlap_are_all_interactions(together: Campaign) -> None:
    found = numbers_of(together)
    bins = found.by_overlap
    assert [one.low for one in bins[1:]] == [one.high for one in bins[:-1]]
    assert (bins[0].low, len(bins)) == (0, 4)
    assert bins[-1].high < 0.3
    assert sum(one.interaction.images for one in bins) == found.interaction.images > 0
    counted = Counter[str]()
    for one in bins:
        assert sum(one.by_cause.values()) == one.interaction.images
        counted.update({str(cause): count for cause, count in one.by_cause.items()})
    assert counted == {name: found.causes[Cause(name)].images for name in counted}
    several = sum(count for shown, count in composed(together).items() if len(shown) > 1)
    assert sum(one.images for one in bins) == several


def test_pictures_name_the_object_that_is_tested_alone(run: Run) -> None:
    campaign = run("named", PLANTED, {"images": 1, "effort": "quick", "singles": 1})
    [(single,)] = rows(campaign, "SELECT recipe FROM cases WHERE role = 'test:alone'")
    [[id, *_]] = json.loads(single)["placed"]
    folder = campaign.out_folder
    with closing(journal_of(folder)) as journal, reopened(folder, journal) as opened:
        assert opened.labels[id] == "c00"
