"""Every extra works alone, and what an installation lacks is named, not imported."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.isolation.extras import CORE, EXTRAS, NONE, TOOLS, absent

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def package_names(requirements: list[str]) -> set[str]:
    found = [re.match(r"[\w.-]+", requirement) for requirement in requirements]
    return {one.group() for one in found if one is not None}


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_the_table_has_every_extra_of_the_project_and_every_package_of_each() -> None:
    listed = {
        name: package_names(requirements)
        for name, requirements in PROJECT["optional-dependencies"].items()
    }
    assert {name: set(one.packages) for name, one in (EXTRAS | TOOLS).items()} == listed


def test_no_dependency_of_every_installation_is_taken_for_absent() -> None:
    shared = package_names(PROJECT["dependencies"])
    tools = {name: module for one in TOOLS.values() for name, module in one.packages.items()}
    assert {module for name, module in tools.items() if name in shared} == CORE
    assert not CORE & absent(NONE)


QUICK = {NONE}
"""The extras are tried in `make thorough`, and each alone in CI."""


@pytest.mark.parametrize(
    "extra",
    [
        pytest.param(one, marks=() if one in QUICK else pytest.mark.thorough)
        for one in (NONE, *EXTRAS)
    ],
)
def test_an_installation_with_one_extra_does_all_that_it_promises(extra: str) -> None:
    own = EXTRAS[extra].packages.values() if extra in EXTRAS else ()
    missing = [name for name in own if find_spec(name) is None]
    if missing:
        pytest.skip(f"the extra '{extra}' is not installed: no module {', '.join(missing)}")
    done = python("-m", "tests.isolation", extra)
    assert (done.returncode, done.stdout) == (0, f"{extra}: everything works\n"), done.stderr


def test_a_hidden_package_is_as_good_as_absent() -> None:
    code = (
        "from importlib.util import find_spec\n"
        "from tests.isolation.hidden_packages import hide\n"
        "hide({'wave'})\n"
        "assert find_spec('wave') is None and find_spec('json') is not None\n"
        "import wave"
    )
    done = python("-c", code)
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'wave'"


def test_a_leaked_import_is_reported_with_its_module_unless_it_is_at_home_there(
    tmp_path: Path,
) -> None:
    package = tmp_path / "planted"
    (package / "lazy").mkdir(parents=True)
    for name, text in {
        "__init__.py": "",
        "leaky.py": "import wave\n",
        "sound.py": "def late():\n    import wave\n",
        "lazy/__init__.py": "",
        "lazy/heavy.py": "import wave.parts\n",
    }.items():
        (package / name).write_text(text, encoding="utf-8")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        "from tests.isolation.hidden_packages import hide\n"
        "from tests.isolation.imports import leaks\n"
        "hide({'wave'})\n"
        "print(*leaks('planted', ['planted.lazy']), sep='\\n')"
    )
    done = python("-c", code)
    assert done.stdout == "planted.leaky imports wave, which is not installed\n", done.stderr
