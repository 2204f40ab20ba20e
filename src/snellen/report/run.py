"""Run a campaign from Python."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snellen.engine.campaign import campaign_from, load_campaign
from snellen.engine.progress import Watcher
from snellen.engine.run import run_campaign
from snellen.report.report import write_report
from snellen.store.summary import Summary


def run(
    campaign: str | Path | Mapping[str, Any],
    *,
    resume: bool = False,
    watcher: Watcher | None = None,
) -> Summary:
    """The summary of a campaign, given as a configuration file or as the mapping in one.

    Relative paths in a mapping start at the working folder. Run folder and report stay on disk.

    >>> import os, tempfile
    >>> os.chdir(tempfile.mkdtemp())
    >>> summary = run({
    ...     "method": "identity",
    ...     "subject": {"kind": "planted"},
    ...     "scenes": {"kind": "synthetic", "count": 3},
    ...     "engine": {"workers": 0, "cache": False},
    ...     "out": "run",
    ... })
    >>> summary.cases, summary.failing_cases
    (3, 0)
    >>> print(summary)
    identity of perfect: 0 of 3 cases fail, 0.0% (95% interval 0.0% to 67.8%); 3 of 3 units examined
    """
    if isinstance(campaign, Mapping):
        made = campaign_from(campaign, Path("configuration"))
    else:
        made = load_campaign(Path(campaign))
    run_campaign(made, resume=resume, watcher=watcher)
    return write_report(made.out_folder)
