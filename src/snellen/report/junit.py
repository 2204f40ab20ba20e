"""`junit.xml`: a run's requirements or relations as test cases, for CI tools."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from snellen.contract.verdict import is_test
from snellen.methods.kind import view_of
from snellen.pages.marks import what_happened
from snellen.report.finding_folder import replay_command
from snellen.report.junit_tests import add_tests, plain
from snellen.store.estimate import percent
from snellen.store.findings import Finding, prediction
from snellen.store.journal import Journal
from snellen.store.run_folder import FINDINGS
from snellen.store.summary import RequirementVerdict, Summary
from snellen.subjects.subject import Task
from snellen.vision.label_vector import LabelVector

OBJECTS = ("lost", "appeared", "relabelled", "moved")
LABELS = ("missing", "extra", "mismatch")
NAMED = 5
"""Maximum findings named by a failure."""


def junit(
    journal: Journal,
    summary: Summary,
    found: Sequence[Finding],
    tests: Sequence[RequirementVerdict] = (),
    value: str | None = None,
) -> str:
    """The XML text: one test case for each of `tests`, by default the requirements of the run.

    value: the name of the number that decides `tests`, by default the method's.

    Without requirements, one for each kind of event and each detected class, which fails if there
    is a hard event of its kind on its class in a failing test. (With requirements these would all
    fail: some loss is tolerated.) Scenes that ended in an error are test cases too.
    """
    owner = f"snellen.{summary.method}"
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(suites, "testsuite", name=owner)
    _properties(suite, summary)
    if tests or summary.requirements:
        name = view_of(summary.method).words.value if value is None else value
        add_tests(suite, owner, tests or summary.requirements, name)
    else:
        _relations(suite, owner, journal, summary, found)
    errors = _errors(suite, journal, owner)
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("errors", str(errors))
    suite.set("time", f"{summary.seconds.total:.3f}")
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _relations(
    suite: ElementTree.Element,
    owner: str,
    journal: Journal,
    summary: Summary,
    found: Sequence[Finding],
) -> None:
    struck = _struck(found)
    kinds = LABELS if Task(summary.subject.task) == Task.LABELS else OBJECTS
    for name in sorted(_seen(journal, summary) | {name for _, name in struck}):
        for kind in kinds:
            hit = struck.get((kind, name), [])
            _case(suite, owner, f"{kind}: {name}", hit, kind, name, journal)


def _properties(suite: ElementTree.Element, summary: Summary) -> None:
    facts = {
        "subject": summary.subject.name,
        "fingerprint": summary.subject.fingerprint,
        "seed": str(summary.seed),
        "failure_rate": percent(summary.failure_rate),
        "control_rate": percent(summary.control.rate),
        "faults": str(summary.faults.count),
        "proven_faults": str(summary.faults.proven),
        "verdict": str(summary.verdict.status),
    }
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", name=name, value=plain(value))


def _struck(found: Sequence[Finding]) -> dict[tuple[str, str], list[Finding]]:
    """Failing tests by kind and class of their hard events, each once, worst first."""
    struck: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in found:
        if finding.status == "failing" and is_test(finding.role):
            for place in sorted({(one.kind, one.name) for one in finding.events if one.hard}):
                struck[place].append(finding)
    return struck


def _seen(journal: Journal, summary: Summary) -> set[str]:
    """The classes that the subject detects in unchanged scenes."""
    traits = journal.get("subject")
    classes, score = traits["classes"], summary.subject.score
    seen: set[int] = set()
    for (number,) in journal.rows("SELECT DISTINCT before FROM cases WHERE before IS NOT NULL"):
        answer = prediction(journal, number)
        if isinstance(answer, LabelVector):
            seen |= set(answer.present(score).nonzero()[0].tolist())
        elif answer is not None:
            seen |= set(answer.above(score).labels.tolist())
    return {classes[label] for label in seen}


def _case(
    suite: ElementTree.Element,
    owner: str,
    title: str,
    hit: Sequence[Finding],
    kind: str,
    name: str,
    journal: Journal,
) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=owner, name=plain(title))
    if not hit:
        return
    failure = ElementTree.SubElement(case, "failure", type=kind)
    failure.set("message", plain(f"{len(hit)} failing cases with {kind} {name}"))
    lines = [_line(finding, kind, name, journal) for finding in hit[:NAMED]]
    if len(hit) > NAMED:
        lines.append(f"and {len(hit) - NAMED} more")
    lines.append(replay_command(journal.path.parent, hit[0].id))
    failure.text = plain("\n".join(lines))


def _line(finding: Finding, kind: str, name: str, journal: Journal) -> str:
    """A finding in one line, with its folder if it has one."""
    pictures = Path(FINDINGS) / finding.id
    place = pictures if (journal.path.parent / pictures).is_dir() else finding.id
    text = "; ".join(
        what_happened(one)
        for one in finding.events
        if one.hard and (one.kind, one.name) == (kind, name)
    )
    return f"{place} {finding.scene}: {text}"


def _errors(suite: ElementTree.Element, journal: Journal, owner: str) -> int:
    rows = journal.rows(
        "SELECT scene, stage, kind, message FROM errors JOIN units ON units.number = errors.unit "
        "ORDER BY units.number"
    )
    for scene, stage, kind, message in rows:
        case = ElementTree.SubElement(
            suite, "testcase", classname=owner, name=plain(f"examined: {scene}")
        )
        ElementTree.SubElement(case, "error", type=kind, message=plain(f"in {stage}: {message}"))
    return len(rows)
