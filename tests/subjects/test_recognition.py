"""The recognition of model files."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.subjects.recognition import recognise_subject


@pytest.mark.parametrize(
    ("files", "given", "says"),
    [
        ([], "model.onnx", "no such model file"),
        (["best.pt"], "best.pt", "Export the network to ONNX"),
        (["net.cfg"], "net.cfg", "net.weights is missing"),
        (["model.xyz"], "model.xyz", "is no kind of model"),
        ([], "gone.py", "no such file"),
        (["x.yaml"], "x.yaml", "has no `subject`"),
    ],
)
def test_a_wrong_model_is_refused_with_the_next_step(
    tmp_path: Path, files: list[str], given: str, says: str
) -> None:
    for name in files:
        (tmp_path / name).write_text("a: 1\n")
    with pytest.raises(UserError, match=says):
        recognise_subject(tmp_path / given)


def test_models_are_recognised_by_their_form(tmp_path: Path) -> None:
    for name in ("m.onnx", "m.tflite", "n.cfg", "n.weights", "code.py"):
        (tmp_path / name).write_text("")
    found = {name: recognise_subject(tmp_path / name) for name in ("m.onnx", "m.tflite", "n.cfg")}
    assert [one.values["kind"] for one in found.values()] == ["onnx", "tflite", "darknet"]
    assert Path(found["m.onnx"].values["model"]) == (tmp_path / "m.onnx").resolve()
    own = recognise_subject(f"{tmp_path / 'code.py'}:find")
    assert own.values == {"kind": "python", "target": "code:find"}
    assert own.folder == tmp_path.resolve()
    assert recognise_subject("my.module:Model").values["target"] == "my.module:Model"
