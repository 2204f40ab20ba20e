"""Secrets in a configuration: the texts under keys whose names say so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from snellen.configuration.environment import is_reference
from snellen.errors.redaction import NOT_SHOWN, hide, is_secret


def secret_texts(
    values: Any, place: str = "", *, secret: bool = False
) -> Iterator[tuple[str, str]]:
    """Place and text of every secret that is written out in nested values.

    secret: whether the values stand under a key that names one.

    >>> list(secret_texts({"subject": {"arguments": {"api_key": "abc", "token": "${TOKEN}"}}}))
    [('subject.arguments.api_key', 'abc')]
    """
    if isinstance(values, dict):
        for key, one in values.items():
            inner = f"{place}.{key}".lstrip(".")
            yield from secret_texts(one, inner, secret=secret or is_secret(key))
    elif isinstance(values, list | tuple):
        for number, one in enumerate(values):
            yield from secret_texts(one, f"{place}.{number}", secret=secret)
    elif secret and isinstance(values, str) and values and not is_reference(values):
        yield place, values


def hide_secrets(values: Any) -> None:
    """From now on, show no secret that is written out in the values."""
    for _, text in secret_texts(values):
        hide(text)


def without_secrets(values: Any, *, secret: bool = False) -> Any:
    """Nested values in which nothing stands that a key calls secret, but by reference.

    >>> without_secrets({"url": "x", "api_key": "abc", "token": "${TOKEN}"})
    {'url': 'x', 'api_key': '(not shown)', 'token': '${TOKEN}'}
    """
    if isinstance(values, dict):
        return {
            key: without_secrets(one, secret=secret or is_secret(key))
            for key, one in values.items()
        }
    if isinstance(values, list | tuple):
        return [without_secrets(one, secret=secret) for one in values]
    if not secret or not values or (isinstance(values, str) and is_reference(values)):
        return values
    return NOT_SHOWN
