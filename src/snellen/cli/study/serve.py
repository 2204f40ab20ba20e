"""`snellen study serve`: the pages of a study, until they are stopped."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from snellen.engine.interrupts import interruption_code, interruption_word
from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.study.server.serve import StudyLinks
    from snellen.study.server.server_options import ServerOptions

HOST, PORT = "127.0.0.1", 8765


def serve(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.")],
    host: Annotated[
        str, typer.Option("--host", help="Address to bind to; 0.0.0.0: reachable by others.")
    ] = HOST,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="Port; 0: any that is free.")
    ] = PORT,
    public: Annotated[
        str, typer.Option("--public", help="Address of the links, as participants type it.")
    ] = "",
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", help="Certificate for HTTPS, PEM.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option("--tls-key", help="Key of the certificate, PEM.")
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option("--behind-proxy", help="An HTTPS proxy forwards the requests (--public)."),
    ] = False,
    address_rate: Annotated[
        float, typer.Option("--address-rate", min=1, help="Requests a second from one address.")
    ] = 100.0,
    show: Annotated[bool, typer.Option("--open", help="Open your page in the browser.")] = False,
    as_json: Json = False,
) -> None:
    """Serve a study's pages until you press Ctrl-C.

    Prints the link for participants and your own, which shows the results so far.
    """
    from snellen.study.server.serve import serve as serve_study
    from snellen.study.server.server_options import ServerOptions

    options = ServerOptions(host, port, tls_cert, tls_key, behind_proxy, public, address_rate)
    for warning in options.warnings():
        typer.echo(f"warning: {warning}", err=True)

    def announce(links: StudyLinks) -> None:
        typer.echo(_as_json(links) if as_json else _announced(links, options))
        if show:
            typer.launch(links.owner)

    try:
        serve_study(study, options, announce)
    except KeyboardInterrupt as interrupt:
        again = shlex.join(["snellen", "study", "serve", str(study)])
        typer.echo(
            f"{interruption_word(interrupt)}; every answer is kept. Serve it again: {again}",
            err=True,
        )
        raise typer.Exit(interruption_code(interrupt)) from None


def _as_json(links: StudyLinks) -> str:
    return json.dumps(
        {"participants": links.participants, "owner": links.owner, "token": links.token}
    )


def _announced(links: StudyLinks, options: ServerOptions) -> str:
    lines = [
        f"study:        {links.title}",
        f"participants: {links.participants}",
        f"your page:    {links.owner}",
        f"token:        {links.token} (asked for by your page; keep it to yourself)",
    ]
    if options.is_private:
        lines.append(
            "Only this machine reaches it. Take part yourself; then let others in: "
            "snellen docs study"
        )
    else:
        lines.append("Take part yourself, then send the first link to participants.")
    return "\n".join([*lines, "Stop with Ctrl-C; every answer is kept."])
