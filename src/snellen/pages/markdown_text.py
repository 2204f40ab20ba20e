"""Text in Markdown files, with all that Markdown or HTML would interpret made literal."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

_SPECIAL = re.compile(r"([\\`*_\[\]|~$@:]|(?<=www)\.|^[-+#=]|(?<=^\d)[.)](?= ))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escaped(text: str) -> str:
    r"""The text on one line, literal.

    >>> escaped("a|b <img> @x")
    'a\\|b &lt;img&gt; \\@x'
    """
    plain = "".join(_ENTITIES.get(one, one) for one in " ".join(text.split()))
    # An entity has none of the special characters, so it survives the second step.
    return _SPECIAL.sub(r"\\\1", plain)


def yaml_line(values: Mapping[str, Any]) -> str:
    r"""A mapping as YAML on one line, which can't end a code block.

    >>> yaml_line({"kind": "coco", "images": "a"})
    '{kind: coco, images: a}'
    >>> yaml_line({"kind": "a\n```"})
    '{"kind": "a\\n```"}'
    """
    text = yaml.safe_dump(dict(values), default_flow_style=True, sort_keys=False, width=10**6)
    line = str(text).strip()
    return json.dumps(values) if len(line.splitlines()) > 1 else line
