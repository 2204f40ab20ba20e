"""The pytest plug-in: requirements as tests in your own test suite.

A fixture for a whole gate, and a mark that turns each requirement into a test:

    def test_the_detector_is_fit_for_winter(snellen_gate):
        snellen_gate("winter.yaml")

    @pytest.mark.snellen("winter.yaml")
    def test_winter(snellen_requirement):
        snellen_requirement.check()

Nothing but pytest is imported until a test uses one of them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

import pytest

if TYPE_CHECKING:
    from snellen.report.gate import Gate

MARK = "snellen"
REQUIREMENT = "snellen_requirement"
USE = f'@pytest.mark.{MARK}("config.yaml") on a test with the argument `{REQUIREMENT}`'
WORKER = "PYTEST_XDIST_WORKER"
Undecided: TypeAlias = Literal["fail", "skip"]


@dataclass(frozen=True)
class GatedRequirement:
    """A requirement with its verdict.

    status: `satisfied`, `violated` or `undecided`. says: one sentence. value, low, high: the loss
    that decides the verdict, with its interval; None if unknown. folder: of the run. details: its
    entry in the run's summary.
    """

    name: str
    status: str
    says: str
    value: float | None
    low: float | None
    high: float | None
    folder: Path
    details: Mapping[str, Any]

    def check(self, *, undecided: Undecided = "fail") -> None:
        """Fail the test unless the requirement is satisfied; undecided: `fail` or `skip`."""
        text = f"{self.status}: {self.name}: {self.says}\nsee {self.folder}"
        if self.status == "violated":
            pytest.fail(text, pytrace=False)
        if self.status != "satisfied":
            _undecided(text, undecided)


def _undecided(text: str, how: Undecided) -> NoReturn:
    if how == "skip":
        pytest.skip(text)
    pytest.fail(text, pytrace=False)


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark."""
    config.addinivalue_line(
        "markers",
        f"{MARK}(target): a Snellen configuration or run folder; with the argument "
        f"`{REQUIREMENT}` the test runs once for each of its requirements.",
    )
    config.stash[_GATES] = {}


_GATES = pytest.StashKey[dict[Path, "tuple[Gate, Path] | Exception"]]()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each requirement of the mark's target."""
    mark = metafunc.definition.get_closest_marker(MARK)
    if REQUIREMENT not in metafunc.fixturenames:
        if any(one.name == MARK for one in metafunc.definition.own_markers):
            pytest.fail(f"nothing is checked: use {USE}", pytrace=False)
        return
    if mark is None or len(mark.args) != 1:
        pytest.fail(f"which requirements? Use {USE}", pytrace=False)
    names = _names(_target(mark.args[0], metafunc.definition))
    metafunc.parametrize(REQUIREMENT, names, ids=names, indirect=True)


def _names(target: Path) -> tuple[str, ...]:
    from snellen.errors import SnellenError
    from snellen.report.gate import required

    try:
        return required(target)
    except SnellenError as error:
        pytest.fail(str(error), pytrace=False)


def _target(given: str | os.PathLike[str], item: pytest.Item) -> Path:
    """A path relative to the test's file, or else to the folder where pytest was started."""
    beside = item.path.parent / given
    return beside if beside.exists() else item.config.invocation_params.dir / given


@pytest.fixture
def snellen_requirement(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> GatedRequirement:
    """One requirement of the mark's target, with its verdict; the campaign runs once."""
    if not hasattr(request, "param"):
        pytest.fail(f"which requirement? Use {USE}", pytrace=False)
    mark = request.node.get_closest_marker(MARK)
    gate, folder = _gate(_target(mark.args[0], request.node), request.config, tmp_path_factory)
    found = next((one for one in gate.requirements if one.name == request.param), None)
    if found is None:
        pytest.fail(f"{request.param}: not among the run's verdicts; see {folder}", pytrace=False)
    details = found.to_json()
    values = {key: details[key] for key in ("name", "status", "says", "value", "low", "high")}
    if gate.missing and values["status"] == "satisfied":
        values |= {"status": "undecided", "says": " ".join([values["says"], *gate.missing])}
    return GatedRequirement(**values, folder=folder, details=details)


@pytest.fixture
def snellen_gate(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Gate]:
    """A function that fails the test unless every requirement of its target is satisfied.

    target: a configuration, which runs once per session in a temporary folder, or a run folder.
    undecided: `fail` or `skip`. It returns the gate.
    """

    def check(target: str | os.PathLike[str], *, undecided: Undecided = "fail") -> Gate:
        path = _target(target, request.node)
        gate, folder = _gate(path, request.config, tmp_path_factory)
        text = "\n".join([*gate.lines(), f"see {folder}"])
        if gate.word == "failed":
            pytest.fail(text, pytrace=False)
        if gate.word != "passed":
            _undecided(text, undecided)
        return gate

    return check


def _gate(
    target: Path, config: pytest.Config, factory: pytest.TempPathFactory
) -> tuple[Gate, Path]:
    """The gate of a target and its run folder, computed once per session."""
    from snellen.errors import SnellenError

    target, gates = target.resolve(), config.stash[_GATES]
    if target not in gates:
        try:
            gates[target] = _made(target, factory)
        except SnellenError as error:
            gates[target] = error
    found = gates[target]
    if isinstance(found, Exception):
        pytest.fail(f"no verdict: {found}", pytrace=False)
    return found


def _made(target: Path, factory: pytest.TempPathFactory) -> tuple[Gate, Path]:
    from snellen.disk.lock import locked
    from snellen.report.gate import gated

    if target.is_dir():
        return gated(target), target
    folder = _folder(target, factory)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock", lambda: None):
        if not (folder / "done").exists():
            _run(target, folder / "run")
            (folder / "done").touch()
        return gated(folder / "run"), folder / "run"


def _run(config: Path, folder: Path) -> None:
    """Run a campaign; with pytest-xdist one process runs it while the others wait."""
    from snellen.engine.campaign import load_campaign
    from snellen.engine.run import run_campaign
    from snellen.report.report import write_report

    run_campaign(load_campaign(config, [f"out={folder}"]), resume=True)
    write_report(folder)


def _folder(target: Path, factory: pytest.TempPathFactory) -> Path:
    """A temporary folder for a configuration's run, shared by all processes of the session."""
    base = factory.getbasetemp()
    name = hashlib.blake2b(str(target).encode(), digest_size=6).hexdigest()
    return (base.parent if os.environ.get(WORKER) else base) / f"snellen-{target.stem}-{name}"
