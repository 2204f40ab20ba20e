"""What a summary says of label combinations, against counts made by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.compose.compose import Compose
from snellen.contract.verdict import TEST, Case, Status, Verdict, status_of
from snellen.methods.combinations.cases import outcomes, shown_kinds
from snellen.methods.combinations.explanation.cause import Cause
from snellen.methods.combinations.own_numbers import Accuracies, CombinationNumbers, TrainedPair
from snellen.report.summary import summarise
from snellen.statistics import rate
from snellen.store.journal import Journal, UnitEnd
from snellen.vision.label_events import judge_labels
from snellen.vision.label_pairs import pair_counts
from snellen.vision.label_vector import LabelVector

CLASSES = ("bus", "car", "dog", "cat")
SCORE = 0.5
FACTS: dict[str, Any] = {
    "labels": list(CLASSES),
    "usable": ["bus", "car", "dog"],
    "unusable": {"cat": "no object is labelled cat"},
    "objects": {"kept": {"bus": 2, "car": 2, "dog": 1}, "rejected": {"no label": 3}},
    "array": {
        "rows": 4,
        "bound": 3,
        "strength": 2,
        "max_present": 2,
        "combinations": 24,
        "covered": 18,
        "uncovered": 6,
    },
    "training": None,
}
Answer = dict[str, float]


def vector(scores: Answer, classes: Sequence[str] = CLASSES) -> LabelVector:
    return LabelVector(np.array([scores.get(name, 0.0) for name in classes], dtype=np.float32))


def composed(
    labels: Sequence[str],
    said: Answer,
    role: str = TEST,
    parent: int | None = None,
    classes: Sequence[str] = CLASSES,
    **told: float,
) -> Case:
    """A composition of objects named as their labels, side by side, judged."""
    placed = tuple((f"{name}-0", 4 + 30 * n, 6, 24, 20) for n, name in enumerate(labels))
    truth, answer = vector(dict.fromkeys(labels, 1.0), classes), vector(said, classes)
    events = judge_labels(truth.scores > 0, answer, score=SCORE)
    recipe = Compose(130, 32, placed)
    measured = {"labels": float(len(labels)), "overlap": 0.1, **told}
    return Case(recipe, role, status_of(events), answer, truth, events, measured, parent)


def minimal(kind: str, labels: list[str], case: int, label: str, new: str | None = None) -> Any:
    return {
        "kind": kind,
        "label": label,
        "new_label": new,
        "labels": labels,
        "case": case,
        "minimal": True,
    }


Row = tuple[list[Case], dict[str, Any]]


def combination_journal(
    folder: Path, rows: Sequence[Row], facts: Any = None, classes: Sequence[str] = CLASSES
) -> Journal:
    """A journal of a run over label combinations, as the method writes it."""
    journal = Journal(folder / "journal.sqlite")
    traits = {
        "name": "reader",
        "task": "labels",
        "fingerprint": "f",
        "score": SCORE,
        "deterministic": True,
        "tolerance": 0.0,
        "classes": list(classes),
    }
    journal.put(
        {
            "method": "combinations",
            "snellen_version": "0",
            "seed": 1,
            "scenes": 0,
            "units": len(rows),
            "skipped": [],
            "subject": traits,
            "facts": FACTS if facts is None else facts,
        }
    )
    for number, (cases, causes) in enumerate(rows):
        tests = [case for case in cases if case.role == TEST]
        shown = [classes[n] for n in np.flatnonzero(tests[0].before.scores).tolist()]  # type: ignore[union-attr]
        id = f"row-{number:04} {' '.join(shown) or 'nothing'}"
        notes = {"labels": shown, "images": len(tests), "causes": causes}
        end = UnitEnd(number, id, id, len(cases), Verdict(tuple(cases), notes))
        journal.write(end, tuple(classes))
    return journal


BUS_CAR: Row = (
    [
        composed(["bus", "car"], {"bus": 0.9, "car": 0.9}),
        composed(["bus", "car"], {"bus": 0.9, "car": 0.1}, interaction=1.0),
        composed(["bus", "car"], {"bus": 0.9, "car": 0.8, "dog": 0.9}, interaction=0.0),
        composed(["bus", "car"], {"bus": 0.9, "car": 0.45}),
        composed(["bus"], {"bus": 0.9}, "control:alone", 0),
        composed(["bus"], {"bus": 0.9}, "part", 1),
        composed(["car"], {"car": 0.8}, "part", 1),
        composed(["bus"], {"bus": 0.9, "dog": 0.95}, "part", 2),
        composed(["car"], {"car": 0.9}, "part", 2),
        composed([], {}, "part", 2),
    ],
    {
        "1": {"cause": "contact", "minimal": [minimal("missing", ["bus", "car"], 1, "car")]},
        "2": {"cause": "single-object", "minimal": [minimal("extra", ["bus"], 7, "dog")]},
    },
)
BUS_DOG: Row = (
    [
        composed(["bus", "dog"], {"bus": 0.9, "cat": 0.9}),
        composed(["bus", "dog"], {"bus": 0.9, "dog": 0.9, "car": 0.8}),
        composed(["dog"], {"cat": 0.9}, "part", 0),
        composed(["bus"], {"bus": 0.9}, "part", 0),
    ],
    {
        "0": {
            "cause": "single-object",
            "minimal": [minimal("mismatch", ["dog"], 2, "dog", "cat")],
        },
        "1": {"cause": "unexplained", "minimal": []},
    },
)
NOTHING: Row = ([composed([], {})], {})
ROWS = [BUS_CAR, BUS_DOG, NOTHING]


def numbers(folder: Path, rows: Sequence[Row] = ROWS, facts: Any = None) -> CombinationNumbers:
    with closing(combination_journal(folder, rows, facts)) as journal:
        return CombinationNumbers.model_validate(summarise(journal).own)


def test_images_errors_and_causes_are_counted(tmp_path: Path) -> None:
    found = numbers(tmp_path)
    assert found.images == 7, "parts and controls are no images of their own"
    assert found.error_images.images == 4
    assert found.error_images.rate.value == pytest.approx(4 / 7)
    published = found.error_images.as_published
    assert published.images == 5, "one more is wrong by less than the margin"
    causes = {name: one.images for name, one in found.causes.items() if one.images}
    assert causes == {"contact": 1, "single-object": 2, "unexplained": 1}
    share = found.interaction.rate
    assert share.value == pytest.approx(1 / 7), "of all images, not of the failing ones"
    assert share.low < 1 / 7 < share.high


def test_a_failure_without_an_explanation_is_never_an_interaction(tmp_path: Path) -> None:
    unexplained: Row = ([composed(["bus", "car"], {"bus": 0.9})], {})
    found = numbers(tmp_path, [unexplained])
    assert found.causes[Cause.UNEXPLAINED].images == found.unexplained == 1
    assert found.interaction.images == 0


def test_causes_of_earlier_versions_are_still_counted(tmp_path: Path) -> None:
    early = [composed(["bus", "car"], {"bus": 0.9}) for _ in range(2)]
    causes = {"0": {"cause": "interaction"}, "1": {"cause": "undiagnosed"}}
    found = numbers(tmp_path, [(early, causes)])
    assert found.causes[Cause.INTERACTION].images == found.interaction.images == 1
    assert found.unexplained == 1


def test_accuracies_are_means_over_images(tmp_path: Path) -> None:
    found = numbers(tmp_path).interaction_accuracy
    wrong = [0, 1, 1, 1, 2, 1, 0]
    assert found.mean == pytest.approx(np.mean([(4 - e) * (3 - e) / 12 for e in wrong]))
    # Five of the six pairs show a label. Missed: 2 left of 5. Extra: 3. Mismatch: 1.
    assert found.restricted == pytest.approx(np.mean([1, 2 / 5, 3 / 5, 2 / 5, 1 / 5, 3 / 5]))


def test_the_smallest_failing_part_ranks_a_combination(tmp_path: Path) -> None:
    """The published rule blames every pair of the image, the smallest part the one that matters."""
    top = numbers(tmp_path).top
    assert [(one.labels, one.attributed, one.errors) for one in top["extra"]] == [
        (("bus", "dog"), 1, 1),
        (("bus", "car"), 0, 1),
        (("bus", "cat"), 0, 1),
        (("car", "dog"), 0, 1),
        (("dog", "car"), 0, 1),
    ], "the present label first: a dog beside a car is not a car beside a dog"
    assert [(one.labels, one.attributed) for one in top["mismatch"]] == [(("dog", "cat"), 1)]
    [first, second] = top["missing"]
    assert (first.labels, first.attributed, first.errors) == (("bus", "car"), 1, 2)
    assert (second.labels, second.attributed) == (("bus", "dog"), 0)


def test_a_combination_tells_its_rate_and_which_label_is_wrong(tmp_path: Path) -> None:
    first = numbers(tmp_path).top["missing"][0]
    assert first.images == 4, "those that show both"
    expected = rate([2], [4])
    assert (first.rate.low, first.rate.high) == (expected.low, expected.high), "one row, one unit"
    assert first.wrong == {"bus": 0, "car": 2}
    assert first.training is None


def test_training_counts_stand_beside_combinations(tmp_path: Path) -> None:
    training = {"images": 50, "singles": [9, 8, 7, 6], "pairs": [[0, 1, 5]]}
    found = numbers(tmp_path, facts={**FACTS, "training": training})
    assert found.top["missing"][0].training == TrainedPair(both=5, singles=(9, 8))
    assert found.top["extra"][0].training == TrainedPair(both=0, singles=(9, 7))
    assert found.by_label["cat"].training == 6


def test_coverage_tells_what_could_not_be_shown(tmp_path: Path) -> None:
    found = numbers(tmp_path).coverage
    assert (found.combinations, found.covered, found.uncovered) == (24, 18, 6)
    assert (found.labels, found.usable) == (4, 3)
    assert found.unusable == {"cat": "no object is labelled cat"}
    assert found.pairs_shown == 2, "bus with car, bus with dog"


def test_labels_are_counted_one_by_one(tmp_path: Path) -> None:
    found = numbers(tmp_path).by_label
    assert list(found) == ["bus", "car", "dog", "cat"]
    assert (found["car"].images, found["car"].missing, found["car"].extra) == (4, 2, 1)
    assert found["car"].missing_rate.value == pytest.approx(2 / 4)
    assert found["car"].extra_rate.value == pytest.approx(1 / 3)
    assert (found["cat"].images, found["cat"].extra) == (0, 1)
    assert found["cat"].missing_rate.value is None, "never shown is not never missed"


def test_an_image_counts_once_for_a_pair_however_many_parts_show_it(tmp_path: Path) -> None:
    twice: Row = (
        [
            composed(["bus", "car"], {"dog": 0.9}),
            composed(["bus"], {"bus": 0.9, "dog": 0.9}, "part", 0),
            composed(["bus", "cat"], {"bus": 0.9, "cat": 0.9, "dog": 0.9}, "part", 0),
        ],
        {
            "0": {
                "cause": "single-object",
                "minimal": [
                    minimal("extra", ["bus"], 1, "dog"),
                    minimal("extra", ["bus", "cat"], 2, "dog"),
                ],
            }
        },
    )
    top = numbers(tmp_path, [twice]).top["extra"]
    blamed = {one.labels: one.attributed for one in top}
    assert blamed == {("bus", "dog"): 1, ("cat", "dog"): 1}


def test_a_mismatch_in_company_is_credited_to_its_trigger(tmp_path: Path) -> None:
    """With a car that becomes a dog beside a bus, bus and car are to blame, and no dog."""
    beside: Row = (
        [composed(["bus", "car"], {"bus": 0.9, "dog": 0.9})],
        {
            "0": {
                "cause": "interaction",
                "minimal": [minimal("mismatch", ["bus", "car"], 0, "car", "dog")],
            }
        },
    )
    found = numbers(tmp_path, [beside])
    top = found.top
    blamed = {kind: [(one.labels, one.attributed) for one in top[kind]] for kind in top}
    assert blamed == {
        "missing": [(("bus", "car"), 1)],
        "extra": [(("bus", "dog"), 0)],
        "mismatch": [(("car", "dog"), 0)],
    }
    [smallest] = found.smallest[2]
    assert (smallest.labels, smallest.kind) == (("bus", "car"), "mismatch")
    assert (smallest.label, smallest.new_label) == ("car", "dog")
    assert (smallest.images, smallest.shown, smallest.rate.value) == (1, 1, 1.0)


def test_a_label_too_many_counts_as_what_its_smallest_part_shows(tmp_path: Path) -> None:
    """In the image it comes beside a label that is said; in the part, in place of it."""
    replaced: Row = (
        [
            composed(["bus", "car"], {"bus": 0.9, "car": 0.9, "dog": 0.9}),
            composed(["bus"], {"dog": 0.9}, "part", 0),
        ],
        {"0": {"cause": "single-object", "minimal": [minimal("extra", ["bus"], 1, "dog")]}},
    )
    top = numbers(tmp_path, [replaced]).top
    assert [(one.labels, one.attributed) for one in top["mismatch"]] == [(("bus", "dog"), 1)]
    assert {one.attributed for one in top["extra"]} == {0}


def test_a_search_that_was_cut_short_attributes_nothing(tmp_path: Path) -> None:
    note = {**minimal("missing", ["bus", "car"], 0, "car"), "minimal": False}
    row = (
        [composed(["bus", "car"], {"bus": 0.9})],
        {"0": {"cause": "interaction", "minimal": [note]}},
    )
    [one] = numbers(tmp_path, [row]).top["missing"]
    assert (one.attributed, one.errors) == (0, 1)


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), min_size=1, max_size=6))
def test_one_answer_shows_what_the_counts_say(pairs: list[tuple[int, int]]) -> None:
    bits = np.array([[[n >> k & 1 for k in range(4)] for n in pair] for pair in pairs], dtype=bool)
    counts = pair_counts(bits[:, 0], bits[:, 1])
    found = Counter(one for truth, said in bits for one in shown_kinds(truth, said))
    tables = {"missing": counts.missed, "extra": counts.added, "mismatch": counts.swapped}
    for kind, table in tables.items():
        for a, b in combinations(range(4), 2):
            assert found[kind, a, b] == table[a, b]
            assert found[kind, b, a] == table[b, a]


def test_other_runs_have_no_such_numbers(runs: Any) -> None:
    from snellen.store.journal import journal_of

    with closing(journal_of(runs("labels"))) as journal:
        assert outcomes(journal) is None
        assert summarise(journal).own == {}


def test_a_run_that_judged_nothing_has_numbers_without_rates(tmp_path: Path) -> None:
    found = numbers(tmp_path, [])
    assert found.images == 0
    assert found.error_images.rate.value is None
    assert found.interaction_accuracy == Accuracies(mean=None, restricted=None)
    assert found.top == {"missing": (), "extra": (), "mismatch": ()}


def test_flaky_images_are_no_errors(tmp_path: Path) -> None:
    bad = composed(["bus", "car"], {"bus": 0.9})
    flaky = Case(bad.recipe, TEST, Status.FLAKY, bad.after, bad.before, bad.events)
    found = numbers(tmp_path, [([flaky], {})])
    assert found.error_images.images == 0
    assert sum(one.images for one in found.causes.values()) == 0


def test_company_that_any_other_label_can_replace_is_not_to_blame(tmp_path: Path) -> None:
    """A dog comes with every bus that is not alone, whatever is beside it."""
    beside: Row = (
        [composed(["bus", "car"], {"bus": 0.9, "car": 0.9, "dog": 0.9})],
        {
            "0": {
                "cause": "correlation",
                "minimal": [minimal("extra", ["bus", "car"], 0, "dog") | {"triggers": ["bus"]}],
            }
        },
    )
    top = numbers(tmp_path, [beside]).top["extra"]
    blamed = {one.labels: one.attributed for one in top}
    assert blamed == {("bus", "dog"): 1, ("car", "dog"): 0}
