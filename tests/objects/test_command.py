from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image
from typer.testing import CliRunner

from snellen.cli.objects import app
from snellen.errors import UserError
from snellen.objects.contact_sheet import contact_sheet
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.open_objects import checked_objects
from tests.objects.pictures import cutout

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "objects.md"
SCENES = {"kind": "synthetic", "count": 5}


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture
def config(tmp_path: Path) -> Any:
    def write(**values: Any) -> Path:
        path = tmp_path / "config.yaml"
        path.write_text(yaml.safe_dump(values))
        return path

    return write


def test_build_says_how_many_were_kept_and_why_the_others_were_not(
    tmp_path: Path, config: Any
) -> None:
    objects = {**SCENES, "prune": {"side": 40}}
    text = run("build", config(objects=objects), "--out", tmp_path / "lib")
    library = FolderLibrary(tmp_path / "lib")
    total = len(library.records())
    kept = sum(len(library.entries(label)) for label in library.labels())
    assert f"{kept} of {total} objects kept; pruned: {total - kept}" in text
    assert re.search(rf"{total - kept}  smaller than the shortest side", text)
    assert library.facts()["objects"]["prune"]["side"] == 40


def test_build_uses_the_subject_of_the_configuration(tmp_path: Path, config: Any) -> None:
    path = config(objects={**SCENES, "cut": "boxes"}, subject={"kind": "planted"})
    report = json.loads(run("build", path, "--out", tmp_path / "lib", "--json"))
    assert report["kept"]
    assert FolderLibrary(tmp_path / "lib").facts()["subject"] == "perfect"


def test_show_writes_a_sheet_and_a_table(tmp_path: Path, config: Any) -> None:
    run("build", config(objects=SCENES), "--out", tmp_path / "lib")
    text = run("show", tmp_path / "lib", "--out", tmp_path / "sheet.png")
    library = FolderLibrary(tmp_path / "lib")
    assert all(label in text for label in library.labels())
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.width == 8 * 148
    rows = json.loads(
        run("show", tmp_path / "lib", "--json", "--label", library.labels()[0].upper())
    )
    assert {row["label"] for row in rows} == {library.labels()[0]}
    assert all(re.fullmatch("[0-9a-f]{16}", row["hash"]) for row in rows)


def test_mistakes_are_reported_with_the_next_step(tmp_path: Path, config: Any) -> None:
    library = tmp_path / "lib"
    run("build", config(objects=SCENES), "--out", library)
    with pytest.raises(UserError, match="not empty"):
        run("build", config(objects=SCENES), "--out", library)
    with pytest.raises(UserError, match="not an object library"):
        run("show", tmp_path)
    with pytest.raises(UserError, match="did you mean 'tomato'"):
        run("show", library, "--label", "tomatoe")
    with pytest.raises(UserError, match="objects: missing"):
        run("build", config(method="x"), "--out", tmp_path / "other")
    with pytest.raises(UserError, match="is already a library"):
        run(
            "build", config(objects={"kind": "library", "path": "lib"}), "--out", tmp_path / "other"
        )


def test_a_sheet_of_any_number_of_any_size_is_drawn() -> None:
    for count in (0, 1, 9):
        sizes = [(1, 300), (500, 2), (30, 30)]
        pictures = [cutout("car", n, size=sizes[n % 3]).pixels for n in range(count)]
        sheet = contact_sheet(pictures, [("a", "b", "c")] * count, columns=4)
        assert sheet.shape[2] == 3
        assert sheet.shape[1] == 148 * max(1, min(4, count))


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", _blocks("yaml"))
def test_each_configuration_of_the_page_is_valid(block: str) -> None:
    checked_objects(yaml.safe_load(block)["objects"], "objects")


def test_the_python_example_of_the_page_runs(
    tmp_path: Path, config: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(
        "build",
        config(objects={**SCENES, "classes": ["car", "bus"]}),
        "--out",
        tmp_path / "objects",
    )
    monkeypatch.chdir(tmp_path)
    [example] = _blocks("python")
    exec(example, {})


def test_the_query_of_the_page_runs(tmp_path: Path, config: Any) -> None:
    import sqlite3
    from contextlib import closing

    run("build", config(objects=SCENES), "--out", tmp_path / "objects")
    [query] = _blocks("sql")
    with closing(sqlite3.connect(tmp_path / "objects" / "index.sqlite")) as connection:
        assert connection.execute(query).fetchall()
