"""Configurations that Snellen stores in its folders: without secrets, and with a voucher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from snellen.configuration.environment import is_reference
from snellen.configuration.secret_values import secret_texts
from snellen.disk.atomic_file import write_atomically
from snellen.disk.trust import TRUST
from snellen.disk.voucher import is_vouched, vouched
from snellen.errors import UserError

PRIVATE = 0o600
CONFIG, JOURNAL = "config.yaml", "journal.sqlite"
"""The files that make a run folder."""
_FAST: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def as_yaml(values: Mapping[str, Any]) -> str:
    """A mapping as YAML text, keys in the order given.

    libyaml writes it five times as fast, but escapes more: text that it escapes PyYAML writes.
    """
    with suppress(UnicodeEncodeError):  # libyaml refuses half a surrogate pair
        text: str = yaml.dump(dict(values), Dumper=_FAST, sort_keys=False, allow_unicode=True)
        if text.isascii() and "\\" not in text:
            return text
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True)


def store_configuration(path: Path, values: Mapping[str, Any], source: Path) -> None:
    """Write a configuration that Snellen reads again, with a voucher of the user.

    source: the file that it came from, for messages. One with values from the environment can be
    read by the user alone.
    """
    check_storable(values, source)
    text = as_yaml(values).encode()
    write_atomically(path, vouched(text, path.name, _base(path, values)))
    if any(map(is_reference, _texts(values))):
        path.chmod(PRIVATE)


def check_storable(values: Mapping[str, Any], source: Path) -> None:
    """Refuse a configuration with a secret that is written out."""
    for place, _ in secret_texts(dict(values)):
        key = place.rpartition(".")[2]
        name = "".join(one if one.isalnum() else "_" for one in key).upper().lstrip("0123456789")
        raise UserError(
            f"{source}: {place}: is a secret, and what a configuration says is stored with its "
            f"runs. Put it into an environment variable and write that: {key}: ${{{name}}}",
            next="snellen docs trust-and-secrets",
        )


def is_of_run(path: Path) -> bool:
    """Whether a configuration is that of a run folder, which may have come from anywhere."""
    return path.name == CONFIG and (path.parent / JOURNAL).exists()


def is_own(path: Path, values: Mapping[str, Any]) -> bool:
    """Whether the user wrote a stored configuration on this machine, or trusts its folder.

    values: what it says.
    """
    return TRUST.covers(path) or is_vouched(path, _base(path, values))


def _base(path: Path, values: Mapping[str, Any]) -> Path:
    """The folder that its relative paths start at."""
    given = values.get("base")
    return Path(given) if isinstance(given, str) and given else path.absolute().parent


def _texts(values: Any) -> Iterator[str]:
    if isinstance(values, str):
        yield values
    elif isinstance(values, Mapping | list | tuple):
        for one in values.values() if isinstance(values, Mapping) else values:
            yield from _texts(one)
