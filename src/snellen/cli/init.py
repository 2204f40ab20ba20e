"""`snellen init`: a commented configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from snellen.errors import UserError
from snellen.methods.defaults import INIT_METHOD


def init(
    path: Annotated[Path, typer.Argument(metavar="[CONFIG]", help="The file to write.")] = Path(
        "snellen.yaml"
    ),
    subject: Annotated[
        Path | None, typer.Option("--subject", help="A model file: .onnx, .tflite, .cfg or .py.")
    ] = None,
    scenes: Annotated[
        Path | None, typer.Option("--scenes", help="A folder of images or an annotation file.")
    ] = None,
    objects: Annotated[
        Path | None,
        typer.Option("--objects", help="The source of objects; default: the scenes."),
    ] = None,
    method: Annotated[str, typer.Option("--method", help="The method.")] = INIT_METHOD,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write a commented configuration."""
    from snellen.engine.template import starter_options, template
    from snellen.scenes.recognition import guess_scenes
    from snellen.subjects.recognition import guess_subject

    if path.exists() and not force:
        raise UserError(f"{path}: already exists. Choose another name, or pass --force.")
    found = guess_scenes(scenes, path.parent)
    text = template(
        method,
        guess_subject(subject, path.parent),
        found,
        guess_scenes(objects or scenes, path.parent),
        starter_options(method, path, found, force=force) if scenes else None,
    )
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from None
    typer.echo(f"wrote {path}. Next: snellen check {path}")
