"""Links in Markdown text, outside of its code."""

from __future__ import annotations

import re
from collections.abc import Callable

_FENCED = re.compile(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
_ELSEWHERE = re.compile(r"[a-z]+:")


def with_targets(text: str, renamed: Callable[[str], str]) -> str:
    """The text with the path of every relative link replaced by what `renamed` returns for it.

    >>> with_targets("[a](b.md#c) [d](https://e) `[f](g)`", str.upper)
    '[a](B.MD#c) [d](https://e) `[f](g)`'
    """

    def replaced(found: re.Match[str]) -> str:
        start, path, end = found.groups()
        return f"{start}{path if _ELSEWHERE.match(path) else renamed(path)}{end}"

    parts = _FENCED.split(text)
    parts[::2] = [_LINK.sub(replaced, part) for part in parts[::2]]
    return "".join(parts)
