"""What page, terminal and finding folders show of a run over label combinations."""

from __future__ import annotations

import json
import logging
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.methods.combinations.cases import outcomes
from snellen.methods.combinations.composite_card import CompositePictures
from snellen.methods.combinations.composites import composite_lines, diagnosis_of, smallest_part
from snellen.methods.combinations.object_marks import object_marks
from snellen.methods.combinations.own_numbers import CombinationNumbers
from snellen.methods.combinations.pairs.heatmap import MOST, heatmap, map_data
from snellen.methods.combinations.view import VIEW
from snellen.methods.view import RunRecord
from snellen.pages.embedded_pictures import Album
from snellen.pages.finding_pictures import AnsweredFinding
from snellen.pages.marks import NAMED, UNNAMED, what_happened
from snellen.report.document import Facts, document
from snellen.report.reopened_run import reopened
from snellen.report.report import write_report
from snellen.report.summary import summarise, summary_of
from snellen.report.terminal import print_summary
from snellen.report.words import next_steps, verdict_of
from snellen.scenes.pictures import read_picture
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from tests.lost_scenes import lose_scenes
from tests.methods.combinations.test_numbers import (
    CLASSES,
    FACTS,
    ROWS,
    Row,
    combination_journal,
    composed,
    vector,
)
from tests.report.test_page import EVIL, parsed
from tests.store.test_findings import event, finding

WHITE = np.full((60, 80, 3), 255, np.uint8)
RECIPE = {"kind": "compose", "placed": [["a", 1, 2, 10, 20], ["b", 30, 2, 5, 5]]}


def page_of(folder: Path, rows: list[Row], facts: Any = None, classes: Any = CLASSES) -> str:
    with closing(combination_journal(folder, rows, facts, classes)) as journal:
        record, album = RunRecord.of(journal), Album()
        summary = summary_of(record)
        own = VIEW.sections(record, summary, album)
        return document(Facts(summary, folder, None, (), "", 0), [], own, album)


def test_objects_that_were_not_named_are_marked_and_drawn_last() -> None:
    said = vector({"bus": 0.9, "car": 0.2})
    marks = object_marks(RECIPE, said, CLASSES, 0.5, {"a": "car", "b": "bus"})
    assert [(mark.kind, mark.text) for mark in marks] == [
        (NAMED, "bus 0.90"),
        (UNNAMED, "no car 0.20"),
    ]
    assert marks[1].box == (1.0, 2.0, 11.0, 22.0)


def test_an_object_of_unknown_label_is_still_marked() -> None:
    [first, second] = object_marks(RECIPE, vector({}), CLASSES, 0.5, {"a": "spoon"})
    assert (first.text, second.text) == ("spoon", "object")


def test_a_composition_has_nothing_before() -> None:
    one = finding("0", "row", recipe=RECIPE)
    answered = AnsweredFinding(one, (vector({"bus": 1}), vector({"bus": 0.9})), CLASSES, 0.5)
    card = CompositePictures(WHITE, {"b": "bus"}).drawn(answered).card(10_000)
    assert card.sides == ("composition",)
    assert len(card.marks.before) == 2
    assert card.marks.after == ()


def test_a_known_truth_is_not_told_as_a_change() -> None:
    gone = event("missing", score_before=1.0, score_after=0.1)
    assert what_happened(gone) == "label cat missing: score 0.10"
    come = event("extra", score_before=0.0, score_after=0.8)
    assert what_happened(come) == "label cat extra: score 0.80"
    fell = event("missing", score_before=0.9, score_after=0.1)
    assert what_happened(fell) == "label cat gone: 0.90 to 0.10"


def test_the_caption_tells_truth_answer_cause_and_what_it_takes(tmp_path: Path) -> None:
    with closing(combination_journal(tmp_path, ROWS)) as journal:
        by_place = {(one.unit, one.number): one for one in findings(journal)}
        told = diagnosis_of(journal, by_place[0, 2])
        part = smallest_part(journal, by_place[0, 2], told)
        whole = diagnosis_of(journal, by_place[0, 1])
        assert smallest_part(journal, by_place[0, 1], whole) is None, "nothing can be left out"
    assert part is not None
    assert (part.number, part.role) == (7, "part")
    truth, said = vector({"bus": 1, "car": 1}), vector({"bus": 0.9, "car": 0.8, "dog": 0.9})
    assert composite_lines(told, truth, said, CLASSES, 0.5) == (
        "shows bus, car; answer bus 0.90, car 0.80, dog 0.90",
        "single-object: an object alone at its place is already missed",
        "extra dog: persists with only bus",
    )
    lines = composite_lines(told, truth, said, CLASSES, 0.5, "The bus alone gets it. Proven.")
    assert lines[1] == "single-object: The bus alone gets it. Proven."


