"""Every block of code of every page is run by a test, or at least checked against the code."""

from __future__ import annotations

import ast
import importlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

import snellen
from snellen.configuration import parse
from snellen.engine.options import EngineOptions
from snellen.methods.kind import METHODS
from snellen.objects.library.open_objects import checked_objects
from snellen.scenes.registry import READERS
from snellen.subjects.registry import checked_subject
from tests.documentation.blocks import ROOT, Block, blocks

CODE = ("bash", "console", "css", "csv", "json", "python", "sh", "sql", "toml", "yaml")
GENERATED = "docs/reference/"
PIPELINES = "tests/subjects/torch_models/pipelines"
RUN = {
    "README.md": "tests/documentation/test_readme.py",
    "CONTRIBUTING.md": "tests/test_contributing.py",
    "docs/explanation/saliency-and-uncertainty.md": "tests/vision/saliency/test_saliency_page.py",
    "docs/explanation/statistics.md": "tests/statistics/test_statistics_page.py",
    "docs/explanation/visual-change.md": "tests/vision/visual_change/test_built_in_measures.py",
    "docs/how-to/before-and-after.md": "tests/repair/page/test_before_and_after_how_to.py",
    "docs/how-to/corrupt.md": "tests/documentation/test_page_runs.py",
    "docs/how-to/explain.md": "tests/documentation/test_page_runs.py",
    "docs/how-to/export.md": "tests/report/test_exported_tables.py",
    "docs/how-to/gate.md": "tests/test_pytest_plugin.py",
    "docs/how-to/maite.md": "tests/session/maite/test_maite_page.py",
    "docs/how-to/measure-ap.md": "tests/vision/precision/test_how_to_measure_ap.py",
    "docs/how-to/objects.md": "tests/objects/test_command.py",
    "docs/how-to/python.md": "tests/session/test_how_to.py",
    "docs/how-to/requirement-files.md": "tests/methods/requirements/test_requirement_pages.py",
    "docs/how-to/retraining-sets.md": "tests/repair/retraining/test_retraining_sets_how_to.py",
    "docs/how-to/scenes.md": "tests/scenes/test_how_to.py",
    "docs/how-to/study.md": "tests/study/pages/test_end_to_end.py",
    "docs/how-to/subjects-fusion.md": "tests/subjects/fusion/test_page.py",
    "docs/how-to/subjects-model-files.md": "tests/subjects/model_file/test_model_files_page.py",
    "docs/how-to/subjects-pointgnn.md": "tests/subjects/pointgnn/test_page.py",
    "docs/how-to/subjects-torch.md": "tests/subjects/torch_models/test_page.py",
    "docs/how-to/subjects-transformers.md": f"{PIPELINES}/test_transformers_page.py",
    "docs/how-to/trackers.md": "tests/session/trackers/test_trackers_page.py",
    "docs/how-to/thresholds.md": "tests/methods/requirements/test_requirement_pages.py",
    "docs/how-to/training.md": "tests/repair/training/test_training_how_to.py",
    "docs/how-to/trust-and-secrets.md": "tests/cli/test_secrets.py",
    "docs/how-to/write-a-method.md": "tests/plugin/test_how_to.py",
}
"""Pages whose code is taken from the page and run, or compared with files that are, with the test
that does it."""
EXCERPTS = {"docs/how-to/subjects-fusion.md", "docs/how-to/write-a-method.md"}
"""Pages that show parts of files, which need not parse alone."""
CHECKED = {
    "docs/explanation/architecture.md", "docs/explanation/camera-insertion.md",
    "docs/how-to/check.md", "docs/how-to/combinations.md",
    "docs/how-to/fiftyone.md", "docs/how-to/fusion-demo.md", "docs/how-to/fusion.md",
    "docs/how-to/init.md",
    "docs/how-to/insertion.md", "docs/how-to/repair.md", "docs/how-to/requirements.md",
    "docs/how-to/robustness.md", "docs/how-to/runs.md", "docs/how-to/starter-pack.md",
    "docs/how-to/subjects-your-own.md",
}  # fmt: skip
"""Pages whose code is only checked here, as all code is: it parses, and what it names exists."""
BLOCKS = [one for one in blocks() if one.language in CODE]


def of(language: str) -> list[Block]:
    return [one for one in BLOCKS if one.language == language and one.page not in EXCERPTS]


def test_every_page_with_code_says_how_its_code_is_tested() -> None:
    pages = {one.page for one in BLOCKS if not one.page.startswith(GENERATED)}
    assert pages == RUN.keys() | CHECKED, "add the page to RUN, or to CHECKED"
    assert not RUN.keys() & CHECKED


@pytest.mark.parametrize("page", RUN)
def test_the_test_that_runs_a_page_reads_it(page: str) -> None:
    assert page.rpartition("/")[2] in (ROOT / RUN[page]).read_text(encoding="utf-8")


def test_most_code_is_run(record_property: Any) -> None:
    """The list of what is run, for `pytest -s` and for the report of a CI server."""
    written = [one for one in BLOCKS if not one.page.startswith(GENERATED)]
    count = Counter((one.page, one.language) for one in written)
    lines = [f"{page}: {number} {kind}, {RUN.get(page, 'checked')}"
             for (page, kind), number in sorted(count.items())]  # fmt: skip
    record_property("blocks", "\n".join(lines))
    print(*lines, sep="\n")
    assert sum(one.page in RUN for one in written) > 0.75 * len(written)


WRITTEN = [one for one in of("python") if not one.page.startswith(GENERATED)]


@pytest.mark.parametrize("block", WRITTEN, ids=lambda one: one.place)
def test_python_parses_and_what_it_takes_from_snellen_exists(block: Block) -> None:
    for module, name in _taken(ast.parse(block.text)):
        assert hasattr(importlib.import_module(module), name), f"{module} has no {name}"


def _taken(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names of Snellen that code imports, or reads as `sn.name`, each with its module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("snellen."):
            yield from ((node.module or "", one.name) for one in node.names)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "sn":
            yield snellen.__name__, node.attr


@pytest.mark.parametrize("block", of("yaml"), ids=lambda one: one.place)
def test_a_configuration_has_only_keys_that_exist(block: Block) -> None:
    values = yaml.safe_load(block.text)
    if {"training", "split"} & values.keys() or isinstance(values.get("requirements"), list):
        return  # for `snellen repair`, or a requirement file
    if isinstance(values.get("subject"), dict) and "brightest" not in block.text:
        checked_subject(values["subject"], "subject")
    if "kind" in (scenes := values.get("scenes") or {}) and scenes["kind"] in READERS.kinds():
        parse(READERS.load(scenes["kind"]).options, scenes, "scenes")
    if "kind" in (objects := values.get("objects") or {}):
        checked_objects(objects, "objects")
    for name in set(values) & set(METHODS.kinds()):
        parse(METHODS.load(name).options, values[name], name)
    parse(EngineOptions, values.get("engine") or {}, "engine")


@pytest.mark.parametrize("block", [*of("toml"), *of("json")], ids=lambda one: one.place)
def test_toml_and_json_parse(block: Block) -> None:
    if block.language == "toml":
        tomllib.loads(block.text)
    else:
        json.loads(re.sub(r"\.\.\.", "", block.text))
