"""A self-contained HTML page: it loads nothing and runs only its own script."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from snellen.pages.markup import Child, Markup, joined, tag


def html_page(
    title: str, *body: Child, style: str, script: str = "", **attributes: str | float | bool | None
) -> str:
    r"""The text of the file. attributes: of its body, as in `tag`.

    >>> html_page("a car", tag("p", "2 < 3"), style="")[-43:]
    '</head><body><p>2 &lt; 3</p></body></html>\n'
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=content_policy(script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"Snellen: {title}"),
        tag("style", Markup(style)),
    )
    content = joined(*body, tag("script", Markup(script)) if script else None)
    return f'<!doctype html>\n<html lang="en">{head}{tag("body", content, **attributes)}</html>\n'


def content_policy(script: str) -> str:
    """The content security policy of a page that loads nothing and runs only this script.

    >>> content_policy("")[:19]
    "default-src 'none';"
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'"
    )


def resource(package: str, name: str) -> str:
    """The text of a file in a package, such as a style sheet or a script."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