def test_interaction_errors_come_first(tmp_path: Path) -> None:
    with closing(combination_journal(tmp_path, ROWS)) as journal:
        first = findings(journal, VIEW.rank)[0]
    assert (first.unit, first.number) == (0, 1), "others have larger margins, but fail alone too"


def test_the_page_has_its_parts_and_no_foreign_ones(tmp_path: Path) -> None:
    ids = set(parsed(page_of(tmp_path, ROWS)).ids)
    assert {"causes", "labels-map", "map", "pairs", "labels", "coverage"} <= ids
    assert not {"events", "objects", "distance"} & ids


def test_the_headline_has_the_interaction_rate_beside_the_error_rate(tmp_path: Path) -> None:
    page = page_of(tmp_path, ROWS)
    head = page[page.index("<h1>") : page.index("</h1>")]
    assert "57.1%" in head
    assert "14.3%" in head
    assert "by interaction" in head


def test_labels_that_were_never_shown_are_told_with_the_reason(tmp_path: Path) -> None:
    page = page_of(tmp_path, ROWS)
    assert "1 of 4 labels have no usable object and were never shown." in page
    assert "no object is labelled cat" in page
    assert "6 combinations are not covered" in page
    assert "3 no label" in page, "why objects were refused"


def test_training_counts_are_shown_where_they_are_known(tmp_path: Path) -> None:
    without, within = tmp_path / "without", tmp_path / "within"
    without.mkdir()
    within.mkdir()
    assert "training images" not in page_of(without, ROWS)
    training = {"images": 5, "singles": [9, 8, 7, 6], "pairs": [[0, 1, 1234]]}
    assert "1,234" in page_of(within, ROWS, {**FACTS, "training": training})


def test_names_are_text_on_the_map_too(tmp_path: Path) -> None:
    classes = (EVIL, "car", "dog", "cat")
    rows: list[Row] = [([composed([EVIL, "car"], {"car": 0.9}, classes=classes)], {})]
    facts = {**FACTS, "unusable": {EVIL: EVIL}, "objects": {"kept": {}, "rejected": {EVIL: 1}}}
    page = page_of(tmp_path, rows, facts, classes)
    assert parsed(page).elements.count("script") == 1
    assert "<script>alert" not in page


def test_a_run_without_images_has_a_page(tmp_path: Path) -> None:
    page = page_of(tmp_path, [])
    ids = set(parsed(page).ids)
    assert "coverage" in ids
    assert "map" not in ids, "there is nothing to draw"
    assert "no verdict" in page


