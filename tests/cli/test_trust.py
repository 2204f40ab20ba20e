"""What a stranger's folder names is not run before the user says so."""

from __future__ import annotations

import os
import pty
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image

import snellen as sn
from snellen.disk.trust import TRUST
from snellen.engine import run
from snellen.engine.campaign import load_campaign
from snellen.errors import UntrustedError, UserError
from snellen.repair.trained_subject import saved_subject
from snellen.report.finding_explanation import explain
from snellen.report.replay import replay
from snellen.report.report import write_report
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from snellen.store.run_folder import LOCK
from snellen.subjects.registry import ADAPTERS, check_code, code_in
from tests.engine.conftest import values
from tests.processes import Done, finished

CODE = """
import pathlib
pathlib.Path(__file__).with_name("was-run").touch()

def predict(images):
    far = [[100, 80, 160, 130] if image.sum() % 2 else [30, 80, 90, 130] for image in images]
    return [{"boxes": [[9, 9, 40, 40], box], "labels": [0, 1], "scores": [1.0, 1.0]}
            for box in far]
"""
PROGRAM = ["sh", "-c", "touch was-run; echo '{\"snellen\": 1}'; cat >/dev/null"]
Command = Callable[..., Done]


def picture(path: Path, seed: int, height: int = 144) -> None:
    pixels = np.random.default_rng(seed).integers(90, 130, (height, 192, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with code and a finished run of it, by a user with a key of their own."""
    folder = tmp_path_factory.mktemp("theirs")
    (folder / "detector.py").write_text(CODE)
    (folder / "images").mkdir()
    for seed in range(3):
        picture(folder / "images" / f"{seed}.png", seed)
    (folder / "snellen.yaml").write_text(
        yaml.safe_dump(
            values(
                method="insertion",
                subject={
                    "kind": "python",
                    "target": "detector:predict",
                    "classes": ["tomato", "lemon", "lime", "ice", "plum", "rose"],
                    "deterministic": True,
                },
                objects={
                    "kind": "synthetic",
                    "count": 8,
                    "seed": 9,
                    "prune": "none",
                    "recognise": False,
                },
                insertion={"per_object": 4},
            )
            | {"scenes": {"kind": "folder", "path": "images"}}
        )
    )
    environment = {**os.environ, "SNELLEN_STATE": str(folder / "state")}
    done = finished(["snellen", "run", "snellen.yaml"], folder, environment)
    assert done.returncode == 0, done.stderr
    (folder / "was-run").unlink()
    return folder


@pytest.fixture
def theirs(made: Path) -> Iterator[Path]:
    """That folder, and a check afterwards of what it was left with."""
    yield made
    (made / "was-run").unlink(missing_ok=True)


@pytest.fixture
def case(made: Path) -> str:
    with closing(journal_of(made / "run")) as journal:
        return findings(journal)[0].id


@pytest.fixture
def mine(theirs: Path, tmp_path: Path) -> Command:
    """Commands of another user, in the folder."""
    environment = {**os.environ, "SNELLEN_STATE": str(tmp_path / "mine")}
    return lambda *words: finished(["snellen", *words], theirs, environment)


@pytest.fixture
def owner(theirs: Path) -> Command:
    environment = {**os.environ, "SNELLEN_STATE": str(theirs / "state")}
    return lambda *words: finished(["snellen", *words], theirs, environment)


COMMANDS: dict[str, tuple[str, ...]] = {
    "replay": ("replay", "run", "CASE", "--out", "elsewhere"),
    "explain": ("explain", "run", "CASE", "--again"),
    "resume": ("run", "run/config.yaml", "--resume"),
    "run": ("run", "run/config.yaml", "--out", "elsewhere"),
    "gate": ("gate", "run/config.yaml", "--at-most", "0.9", "--out", "elsewhere"),
    "check": ("check", "run/config.yaml"),
    "exam": ("exam", "run/config.yaml", "run/config.yaml", "--out", "elsewhere"),
    "init": ("init", "new.yaml", "--subject", "run/config.yaml"),
}


def contents(folder: Path) -> set[Path]:
    """All files and folders but for what Python compiled for their owner."""
    return {one for one in folder.rglob("*") if "__pycache__" not in one.parts}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_does_not_run_code_of_a_folder_from_elsewhere(
    name: str, mine: Command, theirs: Path, case: str
) -> None:
    words = [case if one == "CASE" else one for one in COMMANDS[name]]
    before = contents(theirs)
    done = mine(*words)
    assert done.returncode == 2
    assert "run/config.yaml: names code" in done.stderr
    assert "subject.target: 'detector:predict'" in done.stderr
    assert str(theirs) in done.stderr, "where the code would come from"
    assert done.stderr.splitlines()[-1] == f"Next: snellen {' '.join(words)} --trust"
    assert not (theirs / "was-run").exists()
    assert contents(theirs) == before, "nothing is left behind"


def test_no_voucher_is_written_for_a_stranger_before_the_user_has_decided(
    theirs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SNELLEN_STATE", str(tmp_path / "another"))
    written = []
    monkeypatch.setattr(run, "store_configuration", lambda *given: written.append(given))
    with pytest.raises(UntrustedError):
        run.run_campaign(load_campaign(theirs / "run" / "config.yaml", ["out=elsewhere"]))
    assert written == []


@pytest.mark.parametrize("user", ["mine with --trust", "owner"])
def test_the_owner_and_whoever_trusts_it_replay_it(
    user: str, mine: Command, owner: Command, theirs: Path, case: str, tmp_path: Path
) -> None:
    words = ["replay", "run", case, "--out", str(tmp_path / "pictures")]
    done = owner(*words) if user == "owner" else mine(*words, "--trust")
    assert done.returncode in (0, 1), done.stderr
    assert (theirs / "was-run").exists()


def test_reading_a_folder_from_elsewhere_needs_no_trust(mine: Command, theirs: Path) -> None:
    for words in (["verify", "run"], ["report", "run"], ["compare", "run", "run"]):
        done = mine(*words)
        assert done.returncode == 0, done.stderr
    assert not (theirs / "was-run").exists()


def test_verify_says_whose_configuration_it_is(mine: Command, owner: Command) -> None:
    assert "ok  config.yaml was written by you on this machine" in owner("verify", "run").stdout
    assert "?  who wrote config.yaml" in mine("verify", "run").stdout


def test_an_edited_configuration_is_not_the_owners(
    owner: Command, theirs: Path, case: str, tmp_path: Path
) -> None:
    config = theirs / "run" / "config.yaml"
    whole = config.read_text()
    try:
        config.write_text(whole.replace("batch: 8", "batch: 4"))
        assert config.read_text() != whole
        done = owner("replay", "run", case, "--out", str(tmp_path / "out"))
    finally:
        config.write_text(whole)
    assert done.returncode == 2
    assert not (theirs / "was-run").exists()


@pytest.fixture
def nested(theirs: Path) -> Iterator[Path]:
    """Their run, which also names code to choose objects by."""
    config = theirs / "run" / "config.yaml"
    whole = config.read_text()
    values = yaml.safe_load(whole)
    values["objects"] |= {"second": values["subject"]}
    values["subject"] = {"kind": "planted"}
    config.write_text(yaml.safe_dump(values))
    yield theirs
    config.write_text(whole)


def test_a_report_does_not_run_code_to_rebuild_cases(mine: Command, nested: Path) -> None:
    done = mine("report", "run")
    assert done.returncode == 0
    assert "only stored pictures can be shown" in done.stderr
    assert "objects.second.target: 'detector:predict'" in done.stderr
    assert not (nested / "was-run").exists()


def test_a_baseline_from_elsewhere_does_not_bring_code(mine: Command, nested: Path) -> None:
    (nested / "mine.yaml").write_text(yaml.safe_dump({"subject": {"kind": "planted"}}))
    done = mine("gate", "mine.yaml", "--against", "run", "--out", "gated")
    (nested / "mine.yaml").unlink()
    assert done.returncode == 2
    assert "objects.second.target: 'detector:predict'" in done.stderr
    assert done.stderr.splitlines()[-1].endswith("--out gated --trust")
    assert not (nested / "was-run").exists()


def test_a_run_that_names_no_code_needs_no_trust(
    run_folder: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SNELLEN_STATE", str(tmp_path / "another"))
    opened = sn.open_run(run_folder("insertion"))
    assert opened.findings[0].explain(again=True)


def test_python_asks_for_trust_too(
    theirs: Path, case: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SNELLEN_STATE", str(tmp_path / "another"))
    monkeypatch.setattr(TRUST, "folders", set())
    with pytest.raises(UntrustedError, match="trust=True"):
        sn.open_run(theirs / "run").finding(case).explain(again=True)
    with pytest.raises(UntrustedError):
        sn.run(theirs / "run" / "config.yaml", resume=True)
    assert not (theirs / "was-run").exists()
    assert sn.open_run(theirs / "run", trust=True).finding(case).explain(again=True)
    assert (theirs / "was-run").exists()


@pytest.mark.parametrize("answer", ["y", "n"])
def test_on_a_terminal_the_user_is_asked(
    answer: str, theirs: Path, case: str, tmp_path: Path
) -> None:
    environment = {**os.environ, "SNELLEN_STATE": str(tmp_path / "mine")}
    command = [sys.executable, "-m", "snellen", "replay", "run", case, "--out", str(tmp_path / "o")]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(theirs)
        os.execve(sys.executable, command, environment)
    said = b""
    with suppress(OSError):  # the terminal is gone when the process is
        while chunk := os.read(terminal, 4096):
            said += chunk
            if b"[y/N]" in chunk:
                os.write(terminal, f"{answer}\n".encode())
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert b"Run it?" in said
    assert b"detector:predict" in said
    assert (code == 2) == (answer == "n"), said.decode()
    assert (theirs / "was-run").exists() == (answer == "y")


NESTED: dict[str, dict[str, Any]] = {
    "the camera of a fusion": {
        "subject": {"kind": "late-fusion", "camera": {"kind": "python", "target": "a:b"}}
    },
    "the segmenter of the road": {"fusion": {"road": {"kind": "subprocess", "command": PROGRAM}}},
    "a second subject for objects": {"objects": {"second": {"kind": "maite", "target": "a:b"}}},
    "a TorchScript file": {"subject": {"kind": "torch-program", "model": "a.pt"}},
    "a saved pipeline": {"subject": {"kind": "transformers", "model": "folder"}},
    "a program on folders": {"subject": {"kind": "kitti-folder", "command": ["x", "{in}"]}},
    "a torch module": {"subject": {"kind": "torch", "target": "a:b"}},
}


@pytest.mark.parametrize("name", NESTED)
def test_code_is_found_wherever_it_is_named(name: str, tmp_path: Path) -> None:
    found = list(code_in(NESTED[name]))
    assert len(found) == 1
    with pytest.raises(UntrustedError) as error:
        check_code(tmp_path / "config.yaml", NESTED[name])
    assert found[0] in str(error.value)


def test_plain_weights_are_no_code() -> None:
    assert not list(code_in({"kind": "torch", "cfg": "a.cfg", "weights": "a.weights"}, "subject"))
    for kind in ("onnx", "tflite", "darknet"):
        assert not list(code_in({"kind": kind, "model": "a", "weights": "b"}, "subject"))


def test_every_built_in_kind_declares_what_it_runs() -> None:
    for kind in ADAPTERS.builtin:
        adapter = ADAPTERS.load(kind)
        assert adapter.runs is not None, kind
        assert set(adapter.runs) <= set(adapter.options.model_fields), kind


def test_a_trained_subject_from_elsewhere_is_not_opened(tmp_path: Path) -> None:
    text = yaml.safe_dump({"subject": {"kind": "torch", "target": "a:b"}, "base": "/tmp"})
    (tmp_path / "subject.yaml").write_text(text)
    with pytest.raises(UntrustedError, match=r"subject\.target"):
        saved_subject(tmp_path)


def test_a_repair_from_elsewhere_is_not_continued(mine: Command, theirs: Path) -> None:
    folder = theirs / "repair"
    folder.mkdir()
    try:
        (folder / LOCK).touch()
        subject = {"kind": "torch", "target": "detector:predict"}
        scenes = {"kind": "synthetic"}
        text = yaml.safe_dump({"subject": subject, "scenes": scenes, "base": str(theirs)})
        (folder / "repair.yaml").write_text(text)
        for target in ("repair", "repair/repair.yaml"):
            done = mine("repair", target, "--resume")
            assert done.returncode == 2
            assert done.stderr.splitlines()[-1].endswith("--resume --trust"), done.stderr
            assert done.stderr.count("Next:") == 1
        assert not (theirs / "was-run").exists()
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("id", ["../../../outside", "/tmp/outside", "a; touch outside"])
def test_an_id_of_a_case_writes_no_file_elsewhere(
    id: str, run_folder: Callable[[str], Path]
) -> None:
    folder = run_folder("insertion")
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        first = "SELECT min(id) FROM cases WHERE status = 'failing' AND role = 'test'"
        db.execute(f"UPDATE cases SET id = ? WHERE id = ({first})", (id,))
        db.commit()
    shutil.rmtree(folder / "findings", ignore_errors=True)
    before = set(folder.parent.parent.rglob("*"))
    for act in (
        lambda: write_report(folder),
        lambda: explain(folder, id, again=True),
        lambda: replay(folder, id),
    ):
        with pytest.raises(UserError, match="as the id of a case"):
            act()
    assert set(folder.parent.parent.rglob("*")) == before
