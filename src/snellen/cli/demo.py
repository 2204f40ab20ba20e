"""`snellen demo`: the main job, on a fresh machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from snellen.cli import check, run
from snellen.errors import UserError

MARK = "demo.yaml"


def demo(
    out: Annotated[Path, typer.Option("--out", help="Where to put it all.")] = Path("demo"),
    offline: Annotated[
        bool, typer.Option("--offline", help="Generated scenes; nothing is fetched.")
    ] = False,
) -> None:
    """Fetch a detector and photographs, and examine it on them."""
    from snellen.cli.starter import TerminalProgress
    from snellen.engine.campaign import as_yaml
    from snellen.starter.demo import ITEMS, demo_values, offline_values
    from snellen.starter.fetch import fetch

    if offline:
        values = offline_values()
    else:
        with TerminalProgress() as progress:
            values = demo_values(fetch(ITEMS, progress))
    config = _fresh(out) / MARK
    config.write_text(as_yaml(values), encoding="utf-8")
    check.check(config)
    run.run(config)


def _fresh(out: Path) -> Path:
    """The demonstration's folder without an earlier run of it."""
    if out.exists() and not (out / MARK).exists() and any(out.iterdir()):
        raise UserError(f"{out}: holds something else than a demonstration. Choose another --out.")
    shutil.rmtree(out / "run", ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    return out
