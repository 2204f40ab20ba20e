"""`snellen study demo`: an example study that takes a person five minutes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from snellen.cli.study.serve import HOST, PORT, serve

CONFIG = "demo.yaml"


def demo(
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Keep the study in this new folder; default: a temporary one."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="Port; 0: any that is free.")
    ] = PORT,
    wheels: Annotated[
        Path | None,
        typer.Option("--from", help="A folder of downloaded wheels; no network is used."),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open your page in the browser.")] = False,
) -> None:
    """Serve an example study of street photographs.

    Open the link for participants and answer 18 questions. Ctrl-C ends it.
    """
    from snellen.study.server.serve import require_server

    require_server()
    if out is not None:
        _create(out, wheels)
        serve(out, host=HOST, port=port, show=show)
        return
    with TemporaryDirectory(prefix="snellen-study-") as folder:
        study = Path(folder) / "demo"
        _create(study, wheels)
        serve(study, host=HOST, port=port, show=show)


def _create(out: Path, wheels: Path | None) -> None:
    from snellen.cli.starter import TerminalProgress
    from snellen.configuration import parse
    from snellen.starter.fetch import fetch
    from snellen.starter.study_demo import ITEM, demo_study
    from snellen.study.design.creation import create_study
    from snellen.study.options import StudyOptions
    from snellen.terminal.output_file import refuse_full
    from snellen.terminal.progress import progress_counter

    refuse_full(out)
    with TerminalProgress() as fetched:
        paths = fetch([ITEM], fetched, wheels=wheels)
    options = parse(StudyOptions, demo_study(paths[ITEM]), CONFIG)
    with progress_counter("rendering pictures") as progress:
        create_study(options, out.parent, out, progress)
