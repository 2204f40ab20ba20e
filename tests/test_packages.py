"""The wheel and the sdist have what they must, and what is installed from them works."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import snellen
from tests.documentation.blocks import blocks

ROOT = Path(__file__).parents[1]
NAME = f"snellen-{snellen.__version__}"
CONFIG = """
method: identity
subject: {kind: planted}
scenes: {kind: synthetic, count: 2}
out: run
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with wheel and sdist, built without a network."""
    pytest.importorskip("hatchling", reason="hatchling is not installed; it is in the extra test")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    [found] = built.glob("*.whl")
    return found


def in_source(suffixes: tuple[str, ...]) -> set[str]:
    """The files of the package of some types, relative to `src`."""
    found = (ROOT / "src").rglob("*")
    return {path.relative_to(ROOT / "src").as_posix() for path in found if path.suffix in suffixes}


def test_the_wheel_has_all_code_styles_data_and_pages_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert in_source((".py", ".css", ".js", ".json", ".yaml", ".csv", ".typed", ".onnx")) <= names
    pages = {
        f"snellen/docs/{path.relative_to(ROOT / 'docs').as_posix()}"
        for path in (ROOT / "docs").rglob("*")
        if path.is_file()
    }
    assert pages <= names
    assert {name.partition("/")[0] for name in names} == {"snellen", f"{NAME}.dist-info"}
    assert not [name for name in names if "__pycache__" in name]


def test_the_sdist_has_what_builds_the_wheel_and_no_tests(built: Path, wheel: Path) -> None:
    [path] = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.removeprefix(f"{NAME}/") for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "PKG-INFO"} <= names
    assert {f"src/{name}" for name in in_source((".py",))} <= names
    assert {name.partition("/")[0] for name in names} - {"src", "docs", "examples"} <= {
        path.name for path in ROOT.iterdir() if path.is_file()
    } | {"PKG-INFO"}, "tests, experiments and their data stay in the repository"
    assert path.stat().st_size < 3 * wheel.stat().st_size


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel; dependencies are those of this one."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    if not python.exists():
        pytest.skip("programs of an environment are not in bin/ here")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    [packages] = place.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.parent


def output(command: list[str], folder: Path) -> str:
    """What a command prints in a folder, in an environment without this source tree."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["SNELLEN_CACHE"] = str(folder / "cache")
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def test_the_installed_wheel_runs_a_campaign_from_any_folder(
    installed: Path, tmp_path: Path
) -> None:
    program = str(installed / "snellen")
    place = output([str(installed / "python"), "-c", "import snellen; print(snellen.__file__)"],
                   tmp_path)  # fmt: skip
    assert Path(place.strip()).is_relative_to(installed.parent), "the wheel, not the source tree"
    assert output([program, "--version"], tmp_path) == f"snellen {snellen.__version__}\n"
    assert "  install " in output([program, "docs"], tmp_path)
    assert output([program, "docs", "install"], tmp_path).startswith("# Install Snellen\n")
    (tmp_path / "identity.yaml").write_text(CONFIG, encoding="utf-8")
    output([program, "run", "identity.yaml"], tmp_path)
    assert (tmp_path / "run" / "report.html").is_file()


@pytest.mark.thorough
@pytest.mark.timeout(1200)
def test_the_first_commands_of_the_install_page_work_on_a_fresh_machine(
    wheel: Path, tmp_path: Path
) -> None:
    """With everything from the package index, as a user has it; only the wheel is ours."""
    probe = [sys.executable, "-m", "pip", "download", "--no-deps", "-d", str(tmp_path), "mdurl"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no package index can be reached")
    block = next(one for one in blocks() if one.page == "docs/how-to/install.md")
    lines = block.text.splitlines()
    assert [line.split()[-1] for line in lines] == [".venv", "snellen", "--version", "--offline"]
    home = tmp_path / "empty"
    home.mkdir()
    for line in lines:
        words = [str(wheel) if word == "snellen" else word for word in line.split()]
        printed = output([sys.executable if word == "python3" else word for word in words], home)
    assert "proven faults" in printed
    assert (home / "demo" / "run" / "report.html").is_file()
