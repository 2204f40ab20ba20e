"""A run logged to Weights & Biases."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from snellen.errors import MissingExtraError
from snellen.session.run import Run
from snellen.session.trackers.logged_run import FAULT_COLUMNS, PREFIX, LoggedRun, logged_run


def log_to_wandb(run: Run | str | Path, *, project: str | None = None, **options: Any) -> str:
    """The id of the Weights & Biases run that a run of Snellen was logged to.

    run: a `Run`, or its folder. The active run is used if there is one, such as that of a training;
    else a new one is started and finished, in `project` (default: snellen) and with `options` of
    `wandb.init`. Logged are the configuration and the metrics `snellen/METHOD/...`, with the ends
    of intervals as `..._low` and `..._high`, the table `faults`, the page `report`, and an artifact
    with `report.html` and `summary.json`.
    """
    wandb = _package()
    found = logged_run(run)
    own = wandb.run is None
    if own:
        current = wandb.init(**{"project": project or PREFIX, "name": found.name, **options})
    else:
        current = wandb.run
    try:
        _log(wandb, current, found)
        return str(current.id)
    finally:
        if own:
            current.finish()


def _log(wandb: Any, current: Any, found: LoggedRun) -> None:
    current.config.update(found.params, allow_val_change=True)
    table = wandb.Table(columns=list(FAULT_COLUMNS), data=found.faults)
    pages = [path for path in found.files if path.suffix == ".html"]
    shown = {f"{found.place}/report": wandb.Html(str(path), inject=False) for path in pages}
    current.log({**found.metrics, f"{found.place}/faults": table, **shown})
    artifact = wandb.Artifact(re.sub(r"[^\w\-.]+", "-", found.name), type="snellen-run")
    for path in found.files:
        artifact.add_file(str(path))
    current.log_artifact(artifact)


def _package() -> Any:
    try:
        import wandb
    except ModuleNotFoundError:
        raise MissingExtraError("sn.log_to_wandb", "wandb") from None
    return wandb
