"""The text of the gallery. Whatever it says of a finding comes from its run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from documentation.gallery.exhibits import Exhibit
from documentation.gallery.picture import write_small
from snellen.pages.solids.solid_words import happened
from snellen.session.run import Run, open_run
from snellen.session.run_fault import RunFault
from snellen.store.findings import findings
from snellen.store.journal import journal_of

IMAGES = Path("docs", "images", "gallery")
HEAD = """\
# Gallery of findings

See what each method finds before you run one. Every picture is drawn by Snellen, and every \
sentence about a finding comes from its run, which the command above it makes. In the repository, \
`python -m documentation.gallery` makes them all, with this page and its pictures.
"""
TAIL = """\
## Repair

[Repairing a detector](how-to/repair.md) needs annotated photographs, which the starter pack does \
not have. What it does for YOLOv4-tiny is [measured](../experiments/repair/README.md).
"""
LINES = 4
"""Events that a caption lists."""


def gallery_page(exhibits: Sequence[Exhibit], root: Path) -> str:
    """The page; its pictures are written to `IMAGES`. root: the repository, with the runs made."""
    return "\n".join([HEAD, *(_part(one, root) for one in exhibits), TAIL])


def _part(exhibit: Exhibit, root: Path) -> str:
    """One method: what it asks, the command, what the run says, and its findings."""
    run = open_run(root / exhibit.folder)
    assert run.summary.method == exhibit.method
    how = f"{exhibit.asks} [How it works](how-to/{exhibit.guide})."
    commands = [one for one in (exhibit.before, exhibit.made_with) if one]
    found = [
        _finding(exhibit, fault, number, root)
        for number, fault in enumerate(_shown(exhibit, run), start=1)
    ]
    return "\n\n".join(
        [
            f"## {exhibit.title}",
            how,
            "\n".join(["```", *commands, "```"]),
            f"The run: {run.summary.verdict.sentence}",
            *found,
            f"*{exhibit.credit}*\n",
        ]
    )


def _shown(exhibit: Exhibit, run: Run) -> list[RunFault]:
    """The faults to show; an error if the run does not have them."""
    if not exhibit.shown:
        return [run.faults[0]]
    known = {one.id: one for one in run.faults}
    return [known[id] for id in exhibit.shown]


def _finding(exhibit: Exhibit, fault: RunFault, number: int, root: Path) -> str:
    """The picture of a fault's first finding, and what was found out about it."""
    finding = fault.finding
    with closing(journal_of(root / exhibit.folder)) as journal:
        [row] = [one for one in findings(journal) if one.id == finding.id]
    name = f"{exhibit.method}-{number}.webp"
    write_small(finding.show(), root / IMAGES / name)
    events = happened(row)
    more = len(events) - LINES
    said = "; ".join(events[:LINES]) + (f"; and {more} more" if more > 0 else "")
    lines = [f"**{said}**, in `{finding.scene}`."]
    if fault.cause != "unexplained":
        sure = ", proven" if fault.proven else ""
        lines.append(f"Cause: `{fault.cause}`{sure}. {fault.says[:1].upper()}{fault.says[1:]}")
        lines[-1] = lines[-1].rstrip(".") + "."
        explain = f"snellen explain {exhibit.folder.as_posix()} {finding.id}"
        lines.append(f"Every question that was asked: `{explain}`.")
    return f"![A finding: {said}](images/gallery/{name})\n\n{' '.join(lines)}"
