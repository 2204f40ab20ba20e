"""A run logged to MLflow."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

from snellen.errors import MissingExtraError, UserError
from snellen.session.run import Run
from snellen.session.trackers.logged_run import FAULT_COLUMNS, LoggedRun, logged_run

LONGEST = 500
"""Characters of a parameter that every version of MLflow stores."""


def log_to_mlflow(run: Run | str | Path, *, run_name: str | None = None) -> str:
    """The id of the MLflow run that a run of Snellen was logged to.

    run: a `Run`, or its folder. The active MLflow run is used if there is one, such as that of a
    training; else a new one with the name `run_name` is started and ended. Logged are parameters
    and metrics `snellen/METHOD/...`, with the ends of intervals as `..._low` and `..._high`, and
    the files `report.html`, `summary.json` and `faults.json` (columns and rows).
    """
    mlflow = _package()
    found = logged_run(run)
    active = mlflow.active_run()
    with mlflow.start_run(run_name=run_name or found.name) if active is None else nullcontext():
        current = mlflow.active_run()
        try:
            _log(mlflow, found)
        except mlflow.exceptions.MlflowException as error:
            raise UserError(
                f"MLflow refused the run: {str(error).splitlines()[0]} Check its tracking URI, and "
                "log each run of a method to an MLflow run of its own."
            ) from error
    return str(current.info.run_id)


def _log(mlflow: Any, found: LoggedRun) -> None:
    mlflow.log_params({name: str(one)[:LONGEST] for name, one in found.params.items()})
    mlflow.log_metrics(found.metrics)
    table = {"columns": list(FAULT_COLUMNS), "data": found.faults}
    mlflow.log_dict(table, f"{found.place}/faults.json")
    for path in found.files:
        mlflow.log_artifact(str(path), found.place)


def _package() -> Any:
    try:
        import mlflow
    except ModuleNotFoundError:
        raise MissingExtraError("sn.log_to_mlflow", "mlflow") from None
    return mlflow
