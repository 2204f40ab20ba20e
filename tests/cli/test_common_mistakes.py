"""The commonest mistakes of new users: each ends with a message that says what to do next."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import snellen as sn
from snellen.errors import MISTAKE, SnellenError
from snellen.errors.installation import install_command
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from tests.cli.mistake_files import write_mistakes
from tests.isolation.extras import NONE, absent
from tests.processes import finished, fresh

ROOT = Path(__file__).parents[2]

MODELS, CODE = "snellen docs subjects-model-files", "snellen docs subjects-your-own"
TORCH, SCENES, RUNS = "snellen docs subjects-torch", "snellen docs scenes", "snellen docs runs"


@dataclass(frozen=True)
class Mistake:
    """A command line, what its message names, and the command that it ends with."""

    line: str
    names: tuple[str, ...]
    end: str


def mistake(line: str, *names: str, end: str) -> Mistake:
    return Mistake(line, names, end)


MISTAKES = (
    # models
    mistake("exam gone.onnx data", "gone.onnx: no such model file", ".onnx, .tflite", end=MODELS),
    mistake("exam modle.onnx data", "did you mean 'model.onnx'?", end=MODELS),
    mistake("exam data model.onnx", "data: is a folder", "before the data", end=MODELS),
    mistake("run gone_model.yaml", "gone_model.yaml: subject.model: ", "gone.onnx", end=MODELS),
    mistake("exam best.pt data", "best.pt", "yolo export model=best.pt format=onnx", end=TORCH),
    mistake("exam best.pth data", "best.pth", "not its layers", "to ONNX", end=TORCH),
    mistake("exam best.safetensors data", "best.safetensors", "not its layers", end=TORCH),
    mistake("init --subject best.pt", "best.pt", "to ONNX", end=TORCH),
    mistake("exam pose.onnx data", "pose.onnx", "pose head", "`kind: python`", end=MODELS),
    mistake("exam obb.onnx data", "obb.onnx", "oriented-box head", "upright boxes", end=MODELS),
    mistake("run classifier.yaml", "insertion", "labels", end="snellen check classifier.yaml"),
    mistake("exam text.onnx data", "text.onnx: is not an ONNX file but text", end=MODELS),
    mistake("exam truncated.onnx data", "truncated.onnx: is not a whole ONNX file", end=MODELS),
    mistake("run count.yaml", "model.onnx: classes: found 2 names", "has 3 classes", end=MODELS),
    mistake("exam code:detct data", "code.py", "has no 'detct'; did you mean 'detect'?", end=CODE),
    mistake("run attribute.yaml", "attribute.yaml: subject.target", "'detct'", end=CODE),
    mistake("run raises.yaml", "broken.py:1", "no licence", end="python -c 'import broken'"),
    mistake("run no_function.yaml", "'code:NUMBER' is of type int", "a function", end=CODE),
    mistake("exam nowhere:detect data", "no module 'nowhere'", "code", end=CODE),
    mistake("run gpu.yaml", "gpu.yaml: subject.providers: found CUDAExecutionProvider", end=MODELS),
    # data
    mistake("exam model.onnx gone", "gone: no such file or folder", "COCO .json", end=SCENES),
    mistake("exam model.onnx empty", "empty: no image found among its 0 files", end=SCENES),
    mistake("exam model.onnx notes", "notes: no image found among its 1 file", end=SCENES),
    mistake("exam model.onnx list.json", "list.json: not a COCO file: found a list", end=SCENES),
    mistake("exam model.onnx other.json", "found the keys boxes", "'images'", end=SCENES),
    mistake("exam model.onnx moved", "lists 4 images", "000.png", "'images'", end=SCENES),
    mistake("run gone_scenes.yaml", "gone: no such folder; 'path'", end=SCENES),
    mistake("run yolo.yaml", "yolo.yaml: scenes.classes: missing", "data.yaml", end=SCENES),
    mistake("run voc.yaml", "ImageSets/test.txt: no such file", "Main/train, Main/val", end=SCENES),
    mistake("init --scenes gone", "gone: no such file or folder", end=SCENES),
    # configurations
    mistake("run gone.yaml", "gone.yaml: no such file", end="snellen init gone.yaml"),
    mistake("run key.yaml", "sceens: unknown key; did you mean 'scenes'?", end="check key.yaml"),
    mistake("check option.yaml", "subject.scor", "'score'?", end="snellen check option.yaml"),
    mistake("run type.yaml", "seed: found 'one', expected a valid integer", end="check type.yaml"),
    mistake("run tab.yaml", "line 3, column 1 is a tab", "spaces", end="snellen check tab.yaml"),
    mistake("run list.yaml", "found list, expected keys and values", end="check list.yaml"),
    mistake("run method.yaml", "unknown method 'insertions'", "'insertion'?", end="method.yaml"),
    mistake("run kind.yaml", "unknown subject 'onxx'", "'onnx'?", end="snellen check kind.yaml"),
    mistake("run scenes_kind.yaml", "'cocoo'; did you mean 'coco'?", end="scenes_kind.yaml"),
    mistake("run no_scenes.yaml", "scenes: missing", "'identity' needs scenes", end="scenes.yaml"),
    mistake("init good.yaml", "good.yaml: already exists", "--force", end="check good.yaml"),
    mistake("init --method robustnes", "did you mean 'robustness'?", end="snellen init --help"),
    # runs
    mistake("run taken.yaml", "runs/fine: already contains a run", end="--out runs/fine-2"),
    mistake("run good.yaml --resume", "found no run to continue", end="snellen run good.yaml"),
    mistake("gate good.yaml --at-most 0.1 --resume", "no run to continue", end="run good.yaml"),
    mistake("run taken.yaml --resume --set seed=2", "differs in seed", end="--out runs/fine-2"),
    mistake("exam model.onnx data --out data", "data: is not empty", "--resume", end="data-2"),
    mistake("report data", "data: is not a run folder", "journal.sqlite", end=RUNS),
    mistake("report runs", "such as runs/fine, runs/lost", end=RUNS),
    mistake("replay gone abc", "gone: is not a run folder: it does not exist", end=RUNS),
    mistake("explain data abc", "data: is not a run folder", "`out`", end=RUNS),
    mistake("explain runs/fine zzz", "no case 'zzz', and no findings", end="report runs/fine"),
    mistake("gate good.yaml", "checks no requirements", "--against RUN", end="--at-most 0.05"),
    mistake("gate gone", "a configuration or a run folder", end="snellen docs gate"),
    mistake("compare runs/fine runs/lost", "identity", "insertion", end="snellen docs compare"),
    mistake("export runs/fine --to excel --out t", "'excel'", "'parquet'", end="export --help"),
    mistake("export runs/fine --to csv --out data", "data already exists", end="--out data-2"),
    mistake("repair good.yaml", "found 'identity', expected one of", end="snellen docs repair"),
    mistake("repair gone.yaml", "gone.yaml: no such file", end="snellen docs repair"),
    # the command line
    mistake("runn good.yaml", "'runn'. Did you mean 'run'?", end="snellen --help"),
    mistake("run good.yaml --resum", "--resum", "--resume", end="snellen run --help"),
    mistake("run", "Missing argument 'CONFIG'", end="snellen run --help"),
    mistake("docs gat", "unknown topic 'gat'; did you mean 'gate'?", end="snellen docs"),
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that the mistakes are made with; none of them changes it."""
    folder = tmp_path_factory.mktemp("mistakes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(tmp_path_factory.mktemp("cache")))
        write_mistakes(folder)
    return folder


@pytest.fixture
def clean(tmp_path: Path) -> dict[str, str]:
    """The environment: caches elsewhere, so that the folder shows what a command writes."""
    own = {"SNELLEN_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return {**os.environ, **own}


def listing(folder: Path) -> list[tuple[str, int]]:
    """Every file with the time of its last change, but for what Python compiles on import."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return sorted((str(path), path.stat().st_mtime_ns) for path in paths)


def test_there_are_at_least_36() -> None:
    assert len(MISTAKES) + len(EXTRAS) + len(CALLS) >= 36
    assert len({one.line for one in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("one", MISTAKES, ids=lambda one: one.line)
def test_a_mistake_is_named_and_ends_with_the_next_command(
    one: Mistake, workspace: Path, clean: dict[str, str]
) -> None:
    before = listing(workspace)
    done = finished(["snellen", *shlex.split(one.line)], workspace, clean)
    assert done.returncode == MISTAKE, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "docs/" not in done.stderr
    for name in one.names:
        assert name in done.stderr
    last = done.stderr.rstrip().splitlines()[-1]
    assert last.startswith("Next: "), done.stderr
    assert last.endswith(one.end)
    assert listing(workspace) == before, "nothing is half-written"


def test_an_unknown_finding_is_answered_with_the_closest(
    workspace: Path, clean: dict[str, str]
) -> None:
    known = [one.id for one in findings(journal_of(workspace / "runs" / "lost"))]
    for given, expected in ((f"{known[-1][:-1]}~", known[-1]), ("zzz", known[0])):
        done = finished(["snellen", "explain", "runs/lost", given], workspace, clean)
        assert done.returncode == MISTAKE
        assert f"has no case '{given}'" in done.stderr
        assert done.stderr.rstrip().endswith(f"snellen explain runs/lost {expected}")


EXTRAS = {
    "tflite": ["run", "tflite.yaml"],
    "torch": ["run", "torch.yaml"],
    "maite": ["run", "maite.yaml"],
    "fusion": ["run", "lidar.yaml"],
    "analytics": ["export", "runs/fine", "--to", "parquet", "--out", "tables"],
}
HIDDEN = """
import sys
from tests.isolation.hidden_packages import hide
hide({names!r})
from snellen.cli.main import main
sys.argv = ["snellen", *{arguments!r}]
main()
"""


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_forgotten_extra_is_named_with_the_command_that_installs_it(
    extra: str, workspace: Path, clean: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace)
    before = listing(workspace)
    code = HIDDEN.format(names=sorted(absent(NONE)), arguments=EXTRAS[extra])
    done = fresh(["-c", code], workspace, clean)
    assert done.returncode == MISTAKE, done.stderr
    assert f"needs the extra '{extra}'" in done.stderr
    assert done.stderr.rstrip().endswith(install_command(extra))
    assert listing(workspace) == before


def detect(image: Any) -> Any:
    return [], [], []


def box(label: int) -> sn.Detections:
    return sn.Detections(SQUARE, np.array([label]), np.array([0.9], np.float32))


SQUARE = np.array([[0, 0, 9, 9]], np.float32)
BOXES = box(0)
KNOWN = sn.Annotations(SQUARE, np.array([0]))
IMAGE = np.zeros((48, 64, 3), np.uint8)
PYTHON = "snellen docs python"
CALLS: dict[str, tuple[Callable[[], Any], str, str]] = {
    "a model that is not there": (partial(sn.test, "gone.onnx", [IMAGE]), "gone.onnx", MODELS),
    "weights alone": (partial(sn.test, "best.pt", [IMAGE]), "to ONNX", TORCH),
    "no classes": (partial(sn.test, detect, [IMAGE], "identity"), "classes", PYTHON),
    "an empty folder": (partial(sn.test, detect, "empty", classes=["a"]), "no image", SCENES),
    "no scenes": (partial(sn.test, detect, classes=["a"]), "scenes: missing", PYTHON),
    "an unknown method": (
        partial(sn.test, detect, [IMAGE], "insertions", classes=["a"]),
        "did you mean 'insertion'?",
        PYTHON,
    ),
    "an unknown option": (
        partial(sn.test, detect, [IMAGE], "identity", classes=["a"], repeat=2),
        "did you mean 'repeats'?",
        PYTHON,
    ),
    "a different number of images": (
        partial(sn.evaluate, [BOXES], [KNOWN, KNOWN]),
        "found 1 detections and 2 annotations",
        "snellen docs measure-ap",
    ),
    "no class in common": (
        partial(sn.evaluate, [BOXES], [KNOWN], classes=["cat"], truth_classes=["dog"]),
        "'cat' and 'dog'",
        "snellen docs measure-ap",
    ),
    "too few class names": (
        partial(
            sn.evaluate,
            [box(3)],
            [KNOWN],
            classes=["dog"],
            truth_classes=["dog"],
        ),
        "a label 3",
        "snellen docs measure-ap",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_mistake_from_python_ends_with_the_next_step(
    name: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, words, end = CALLS[name]
    monkeypatch.chdir(workspace)
    before = listing(workspace)
    with pytest.raises(SnellenError) as raised:
        call()
    assert raised.value.exit_code == MISTAKE
    assert words in str(raised.value)
    assert raised.value.lines[-1] == f"Next: {end}"
    assert listing(workspace) == before
