"""What a public project keeps beside its code parses, is complete, and agrees with the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import snellen
from tests.isolation.extras import EXTRAS, NONE

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = [
    path
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    if path.stem != "config"
]
RECORDS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
PYTHON = "Programming Language :: Python :: "


def parsed(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def matrix(job: str) -> dict[str, list[str]]:
    """The matrix of a job of CI."""
    jobs = parsed(ROOT / ".github/workflows/ci.yml")["jobs"]
    found: dict[str, list[str]] = jobs[job]["strategy"]["matrix"]
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    """The steps of all jobs of a workflow."""
    return [step for job in parsed(path)["jobs"].values() for step in job["steps"]]


def test_ci_runs_the_python_versions_that_the_package_claims() -> None:
    classifiers = PROJECT["project"]["classifiers"]
    claimed = [line.removeprefix(PYTHON) for line in classifiers if line.startswith(PYTHON)]
    assert matrix("test")["python"] == claimed
    assert PROJECT["project"]["requires-python"] == f">={claimed[0]}"


def test_ci_installs_each_extra_alone_and_none() -> None:
    assert matrix("extras")["extra"] == [NONE, *EXTRAS]


def test_ci_runs_the_commands_of_the_readme_and_of_those_who_contribute() -> None:
    commands = {step.get("run") for step in steps(ROOT / ".github/workflows/ci.yml")}
    assert {"make test", "make lint", "make docs"} <= commands
    gate = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert [line for line in gate if line.startswith("make ")] == [
        "make test",
        "make lint",
        "make docs",
    ]
    assert "\nmake test " in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_least_permissions_pinned_actions_and_an_end(path: Path) -> None:
    workflow = parsed(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "concurrency" in workflow
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert all(re.search(r"@(release/)?v\d+$", action) for action in used), used


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_expression_is_pasted_into_a_shell(path: Path) -> None:
    assert not [step["run"] for step in steps(path) if "${{" in step.get("run", "")]


def test_only_the_job_that_publishes_may_identify_itself_to_the_registry() -> None:
    jobs = parsed(ROOT / ".github/workflows/release.yml")["jobs"]
    allowed = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert allowed == {"publish": {"id-token": "write"}}
    assert jobs["publish"]["needs"] == "build"


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_the_site_requires(path: Path) -> None:
    form = parsed(path)
    assert {"name", "description", "body"} <= set(form)
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids))
    assert all(field["attributes"]["label"] for field in form["body"])


def test_dependabot_looks_after_actions_and_packages() -> None:
    updates = parsed(ROOT / ".github/dependabot.yml")["updates"]
    assert {one["package-ecosystem"] for one in updates} == {"github-actions", "pip"}


def test_pre_commit_checks_what_lint_checks() -> None:
    repositories = parsed(ROOT / ".pre-commit-config.yaml")["repos"]
    hooks = {hook["id"] for one in repositories for hook in one["hooks"]}
    assert {"ruff-check", "ruff-format", "mypy", "lint-imports", "end-of-file-fixer"} <= hooks
    assert all("rev" in one for one in repositories if one["repo"] != "local")


def test_the_version_stands_in_one_place_and_the_citation_agrees() -> None:
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/snellen/__init__.py"
    assert parsed(ROOT / "CITATION.cff")["version"] == snellen.__version__


def test_the_citation_has_the_required_fields_and_the_five_papers() -> None:
    citation = parsed(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["license"] == PROJECT["project"]["license"]
    assert citation["authors"] == PROJECT["project"]["authors"]
    assert len(citation["references"]) == 5
    for paper in citation["references"]:
        assert {"type", "title", "authors", "collection-title"} <= set(paper)
        assert all(set(one) == {"given-names", "family-names"} for one in paper["authors"])


def test_every_decision_is_in_the_index_under_its_title() -> None:
    index = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d+)\]\((.+?)\) \| (.+?) \|$", index, flags=re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, len(RECORDS) + 1))
    assert [file for _, file, _ in rows] == [path.name for path in RECORDS]
    titles = [path.read_text(encoding="utf-8").partition("\n")[0] for path in RECORDS]
    assert [f"# {number}. {title}" for number, _, title in rows] == titles


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_says_its_status_context_and_consequences(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^Status: (accepted|superseded by \[.+\]\(.+\))$", text, flags=re.MULTILINE)
    assert re.findall(r"^## (.+)$", text, flags=re.MULTILINE) == [
        "Context",
        "Decision",
        "Consequences",
    ]
