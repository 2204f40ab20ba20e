"""`python -m tests.isolation torch`: what an installation with the extra `torch` alone can do.

With `none`, one without any extra. What belongs to other extras is hidden where it is installed.
Ends with 1 and a line for each thing that does not work.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.isolation.extras import EXTRAS, NONE, absent, foreign_homes, includes
from tests.isolation.hidden_packages import hide
from tests.isolation.imports import leaks


def problems(extra: str, folder: Path) -> Iterator[str]:
    """A line for each thing that does not work as it should with this extra alone."""
    from tests.isolation.core_features import broken_features
    from tests.isolation.extra_uses import USES

    yield from leaks("snellen", foreign_homes(extra))
    yield from broken_features(folder)
    for number, use in enumerate(USES):
        place = folder / str(number)
        place.mkdir()
        outcome = use.carry_out(place)
        if includes(extra, use.extra):
            if not use.works(outcome):
                yield f"{use.what} does not work with '{extra}' ({outcome.code}): {outcome.text}"
        elif not outcome.names_extra(use.extra):
            yield f"{use.what} does not name '{use.extra}' ({outcome.code}): {outcome.text}"


def main() -> int:
    """The exit code."""
    names = [NONE, *EXTRAS]
    if len(sys.argv) != 2 or sys.argv[1] not in names:
        print(f"usage: python -m tests.isolation {{{','.join(names)}}}", file=sys.stderr)
        return 2
    extra = sys.argv[1]
    hide(absent(extra))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SNELLEN_CACHE"] = str(Path(folder, "cache"))
        found = list(problems(extra, Path(folder)))
    print(*found or [f"{extra}: everything works"], sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
