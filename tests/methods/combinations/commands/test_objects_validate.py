from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from snellen.cli.objects import app
from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.objects.library.open_objects import open_objects
from snellen.scenes.synthetic.generator import CLASSES
from tests.engine.conftest import values as campaign_values

OBJECTS = {"kind": "synthetic", "count": 6}
FIRST, SECOND, *OTHERS = CLASSES
SUBJECT = {"kind": "planted", "task": "labels", "classes": [SECOND, FIRST, *OTHERS[:-1], "snow"]}
"""Takes the first label for the second and the other way round, and has not heard of the last."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "cache" / "validated"


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    def write(**changes: Any) -> Path:
        path = tmp_path / "config.yaml"
        given = {"subject": SUBJECT, "objects": OBJECTS, **changes}
        path.write_text(yaml.safe_dump({key: one for key, one in given.items() if one}))
        return path

    return write


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def counted(objects: dict[str, Any] = OBJECTS) -> dict[str, int]:
    library = open_objects(objects, Path())
    return {label: len(library.entries(label)) for label in library.labels()}


def test_the_table_lists_what_is_kept_and_why_the_rest_is_not(config: Any) -> None:
    text, there = run("validate", config()), counted()
    for label, other in ((FIRST, SECOND), (SECOND, FIRST)):
        count = there[label]
        assert re.search(rf"^{label} +0 +{count} +{count} seen as {other} *$", text, re.MULTILINE)
    for label in OTHERS[:-1]:
        assert re.search(rf"^{label} +{there[label]} +0 *$", text, re.MULTILINE)
    assert f"{there[OTHERS[-1]]} the subject has no such label" in text
    nothing = ", ".join(sorted([FIRST, SECOND, OTHERS[-1]]))
    assert f"labels without a kept object, which cannot be combined: {nothing}\n" in text
    assert "the subject's labels without any object (1): snow\n" in text
    kept = sum(there[label] for label in OTHERS[:-1])
    assert f"{kept} of {sum(there.values())} objects kept" in text


def test_json_adds_up_to_the_library(config: Any) -> None:
    output, there = json.loads(run("validate", config(), "--json")), counted()
    for label, one in output["labels"].items():
        assert one["kept"] + sum(one["rejected"].values()) == there[label]
    assert sum(sum(one["rejected"].values()) for one in output["labels"].values()) == len(
        output["rejected"]
    )
    assert output["none_kept"] == sorted([FIRST, SECOND, OTHERS[-1]])
    assert output["no_object"] == ["snow"]


def lines_of(page: Path) -> dict[str, tuple[str, str]]:
    """Of each object on a page, by id: its label, and whether it is struck out."""
    found = re.findall(
        r'aria-pressed="(\w+)" aria-label="(.*?),.*?data-line="([0-9a-f]+)', page.read_text()
    )
    return {id: (unescape(label), pressed) for pressed, label, id in found}


def test_the_page_has_every_object_and_strikes_out_what_the_file_does(
    config: Any, tmp_path: Path
) -> None:
    library = open_objects(OBJECTS, Path())
    bad = [library.entries(FIRST)[0].id, library.entries(OTHERS[0])[0].id]
    (tmp_path / "bad.txt").write_text("\n".join(bad))
    path = config(objects={**OBJECTS, "exclude": "bad.txt"})
    text = run("validate", path, "--out", tmp_path / "page.html")
    assert f"page: {tmp_path / 'page.html'}" in text
    found = lines_of(tmp_path / "page.html")
    assert set(found) == {one.id for label in library.labels() for one in library.entries(label)}
    assert [id for id, (_, pressed) in found.items() if pressed == "true"] == [
        id for id in found if id in bad
    ]
    assert re.search(rf"^{OTHERS[0]} +\d+ +1 +1 struck out", text, re.MULTILINE)
    page = (tmp_path / "page.html").read_text()
    assert 'data-file="bad.txt"' in page
    assert 'data-others="[]"' in page


def test_a_page_of_one_label_asks_of_that_label_alone_and_forgets_nothing(
    config: Any, tmp_path: Path, cache: Path
) -> None:
    library = open_objects(OBJECTS, Path())
    label, other = OTHERS[0], library.entries(FIRST)[0].id
    (tmp_path / "bad.txt").write_text(other)
    path = config(objects={**OBJECTS, "exclude": "bad.txt"})
    text = run("validate", path, "--label", label.upper(), "--out", tmp_path / "page.html")
    assert {one for one, _ in lines_of(tmp_path / "page.html").values()} == {label}
    [file] = cache.glob("*.json")
    assert len(json.loads(file.read_bytes())) == len(library.entries(label))
    [others] = re.findall(r'data-others="(.*?)"', (tmp_path / "page.html").read_text())
    [line] = json.loads(unescape(others))
    assert line.startswith(f"{other}  # {FIRST}")
    assert "no object at all" not in text


def test_a_library_has_a_page_without_a_subject(config: Any, tmp_path: Path) -> None:
    run("build", config(), "--out", tmp_path / "lib")
    run("album", tmp_path / "lib", "--out", tmp_path / "page.html")
    found = lines_of(tmp_path / "page.html")
    assert len(found) == sum(counted().values())
    first = next(iter(found))
    (tmp_path / "bad.txt").write_text(first[:9])
    arguments = ("--exclude", tmp_path / "bad.txt", "--label", found[first][0])
    run("album", tmp_path / "lib", "--out", tmp_path / "page.html", *arguments)
    again = lines_of(tmp_path / "page.html")
    assert {label for label, _ in again.values()} == {found[first][0]}
    assert again[first][1] == "true"


def test_objects_are_shown_as_the_configured_compositions_show_them(
    config: Any, cache: Path
) -> None:
    run("validate", config())
    for options in ({"background": "photographs"}, {"strength": 3}):
        run("validate", config(combinations=options))
    [file] = cache.glob("*.json")
    before = len(json.loads(file.read_bytes()))
    run("validate", config(combinations={"background": "#102030", "longest": 320}))
    assert len(json.loads(file.read_bytes())) == 2 * before


def test_mistakes_are_reported_with_the_next_step(config: Any, tmp_path: Path) -> None:
    detector = {**SUBJECT, "task": "detection"}
    for changes, arguments, message in (
        ({"subject": None}, (), r"config\.yaml: subject: missing"),
        ({"objects": None}, (), r"config\.yaml: objects: missing"),
        ({"subject": detector}, (), r"Add `read_as: labels`"),
        ({}, ("--label", "rosse"), r"objects: has no object of label 'rosse'; did you mean"),
        ({"objects": {**OBJECTS, "exclude": "no.txt"}}, (), r"no\.txt: no such file"),
        ({"combinations": {"longgest": 3}}, (), r"combinations\.longgest: unknown key"),
        ({}, ("--out", tmp_path), r"cannot be written"),
    ):
        with pytest.raises(UserError, match=message):
            run("validate", config(**changes), *arguments)


def test_build_says_that_nothing_is_struck_out_of_what_it_builds(
    config: Any, tmp_path: Path
) -> None:
    path = config(objects={**OBJECTS, "exclude": "bad.txt"})
    result = CliRunner().invoke(app, ["build", str(path), "--out", str(tmp_path / "lib")])
    assert "name the file where the library is used" in result.stderr
    facts = json.dumps(open_objects({"kind": "library", "path": "lib"}, tmp_path).facts())
    assert "bad.txt" not in facts


def test_a_run_inserts_nothing_that_was_struck_out_and_resumes_only_with_the_same(
    tmp_path: Path,
) -> None:
    given = campaign_values(
        method="insertion",
        insertion={"per_object": 3},
        objects={"kind": "synthetic", "count": 3, "seed": 9, "exclude": "bad.txt"},
    )
    whole = open_objects({"kind": "synthetic", "count": 3, "seed": 9}, Path())
    ids = [one.id for label in whole.labels() for one in whole.entries(label)]
    kept = {whole.entries(label)[0].id for label in whole.labels()}
    (tmp_path / "bad.txt").write_text("\n".join(sorted(set(ids) - kept)))
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(given))
    campaign = load_campaign(tmp_path / "c.yaml")
    run_campaign(campaign)
    with closing(sqlite3.connect(tmp_path / "run" / "journal.sqlite")) as journal:
        recipes = [json.loads(row[0]) for row in journal.execute("SELECT recipe FROM cases")]
    used = {one["object"] for one in recipes if one["kind"] == "insert"}
    assert used
    assert used <= kept
    (tmp_path / "bad.txt").write_text("# nothing\n")
    with pytest.raises(
        UserError, match=r"the objects differ .* from what this run was started with"
    ):
        run_campaign(campaign, resume=True)
