"""The container and the conda package are made of files, extras and packages that exist."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

import snellen
from tests.documentation.blocks import blocks
from tests.documentation.command_check import problems
from tests.isolation.extras import EXTRAS, TOOLS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
CONDA_NAMES = {"opencv-python-headless": "py-opencv"}
"""Packages that conda-forge has under another name."""


def instructions(name: str) -> list[str]:
    """What follows an instruction of the Dockerfile, lines joined, in order."""
    whole = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name} +(.+)$", whole, re.MULTILINE)


def copied() -> list[str]:
    """The files and folders that the Dockerfile copies from the source tree."""
    lines = [line.split() for line in instructions("COPY") if "--from=" not in line]
    return [word for words in lines for word in words[:-1]]


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    assert [name for name in copied() if not (ROOT / name).exists()] == []
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines
    assert {line[1:] for line in lines if line.startswith("!")} == set(copied())


def test_what_the_wheel_is_built_from_is_copied() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    wheel = build["build"]["targets"]["wheel"]
    needed = {"pyproject.toml", PROJECT["readme"], *PROJECT["license-files"]}
    needed |= {path.partition("/")[0] for path in wheel["packages"]} | set(wheel["force-include"])
    assert set(copied()) == needed


def test_the_extras_that_are_named_exist() -> None:
    [argument] = instructions("ARG")
    named = argument.removeprefix("EXTRAS=").split(",")
    shown = [one.text for one in blocks() if one.page == "docs/how-to/install.md"]
    for text in shown:
        for found in re.findall(r"EXTRAS=(\S+)|snellen\[([\w,]+)\]", text):
            named += "".join(found).split(",")
    assert set(named) <= set(EXTRAS)


def test_the_container_has_two_stages_and_a_user_without_privileges() -> None:
    bases = instructions("FROM")
    assert len(bases) == 2
    assert all(re.match(r"python:3\.\d+-slim", base) for base in bases)
    assert f"Python :: {bases[0][7:11]}" in str(PROJECT["classifiers"])
    [user] = instructions("USER")
    assert user in instructions("RUN")[-1], "the user is made before it is used"
    assert DOCKERFILE.index("\nUSER ") < DOCKERFILE.index("\nENTRYPOINT ")
    for place in re.findall(r"=(/tmp/\w+)", instructions("ENV")[0]):
        assert re.search(rf"mkdir -m 1777 .*{place}\b", instructions("RUN")[-1]), "for any user"
    [program] = instructions("ENTRYPOINT")
    assert json.loads(program)[0] in PROJECT["scripts"]


def test_the_commands_of_the_install_page_are_those_of_these_files() -> None:
    """What can't be run where there is no Docker and no conda, as far as it can be checked."""
    text = "".join(one.text for one in blocks() if one.page == "docs/how-to/install.md")
    [build] = re.findall(r"^docker build (.+)$", text, re.MULTILINE)
    [run] = re.findall(r"^docker run (.+)$", text, re.MULTILINE)
    image = build.split()[build.split().index("-t") + 1]
    assert build.split()[-1] == ".", "where the Dockerfile is"
    words = run.split()
    assert problems(words[words.index(image) + 1 :], whole=True) == []
    assert f':{instructions("WORKDIR")[-1]}"' in run, "the folder that is mounted is the one inside"
    [folder] = re.findall(r"^rattler-build build --recipe (\S+)", text, re.MULTILINE)
    assert (ROOT / folder / "recipe.yaml").is_file()
    cache = re.findall(r"SNELLEN_CACHE=(\S+)", DOCKERFILE)
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    assert [f"-v snellen-cache:{place}`" in page for place in cache] == [True]


def recipe() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text())
    return found


def spelled(requirement: str) -> str:
    """A requirement of pyproject.toml as a recipe spells it: `numpy >=2.0`."""
    found = re.fullmatch(r"([\w-]+)(>=\S+)", requirement)
    assert found is not None, requirement
    return f"{CONDA_NAMES.get(found[1], found[1])} {found[2]}"


def test_the_recipe_has_the_dependencies_of_the_project() -> None:
    python = f"python {PROJECT['requires-python']}"
    expected = {python, *map(spelled, PROJECT["dependencies"])}
    assert set(recipe()["requirements"]["run"]) == expected
    assert python in recipe()["requirements"]["host"]


def test_the_recipe_has_the_version_the_program_and_the_licence_of_the_project() -> None:
    found = recipe()
    assert found["context"]["version"] == snellen.__version__
    points = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert found["build"]["python"]["entry_points"] == points
    assert found["about"]["license"] == PROJECT["license"]
    assert found["about"]["summary"] == PROJECT["description"]
    assert (ROOT / found["about"]["license_file"]).is_file()


def test_the_install_page_has_every_extra_and_no_other() -> None:
    text = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == set(EXTRAS)
    assert all(f"`{name}`" in text for name in TOOLS)
