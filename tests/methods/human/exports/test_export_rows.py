"""Raw exports: ids of workers never leave them, and broken rows are named with their place."""

from __future__ import annotations

import csv
import json
import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from snellen.errors import UserError
from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.estimate import EstimateRequest
from snellen.methods.human.estimation import estimates
from snellen.methods.requirements.commands.thresholds import thresholds
from tests.methods.human.simulated_exports import (
    WORKER,
    made_up_study,
    write_study,
)

app = typer.Typer()
app.command()(thresholds)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study", made_up_study(np.random.default_rng(1), 30))


def edited(path: Path, column: str, change: Callable[[str], str], line: int = 2) -> None:
    """Change one cell of a file."""
    csv.field_size_limit(2**31 - 1)
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    place = rows[0].index(column)
    rows[line - 1][place] = change(rows[line - 1][place])
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def asked(path: Path, *words: str) -> str:
    """All that the command prints; an error is printed as well."""
    options = ["--label", "person", "--replicates", "10", *words]
    result = CliRunner().invoke(app, [str(path), *options])
    return result.output + str(result.exception or "")


@pytest.mark.parametrize("published", [[], ["--as-published"]])
def test_no_worker_id_is_printed_logged_or_written(
    study: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, published: list[str]
) -> None:
    assert WORKER in (study / "500_L.csv").read_text()
    page, drawing = tmp_path / "plot.html", tmp_path / "plot.svg"
    with caplog.at_level(logging.DEBUG):
        printed = asked(study, "--plot", str(page), *published)
        printed += asked(study, "--plot", str(drawing), "--json", *published)
    assert "person, frost, correctness" in printed
    (tmp_path / "thresholds.json").write_text(printed)
    written = [one for one in tmp_path.rglob("*") if one.is_file() and study not in one.parents]
    assert len(written) == 3
    for one in written:
        assert WORKER not in one.read_text()
    assert WORKER not in printed + caplog.text
    data = read_human(study)
    assert WORKER not in repr(vars(data))


TASKS = "Answer.taskAnswers"
IMAGE = "Answer.annotatedResult.labeledImage.pngImageData"


@pytest.mark.parametrize(
    ("name", "column", "change", "expected"),
    [
        ("500_L.csv", TASKS, lambda _: "{broken", r"500_L.csv: line 2: .*taskAnswers is '{broken'"),
        ("500_L.csv", TASKS, lambda _: WORKER, r"is '<id>'; expected JSON"),
        ("500_L.csv", TASKS, lambda _: "{}", r"expected a list with one object"),
        ("500_L.csv", TASKS, lambda _: "[{}]", r"has no key url-0"),
        ("500_L.csv", TASKS, lambda old: old.replace('"2"', '"no"'), r"scale-0 is 'no'"),
        ("500_L.csv", TASKS, lambda old: old.replace(", ", " "), r"expected JSON"),
        ("500_C|L.csv", "Input.bbox1", lambda _: "[[1, 2, 3]]", r"bbox1 .*expected one such box"),
        ("500_C|L.csv", "Input.bbox1", lambda _: f'["{WORKER}"]', r"<id>"),
        ("500_C|L.csv", "Input.bbox2", lambda _: "", r"line 2: Input.bbox2 is empty"),
        (
            "500_C|L.csv",
            TASKS,
            lambda old: json.dumps([{**json.loads(old)[0], "class-1": ""}]),
            r"class-1 is missing; expected the label",
        ),
        ("500_S.csv", "Input.bbox", lambda _: "[1, 2]", r"expected \[x1, y1, x2, y2\]"),
        ("500_S.csv", IMAGE, lambda _: WORKER, r"pngImageData is no image; expected a PNG"),
        ("500_S.csv", IMAGE, lambda _: "", r"pngImageData is empty"),
        (
            "images_transformations_info_500.csv",
            "IQA",
            lambda _: "x",
            r"IQA is 'x'; expected a num",
        ),
    ],
)
def test_a_broken_row_is_named_with_file_line_and_field(
    study: Path, name: str, column: str, change: Callable[[str], str], expected: str
) -> None:
    edited(study / name, column, change)
    if column == IMAGE and change("old"):
        for line in range(3, 20):
            edited(study / name, column, change, line)
    wanted = EstimateRequest(as_published=True, label="person", replicates=10)
    with pytest.raises(UserError, match=expected) as error:
        estimates(read_human(study), wanted)
    assert name in str(error.value)
    assert "line 2" in str(error.value) or column == IMAGE
    assert str(error.value).endswith("Correct or drop the row.")
    assert WORKER not in str(error.value)
    assert error.value.__cause__ is None


def test_missing_parts_are_named_with_what_to_do(study: Path) -> None:
    (study / "500_S.csv").rename(study / "masks.bak")
    assert "localise" in asked(study)
    assert "use --task detection" in asked(study, "--task", "segmentation")
    (study / "500_L.csv").rename(study / "views.bak")
    assert "or use --as-published" in asked(study)
    assert "classify" in asked(study, "--as-published")
    (study / "voc").rename(study.parent / "elsewhere")
    assert "--annotations" in asked(study, "--as-published")
    assert "classify" in asked(
        study, "--as-published", "--annotations", f"{study.parent}/elsewhere"
    )
    (study / "images_transformations_info_500.csv").unlink()
    assert "no images_transformations_info_500.csv among them" in asked(study, "--as-published")


def test_any_export_of_a_folder_stands_for_its_study(study: Path) -> None:
    assert read_human(study / "500_C|L.csv").sha256 == read_human(study).sha256
    (study / "copy.csv").write_bytes((study / "500_L.csv").read_bytes())
    with pytest.raises(UserError, match="both exports of the same kind"):
        read_human(study)


def test_images_outside_the_table_are_left_out_with_a_warning(
    study: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = study / "images_transformations_info_500.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-8]))
    with caplog.at_level(logging.WARNING):
        read_human(study)
    assert "shown images are not in the table of changed images" in caplog.text
