"""What every example gives, and run folders that an earlier version wrote.

`tests/frozen/*.json` holds the journal digest and the summary of each example and of the offline
demonstration; `tests/recorded_runs/*.tar.gz` holds configuration and journal of runs of the
journal's schema 2, and `tests/frozen/recorded-*.json` how those are judged now.
A change that alters a row or a figure on purpose records them again and says why in its commit:

    python -m tests.frozen_runs NAME RUN_FOLDER
"""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.store.journal import Journal
from snellen.store.summary import Summary

HERE = Path(__file__).parent
RECORDED = sorted(path.name.removesuffix(".tar.gz") for path in HERE.glob("recorded_runs/*.gz"))
VOLATILE = ("seconds", "snellen_version", "cache_hits")
"""Keys of a summary that depend on the machine, the version or what ran before."""


def frozen(name: str) -> dict[str, Any]:
    """The journal digest and the summary that were recorded under a name."""
    text = (HERE / "frozen" / f"{name}.json").read_text(encoding="utf-8")
    held: dict[str, Any] = json.loads(text)
    return held


def comparable(summary: Summary | Mapping[str, Any]) -> dict[str, Any]:
    """The part of a summary that the configuration and the seed alone decide, as JSON has it.

    Numbers have 12 digits: the last ones of an interval hang on the processor.
    """
    values = summary.to_json() if isinstance(summary, Summary) else dict(summary)
    plain: dict[str, Any] = json.loads(
        json.dumps(values), parse_float=lambda text: float(f"{float(text):.12g}")
    )
    return {key: value for key, value in plain.items() if key not in VOLATILE}


def journal_digest(folder: Path) -> str:
    """The digest of a run's journal."""
    with closing(Journal(folder / "journal.sqlite")) as journal:
        return journal.digest()


def recorded_run(name: str, folder: Path, base: Path) -> Path:
    """A run folder of an earlier version, unpacked; base: where its relative paths start."""
    with tarfile.open(HERE / "recorded_runs" / f"{name}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    config = folder / name / "config.yaml"
    config.write_text(config.read_text(encoding="utf-8").replace("BASE", str(base)), "utf-8")
    return folder / name


def record(name: str, folder: Path) -> None:
    """Hold the run in a folder under a name."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    held = {"journal": journal_digest(folder), "summary": comparable(summary)}
    (HERE / "frozen" / f"{name}.json").write_text(json.dumps(held, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    record(sys.argv[1], Path(sys.argv[2]))
