"""`snellen demo`: a complete run on a fresh machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

from snellen.cli import check, run
from snellen.errors import UserError

MARK = "demo.yaml"


def demo(
    out: Annotated[Path, typer.Option("--out", help="The folder of the demo.")] = Path("demo"),
    offline: Annotated[
        bool, typer.Option("--offline", help="Use generated scenes; no download.")
    ] = False,
    fusion: Annotated[
        bool,
        typer.Option(
            "--fusion", help="Test a camera+LiDAR system on generated streets; no download."
        ),
    ] = False,
) -> None:
    """Download a detector and photographs, and test the detector on the photographs."""
    from snellen.engine.campaign import as_yaml

    values = _fusion() if fusion else _offline() if offline else _fetched()
    config = _new_folder(out) / MARK
    config.write_text(as_yaml(values), encoding="utf-8")
    if fusion:
        _generate(config.parent)
    check.check(config)
    run.run(config)


def _fetched() -> dict[str, Any]:
    from snellen.cli.starter import TerminalProgress
    from snellen.starter.demo import ITEMS, demo_values
    from snellen.starter.fetch import fetch

    with TerminalProgress() as progress:
        return demo_values(fetch(ITEMS, progress))


def _offline() -> dict[str, Any]:
    from snellen.starter.demo import offline_values

    return offline_values()


def _fusion() -> dict[str, Any]:
    from snellen.starter.fusion_demo import fusion_values

    return fusion_values()


def _generate(folder: Path) -> None:
    from snellen.starter.fusion_demo import STREETS, prepare_streets

    typer.echo(f"generating {STREETS} streets; the first time this also compiles code")
    prepare_streets(folder)


def _new_folder(out: Path) -> Path:
    """The demo's folder without an earlier run."""
    if out.exists() and not (out / MARK).exists() and any(out.iterdir()):
        raise UserError(f"{out}: contains files that are not a demo. Choose another --out.")
    shutil.rmtree(out / "run", ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    return out
