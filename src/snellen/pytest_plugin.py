"""The pytest plug-in: the gate of any run as a test in your own test suite.

A fixture for a whole gate, of requirements or against a baseline, and a mark that turns each
requirement into a test:

    def test_the_detector_is_no_worse(snellen_gate):
        snellen_gate("new.yaml", against="runs/baseline")

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
    from snellen.report.baseline.baseline_gate import BaselineGate
    from snellen.report.gate import Gate

MARK = "snellen"
REQUIREMENT = "snellen_requirement"
USE = f'@pytest.mark.{MARK}("config.yaml") on a test with the argument `{REQUIREMENT}`'
WORKER = "PYTEST_XDIST_WORKER"
Undecided: TypeAlias = Literal["fail", "skip"]
Given: TypeAlias = "str | os.PathLike[str]"


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


_Gates: TypeAlias = "dict[tuple[Path, float | None], tuple[Gate, Path] | Exception]"
_GATES = pytest.StashKey[_Gates]()


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
) -> Callable[..., Gate | BaselineGate]:
    """A function that fails the test unless the gate of its target passes; it returns the gate.

    target: a configuration, which runs once per session in a temporary folder, or a run folder.
    Its requirements must be satisfied. at_most: a limit on the failure rate, for any method.
    against: a baseline, a run of the old subject; then no number may be worse by more than
    `margin`, and with no_new_faults no new fault may be a fact. undecided: `fail` or `skip`; by
    default undecided requirements fail, and numbers that are not shown to be worse pass.
    """

    def check(
        target: Given,
        *,
        against: Given | None = None,
        margin: float | None = None,
        no_new_faults: bool = False,
        at_most: float | None = None,
        undecided: Undecided | None = None,
    ) -> Gate | BaselineGate:
        path = _target(target, request.node)
        if against is None:
            if margin is not None or no_new_faults:
                pytest.fail("margin and no_new_faults need `against`", pytrace=False)
            gate, folder = _gate(path, request.config, tmp_path_factory, at_most)
            _check(gate, folder, gate.word == "failed", undecided)
            return gate
        if at_most is not None:
            pytest.fail("at_most and against are two gates: call it twice", pytrace=False)
        base = _target(against, request.node)
        found = _against(path, base, tmp_path_factory, (margin, undecided, no_new_faults))
        _check(found, found.folder, found.worse, undecided)
        return found

    return check


def _check(
    gate: Gate | BaselineGate, folder: Path, failed: bool, undecided: Undecided | None
) -> None:
    """Fail or skip the test unless the gate passed."""
    text = "\n".join([*gate.lines(), f"see {folder}"])
    if failed:
        pytest.fail(text, pytrace=False)
    if gate.word != "passed":
        _undecided(text, undecided or "fail")


def _against(
    target: Path,
    base: Path,
    factory: pytest.TempPathFactory,
    asked: tuple[float | None, Undecided | None, bool],
) -> BaselineGate:
    """The gate of a target against a baseline, with its page written."""
    from snellen.errors import SnellenError
    from snellen.report.baseline.baseline_gate import MARGIN, GateRules, gated_against
    from snellen.report.baseline.gate_files import write_gate

    margin, undecided, no_new_faults = asked
    try:
        rules = GateRules(
            MARGIN if margin is None else margin, undecided is not None, no_new_faults
        )
        gate = gated_against(_run_folder(target.resolve(), factory, base.resolve()), base, rules)
        write_gate(gate)
    except SnellenError as error:
        pytest.fail(f"no verdict: {error}", pytrace=False)
    return gate


def _gate(
    target: Path,
    config: pytest.Config,
    factory: pytest.TempPathFactory,
    at_most: float | None = None,
) -> tuple[Gate, Path]:
    """The gate of a target and its run folder, computed once per session."""
    from snellen.errors import SnellenError

    key, gates = (target.resolve(), at_most), config.stash[_GATES]
    if key not in gates:
        try:
            gates[key] = _made(*key, factory)
        except SnellenError as error:
            gates[key] = error
    found = gates[key]
    if isinstance(found, Exception):
        pytest.fail(f"no verdict: {found}", pytrace=False)
    return found


def _made(
    target: Path, at_most: float | None, factory: pytest.TempPathFactory
) -> tuple[Gate, Path]:
    from snellen.report.failure_limit import check_limit
    from snellen.report.gate import check_gate, gated

    if at_most is None:
        check_gate(target)
    else:
        check_limit(at_most)
    folder = _run_folder(target, factory)
    return gated(folder, at_most), folder


def _run_folder(target: Path, factory: pytest.TempPathFactory, base: Path | None = None) -> Path:
    """The target, or the folder of its run if it is a configuration; base: of its baseline.

    With pytest-xdist one process runs it while the others wait.
    """
    from snellen.disk.lock import locked

    if target.is_dir():
        return target
    folder = _folder(target, factory, base)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock", lambda: None):
        if not (folder / "done").exists():
            _run(target, folder / "run", base)
            (folder / "done").touch()
    return folder / "run"


def _run(config: Path, folder: Path, base: Path | None) -> None:
    """Run a campaign, with a baseline as that was run."""
    from snellen.engine.campaign import load_campaign
    from snellen.engine.run import run_campaign
    from snellen.report.baseline.baseline_campaign import baseline_campaign
    from snellen.report.baseline.gated_pair import baseline_run
    from snellen.report.report import write_report

    out = [f"out={folder}"]
    if base is None:
        campaign = load_campaign(config, out)
    else:
        with baseline_run(base) as old:
            campaign = baseline_campaign(config, out, old).campaign
    run_campaign(campaign, resume=True)
    write_report(folder)


def _folder(target: Path, factory: pytest.TempPathFactory, against: Path | None) -> Path:
    """A temporary folder for a configuration's run, shared by all processes of the session."""
    base = factory.getbasetemp()
    name = hashlib.blake2b(f"{target}\0{against or ''}".encode(), digest_size=6).hexdigest()
    return (base.parent if os.environ.get(WORKER) else base) / f"snellen-{target.stem}-{name}"
