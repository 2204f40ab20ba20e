import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from snellen.errors import UserError
from snellen.methods.combinations.commands.cover import cover

app = typer.Typer()
app.command()(cover)


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def test_an_array_is_written_with_label_names_and_passes_its_check(tmp_path: Path) -> None:
    labels, out = tmp_path / "labels.txt", tmp_path / "rows.csv"
    labels.write_text("cat\ndog\ncar\ntree\nbus\nday\nnight\n")
    options = ("--labels", labels, "--max-present", 3, "--exclusive", "day,night")
    code, text = run(*options, "--out", out, "--json")
    facts = json.loads(text)
    assert code == 0
    assert facts["complete"] is True
    assert facts["infeasible"] == [["day", "night"]]
    assert set(facts) >= {"rows", "bound", "gap", "combinations", "seconds", "method"}
    lines = out.read_text().splitlines()
    assert lines[0] == "cat,dog,car,tree,bus,day,night"
    assert len(lines) == facts["rows"] + 1
    assert run("--check", out, *options)[0] == 0


def test_a_check_lists_every_missing_combination_and_every_row_not_allowed(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    out.write_text("a,b\n1,1\n0,0\n1,0\n")
    code, text = run("--check", out, "--max-present", 2)
    assert code == 1
    assert "1 of 4 combinations missing" in text
    assert "missing a=0, b=1" in text
    code, text = run("--check", out, "--max-present", 1, "--json")
    assert json.loads(text)["rows_not_allowed"] == [1]


def test_forbidden_required_and_extended_files_are_read(tmp_path: Path) -> None:
    forbid, must, old, out = (tmp_path / name for name in ("f.txt", "m.csv", "old.csv", "o.csv"))
    forbid.write_text("0,1\n2,3,4\n")
    head = ",".join(str(i) for i in range(8))
    must.write_text(f"{head}\n1,0,1,0,1,0,0,0\n")
    old.write_text(f"{head}\n0,0,0,0,0,1,1,1\n")
    files = ("--forbid", forbid, "--must-include", must, "--extend", old)
    code, _ = run("--labels", 8, *files, "--strength-on", "4,5,6,7:3", "--out", out)
    assert code == 0
    lines = out.read_text().splitlines()
    assert lines[1] == "0,0,0,0,0,1,1,1"
    assert "1,0,1,0,1,0,0,0" in lines
    code, _ = run("--check", out, "--forbid", forbid, "--strength-on", "4,5,6,7:3")
    assert code == 0


def test_a_file_with_other_columns_is_reported_with_them(tmp_path: Path) -> None:
    old = tmp_path / "old.csv"
    old.write_text("x,y\n1,0\n")
    with pytest.raises(UserError, match=r"old\.csv: the columns are not the labels of the array"):
        run("--labels", 8, "--extend", old, "--out", tmp_path / "o.csv")


def test_an_implication_is_obeyed_and_what_it_rules_out_is_listed(tmp_path: Path) -> None:
    labels, out = tmp_path / "labels.txt", tmp_path / "rows.csv"
    labels.write_text("tie\nperson\nsuit\ndog\ncat\n")
    options = ("--labels", labels, "--max-present", 3, "--implies", "tie:person;suit:person,tie")
    code, text = run(*options, "--out", out, "--json")
    facts = json.loads(text)
    assert code == 0
    assert sorted(facts["implied"]) == [["suit", "person"], ["suit", "tie"], ["tie", "person"]]
    rows = [line.split(",") for line in out.read_text().splitlines()[1:]]
    assert all(row[1] == "1" for row in rows if "1" in (row[0], row[2]))
    assert run("--check", out, *options)[0] == 0
    assert run("--check", out, "--max-present", 3)[0] == 1
    assert "suit without person" in run(*options, "--out", out)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--labels", "-5"), "--labels: found -5, expected a number of labels above 0"),
        (("--labels", "0"), "labels: found 0"),
        (("--labels", 5, "--strength", "-2"), "strength: found -2, expected 2 to 6"),
        (("--labels", 5, "--strength", 1), "A single label is no combination"),
        (("--labels", 5, "--max-present", "-1"), "max_present: found -1"),
        (("--labels", 5, "--rows", "-3"), "rows: found -3"),
        (("--labels", 5, "--strength-on", "0,1,2:-3"), "strength_on: found -3"),
        (("--labels", 5, "--implies", "0"), "--implies: found '0', expected LABEL:LABELS"),
        (("--labels", 5, "--implies", "0:7"), "implies: unknown label '7'"),
        (("--labels", 5, "--exclusive", "0,-1"), "unknown label '-1'"),
    ],
)
def test_a_number_out_of_range_gets_its_own_message(
    tmp_path: Path, arguments: tuple[object, ...], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        run(*arguments, "--out", tmp_path / "o.csv")
    assert not (tmp_path / "o.csv").exists()
