"""The CI recipes: they parse, and their Snellen commands gate a model from end to end."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.processes import Done, finished

CI = Path(__file__).parents[1] / "examples" / "ci"
RECIPES = sorted(path.name for path in CI.iterdir())
CONFIG: dict[str, Any] = {
    "method": "insertion",
    "seed": 3,
    "scenes": {"kind": "synthetic", "count": 6, "seed": 5, "size": [144, 192]},
    "objects": {"kind": "synthetic", "count": 8, "seed": 9, "shade": "deep"},
    "insertion": {"per_object": 1, "controls": 0.5},
    "engine": {"workers": 0, "explain": 0},
    "out": "runs/snellen",
}
SOUND = {"kind": "planted"}
BLIND = {"kind": "planted", "fault": "loses", "distance": 12}


def scripts(value: Any) -> Iterator[str]:
    """The lines of all shell scripts of a recipe, in order."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("run", "script", "before_script"):
                lines = inner if isinstance(inner, list) else str(inner).splitlines()
                yield from map(str, lines)
            else:
                yield from scripts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from scripts(inner)


def commands(name: str) -> list[str]:
    values = yaml.safe_load((CI / name).read_text(encoding="utf-8"))
    return [line for line in scripts(values) if line.startswith("snellen ")]


def carried_out(line: str, folder: Path) -> Done:
    """A line of a script as the shell of a CI job would carry it out."""
    environment = {
        **os.environ,
        "SNELLEN_CACHE": str(folder / ".snellen-cache"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }
    words = shlex.split(line.replace("$GITHUB_STEP_SUMMARY", environment["GITHUB_STEP_SUMMARY"]))
    return finished(words, folder, environment)


def write_model(folder: Path, subject: dict[str, Any]) -> None:
    (folder / "snellen.yaml").write_text(yaml.safe_dump({**CONFIG, "subject": subject}))


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_gates_a_model_from_end_to_end(name: str, tmp_path: Path) -> None:
    baseline, gate = commands(name)
    write_model(tmp_path, SOUND)
    (tmp_path / "summary.md").write_text("earlier\n")
    done = carried_out(baseline, tmp_path)
    assert done.returncode == 0, done.stderr
    same = carried_out(gate, tmp_path)
    assert same.returncode == 0, same.stdout + same.stderr
    assert "undecided" in same.stdout, "six scenes are few, which is said"
    (tmp_path / "runs" / "new").rename(tmp_path / "runs" / "same")
    write_model(tmp_path, BLIND)
    worse = carried_out(gate, tmp_path)
    assert worse.returncode == 1, worse.stdout + worse.stderr
    assert "worse      failure rate: 0.0% to" in worse.stdout
    new = tmp_path / "runs" / "new"
    assert all((new / one).exists() for one in ("gate.html", "report.html", "junit.xml"))
    [summary] = tmp_path.glob("*.md" if "$GITHUB_STEP_SUMMARY" in gate else "gate.md")
    text = summary.read_text()
    assert "## Snellen gate: failed" in text
    shared = summary.name == "summary.md"
    assert text.startswith("earlier\n") == shared
    assert text.count("## Snellen gate") == (2 if shared else 1)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_keeps_the_cache_and_the_runs(name: str) -> None:
    values = yaml.safe_load((CI / name).read_text(encoding="utf-8"))
    text = yaml.safe_dump(values)
    assert text.count(".snellen-cache") >= 2, "where the cache is, and that it is kept"
    assert "engine.questions=" in commands(name)[0], "a budget"
    for line in commands(name):
        words = shlex.split(line)
        out = words[words.index("--out") + 1]
        assert f"path: {out}" in text or f"- {out}" in text, "kept as an artifact"
