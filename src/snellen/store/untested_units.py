"""Units that ended without a test, because nothing could be asked about them."""

from __future__ import annotations

from snellen.contract.verdict import UNTESTED
from snellen.store.journal import Journal

_WHY = f"json_extract(notes, '$.{UNTESTED}')"
TESTED = f"status = 'done' AND {_WHY} IS NULL"
"""The SQL condition of a unit that ended and in which something was tested."""


def untested_units(journal: Journal) -> dict[str, int]:
    """The number of units that ended without a test, by the reason; the most frequent first."""
    rows = journal.rows(
        f"SELECT {_WHY} AS why, count(*) FROM units WHERE status = 'done' AND why IS NOT NULL "
        "GROUP BY why ORDER BY count(*) DESC, why"
    )
    return dict(rows)
