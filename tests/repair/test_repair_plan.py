"""What a repair's configuration may say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.configuration.stored_configuration import store_configuration
from snellen.errors import UserError
from snellen.repair.repair_arms import arms_of, grid_of
from snellen.repair.repair_plan import load_plan, plan_from
from tests.repair.toy_repair import configuration, write_configuration

HERE = Path("x/toy.yaml")


def plan(**changes: Any) -> Any:
    return plan_from(configuration(Path("/m"), **changes), HERE)


MISTAKES: list[tuple[dict[str, Any], list[str]]] = [
    ({"method": "fusion"}, ["x/toy.yaml: method", "fusion", "insertion, robustness"]),
    ({"traning": {}}, ["x/toy.yaml: traning: unknown key", "did you mean 'training'"]),
    ({"training": {"rate": -1}}, ["x/toy.yaml: training.rate: found -1"]),
    ({"retraining": {"failing": 4, "random": 4}}, ["retraining", "8 insertions"]),
    ({"grid": [[3, 3]]}, ["grid: found [3, 3]", "a sum of 1 to 5"]),
    ({"grid": [[1, 0], [1, 0]]}, ["grid: contains a duplicate"]),
    ({"configurations": ["failng"]}, ["configurations.0: found 'failng'"]),
    ({"robustness": {"levels": []}}, ["x/toy.yaml: robustness.levels"]),
    ({"robustness": 3}, ["x/toy.yaml: robustness: found 3, expected keys and values"]),
    ({"iterate": {"way": "more-training"}}, ["iterate", "use 'failing'"]),
    ({"subject": {"kind": "torhc"}}, ["x/toy.yaml: subject.kind", "did you mean 'torch'"]),
]


@pytest.mark.parametrize(("changes", "words"), MISTAKES)
def test_a_mistake_is_named_with_file_and_key(changes: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(UserError) as output:
        plan(**changes)
    for word in words:
        assert word in str(output.value)


def test_ways_are_compared_after_the_same_steps_unless_the_file_says_otherwise() -> None:
    assert plan().training.patience is None
    assert plan().training.keep == "last"
    given = plan(training={"patience": 4, "keep": "best"}).training
    assert (given.patience, given.keep) == (4, "best")


def test_a_plan_that_was_saved_is_the_same_plan(tmp_path: Path) -> None:
    first = plan()
    (tmp_path / "r").mkdir()
    store_configuration(tmp_path / "r" / "repair.yaml", first.resolved(), HERE)
    again = load_plan(tmp_path / "r")
    assert again.key() == first.key()
    assert again.training == first.training
    assert again.out == tmp_path / "r"


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"configurations": ["failing"]}, True),
        ({"fresh": False}, True),
        ({"grid": [[1, 1]]}, True),
        ({"engine": {"workers": 2}}, True),
        ({"engine": {"questions": 9}}, False),
        ({"seed": 4}, False),
        ({"retraining": {"failing": 2}}, False),
        ({"training": {"rate": 1e-5}}, False),
        ({"robustness": {"score": 0.5}}, False),
    ],
)
def test_only_what_keeps_results_valid_may_change_on_the_way(
    changes: dict[str, Any], same: bool
) -> None:
    assert (plan(**changes).key() == plan().key()) is same


def test_arbitrary_pictures_have_as_many_insertions_anywhere() -> None:
    longer, failing, synthetic = arms_of(plan(retraining={"failing": 2, "random": 1}))
    assert longer.retraining is None
    assert (failing.failing, failing.random) == (2, 1)
    assert (synthetic.failing, synthetic.random) == (0, 3)
    assert synthetic.as_many_as == failing.retraining


def test_the_grid_is_the_published_table_unless_given() -> None:
    names = [way.name for way in grid_of(plan())]
    assert names == [f"0f+{n}r" for n in range(1, 6)] + [f"{n}f+0r" for n in range(1, 6)]
    assert [way.name for way in grid_of(plan(grid=[[1, 2]]))] == ["1f+2r"]


def test_keys_are_set_on_the_command_line(tmp_path: Path) -> None:
    file = write_configuration(tmp_path, tmp_path)
    changed = load_plan(file, ["training.epochs=7", "out=elsewhere"])
    assert changed.options.training.epochs == 7
    assert changed.out == tmp_path / "elsewhere"
    with pytest.raises(UserError, match="expected key=value"):
        load_plan(file, ["training.epochs"])
    with pytest.raises(UserError, match="is not a repair folder"):
        load_plan(tmp_path)


def test_the_example_is_a_plan() -> None:
    found = load_plan(Path(__file__).parents[2] / "examples" / "repair.yml")
    assert found.options.subject["kind"] == "torch"
    assert len(arms_of(found)) == 3