def test_the_map_holds_the_counts(tmp_path: Path) -> None:
    with closing(combination_journal(tmp_path, ROWS)) as journal:
        found = outcomes(journal)
        assert found is not None
        data = map_data(found, FACTS)
    assert (data.rows, data.columns) == (["bus", "car", "dog"], ["bus", "car", "dog", "cat"])
    assert data.present == [6, 4, 2]
    assert data.missed[0][1] == 2, "car beside bus"
    assert data.missed[1][0] == 0
    assert data.added[0] == [0, 1, 1, 1]
    assert data.swapped[2] == [0, 0, 0, 1], "a cat for a dog"
    assert data.blamed == [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert not np.any(data.stands), "four errors are too few to stand out"
    assert data.training is None
    assert heatmap(data) is not None


def test_a_map_of_many_labels_keeps_the_worst(tmp_path: Path) -> None:
    classes = tuple(f"l{n:03}" for n in range(MOST + 30))
    rows: list[Row] = []
    for n, name in enumerate(classes[:-1]):
        said = {name: 0.9, classes[n + 1]: 0.9} if n >= 30 else {name: 0.9}
        rows.append(([composed([name], said, classes=classes)], {}))
    with closing(combination_journal(tmp_path, rows, classes=classes)) as journal:
        found = outcomes(journal)
        assert found is not None
        data = map_data(found, FACTS)
    assert data.columns == list(classes[30:])


def test_the_verdict_tells_interaction_from_the_rest(tmp_path: Path) -> None:
    with closing(combination_journal(tmp_path, ROWS)) as journal:
        summary = summarise(journal)
    told = verdict_of(summary).rate
    assert told.startswith(
        "4 of 7 compositions fail; in 1 of them no object alone shows the error: interaction "
        "errors (1 by contact), 14.3% (95% interval "
    )
    assert told.endswith(
        "The others: 2 with an object that is missed alone, 1 unexplained. 0 of 6 pairs of "
        "labels stand out after controlling the false discovery rate at 5%."
    )
    steps = next_steps(summary, tmp_path)
    assert any("1 label was skipped because no usable object" in step for step in steps)


def test_without_an_explanation_nothing_is_called_interaction(tmp_path: Path) -> None:
    rows: list[Row] = [([composed(["bus", "car"], {"bus": 0.9})], {})]
    with closing(combination_journal(tmp_path, rows)) as journal:
        told = verdict_of(summarise(journal)).rate
    assert told == (
        "1 of 1 compositions fail. No failure was explained, so the share of interaction errors "
        "is unknown."
    )


def test_the_overlay_shows_one_picture_or_two() -> None:
    answered = AnsweredFinding(finding("0", "row", recipe=RECIPE), (None, vector({})), CLASSES, 0.5)
    drawn = CompositePictures(WHITE, {}).drawn(answered).overlay()
    orange = (drawn == (213, 94, 0)).all(axis=2)
    assert not orange.any(), "labels are not known, so nothing is called missing"
    blue = (drawn == (0, 114, 178)).all(axis=2)
    assert blue[:, : blue.shape[1] // 2].any()
    assert not blue[: blue.shape[0] // 2, blue.shape[1] // 2 :].any(), "there is no smaller part"


def test_findings_of_a_run_have_their_pictures(run_folder: Any) -> None:
    folder = run_folder("combinations")
    summary = write_report(folder)
    own = CombinationNumbers.model_validate(summary.own)
    assert own.interaction.images == summary.failing_cases > 0
    smaller = 0
    with closing(journal_of(folder)) as journal, reopened(folder, journal) as run:
        by_id = {one.id: one for one in findings(journal)}
        for place in (folder / "findings").iterdir():
            names = {one.name for one in place.iterdir()}
            assert names - {"smallest.png", "explanation.json"} == {
                "after.png",
                "overlay.png",
                "recipe.json",
                "replay.txt",
            }
            found = by_id[place.name]
            assert np.array_equal(read_picture(place / "after.png"), run.case(found))
            facts = json.loads((place / "recipe.json").read_text())
            assert set(facts["objects"]) == {one[0] for one in found.recipe["placed"]}
            assert set(facts["objects"].values()) <= set(run.subject.classes)
            smaller += "smallest.png" in names
    assert smaller, "a third object is taken away"


def test_planted_combinations_are_ranked_first(runs: Any) -> None:
    with closing(journal_of(runs("combinations"))) as journal:
        top = CombinationNumbers.model_validate(summarise(journal).own).top
    assert top["missing"][0].labels == ("ice", "plum")
    assert top["missing"][0].wrong["plum"] == 0
    assert set(top["extra"][0].labels) == {"tomato", "lime"}
    assert not [one for one in top["mismatch"] if one.attributed]


def test_kept_pictures_of_compositions_are_shown_again(
    run_folder: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = run_folder("combinations")
    write_report(folder, pictures=3)
    first = (folder / "report.html").read_bytes()

    lose_scenes(monkeypatch)
    with caplog.at_level(logging.WARNING):
        write_report(folder, pictures=3)
    assert "any more" in caplog.text
    assert (folder / "report.html").read_bytes() == first, "captions and marks included"


def test_the_terminal_tells_causes_pairs_and_coverage(
    run_folder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run_folder("combinations")
    print_summary(write_report(folder, pictures=1), folder)
    told = " ".join(capsys.readouterr().out.split())
    for words in ("interaction errors", "missing ice + plum", "rows", "combinations,", "its map"):
        assert words in told
