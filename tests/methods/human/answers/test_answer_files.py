"""Files of human answers: what is read, what is dropped, and how errors are reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.methods.human.answers.answer_files import human_files, read_human
from snellen.methods.human.answers.binned_answers import BinnedAnswers
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.answers.class_answers import ClassAnswers
from snellen.methods.human.answers.csv_table import CsvTable
from tests.methods.human.simulated_answers import write_class_answers

BINS = "IQA,Accuracy,Count,Num_Accs\n"
ANSWERS = "image_link,transformation,ground_truth,human_label,IQA\n"
BOXES = "image,transformation,delta_v,object,truth,answer,confidence,segmented\n"


def written(folder: Path, text: str, name: str = "human.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_bins_are_read_with_their_kind_and_transformation(tmp_path: Path) -> None:
    text = "IQA,Preserved,Count,Num_Pre\n0.01,0.5,20,10\n0.03,1.0,15,15\n"
    found = read_human(written(tmp_path, text, "imagenet_p_p_gaussian_noise.csv"))
    assert isinstance(found, BinnedAnswers)
    assert (found.kind, found.transformation) == ("preservation", "gaussian_noise")
    assert found.edges.tolist() == [0.01, 0.03]
    assert (found.right.tolist(), found.asked.tolist()) == ([10, 15], [20, 15])
    assert len(found.sha256) == 64


def test_an_image_and_its_changed_versions_are_one(tmp_path: Path) -> None:
    text = (
        ANSWERS
        + "http://x/n1_5.JPEG,original,car,car,1\n"
        + "http://x/n1_5.JPEG,original,car,car,1\n"
        + "http://x/n1_5.JPEG,original,car,not car,1\n"
        + "http://x/n1_5.JPEG.frost_7.png,frost,car,not car,0.25\n"
        + "http://x/n1_6.JPEG.frost_7.png,frost,car,car,1.2\n"
    )
    found = read_human(written(tmp_path, text))
    assert isinstance(found, ClassAnswers)
    assert found.images == 2
    correct, preserved = found.correct("frost"), found.preserved("frost")
    assert correct.delta_v.tolist() == [0.75, 0.0], "a VIF above 1 is no change"
    assert correct.right.tolist() == [False, True]
    assert preserved.right.tolist() == [False], "n1_6 was never seen unchanged"
    assert correct.image[0] == preserved.image[0]


def test_an_answer_is_preserved_though_it_was_wrong(tmp_path: Path) -> None:
    text = (
        ANSWERS
        + "x/a.png,original,car,not car,1\n"
        + "x/a.png,frost,car,not car,0.5\nx/a.png,frost,car,car,0.5\n"
    )
    found = read_human(written(tmp_path, text))
    assert isinstance(found, ClassAnswers)
    assert found.preserved("frost").right.tolist() == [True, False]
    assert found.correct("frost").right.tolist() == [False, True]


def test_worker_ids_are_not_kept(tmp_path: Path) -> None:
    path = write_class_answers(tmp_path / "answers.csv", 0.5, np.random.default_rng(1))
    assert "A1SECRET" in path.read_text()
    kept = [row.values for row in CsvTable(path).rows(["image_link", "human_label"])]
    assert "A1SECRET" not in repr(kept)
    assert "A1SECRET" not in repr(vars(read_human(path)))


def test_boxes_are_read(tmp_path: Path) -> None:
    text = (
        BOXES
        + "a,frost,0.3,o1,person,person,0.8,1\n"
        + "a,frost,0.3,o1,person,dog,0.2,\n"
        + "a,frost,0.3,,,dog,1,\n"
        + "a,original,0,o1,person,,,\n"
    )
    found = read_human(written(tmp_path, text))
    assert isinstance(found, BoxAnswers)
    assert found.object[0] == found.object[1] != found.object[3], "one object of each shown image"
    assert found.object[2] == -1
    assert np.isnan(found.segmented[1:]).all()
    assert found.measure == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found columns none"),
        ("a,b\n1,2\n", "found columns a,b; expected those of bins or answers"),
        (BINS, "has no bins"),
        (BINS + "0.1,0.5,20,30\n", "line 2: Num_Accs is '30'; expected a number from 0 to 20"),
        (BINS + "0.1,0.5,20,15\n", "line 2: Accuracy is 0.5; Num_Accs / Count is 0.75"),
        (BINS + "0.1,0.5,20,10\n0.1,0.5,20,10\n", "IQA 0.1 follows 0.1; bins must rise"),
        (BINS + "1.1,0.5,20,10\n", "line 2: IQA is '1.1'; expected a number from 0 to 1"),
        (BINS + "0.1,0.5,2.5,1\n", "line 2: Count is 2.5; expected a whole number"),
        (BINS + "0.1,0.5\n", "line 2: has 2 cells, but the header has 4"),
        (ANSWERS.replace("IQA", "VIF") + "x/a.png,frost,car,car,1\n", "has no column 'IQA'"),
        (ANSWERS + "x/a.png,frost,car,,0.5\n", "line 2: human_label is empty"),
        (ANSWERS + "x/a.png,frost,car,car,nan\n", "line 2: IQA is 'nan'"),
        (BOXES + "a,frost,1.5,o1,person,person,,\n", "line 2: delta_v is '1.5'"),
        (BOXES + "a,frost,0.5,o1,,person,,\n", "line 2: truth is empty"),
        (BOXES + "a,frost,0.5,,,,,\n", "line 2: answer is empty; a row needs an object"),
        (BOXES + "a,frost,0.5,o1,dog,dog,2,\n", "line 2: confidence is '2'"),
        (BOXES + "a,frost,0.5,o1,dog,dog,1,yes\n", "line 2: segmented is 'yes'"),
        (
            BOXES + "a,frost,0.5,o1,dog,dog,1,1\na,frost,0.5,o1,cat,cat,1,1\n",
            "line 3: truth is 'cat'; another row calls the same object 'dog'",
        ),
    ],
)
def test_a_mistake_names_file_row_and_column(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_human(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_a_file_or_folder_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_human(tmp_path / "none.csv")
    with pytest.raises(UserError, match="has no CSV files"):
        human_files(tmp_path)
    written(tmp_path, BINS)
    assert [path.name for path in human_files(tmp_path)] == ["human.csv"]
