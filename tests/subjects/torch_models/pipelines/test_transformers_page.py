"""The how-to page on pipelines says what is true, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.errors import FINE

pytest.importorskip("transformers")
from snellen.subjects.torch_models.pipelines.pipeline_options import (
    TransformersOptions,
)
from snellen.subjects.torch_models.pipelines.pipeline_task import PipelineTask
from tests.subjects.torch_models.pipelines import tiny_models

PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "subjects-transformers.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_option_and_task_is_on_the_page() -> None:
    assert all(f"`{name}`" in TEXT or f"{name}: " in TEXT for name in PipelineTask)
    assert [name for name in TransformersOptions.model_fields if f"`{name}`" not in TEXT] == [
        "name",
        "kind",
    ]


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    tiny_models.save_yolos(tmp_path / "models/detector")
    tiny_models.save_owlvit(tmp_path / "models/zero-shot")
    (tmp_path / "photos").mkdir()
    pixels = np.random.default_rng(1).integers(0, 256, (60, 80, 3), dtype=np.uint8)
    Pillow.fromarray(pixels).save(tmp_path / "photos/one.png")
    [code] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(compile(code, "subjects-transformers.md", "exec"), {"__name__": "page"})
    [config] = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    Path("zero-shot.yaml").write_text(config, encoding="utf-8")
    done = CliRunner().invoke(app, ["run", "zero-shot.yaml"])
    assert done.exit_code == FINE, done.output
